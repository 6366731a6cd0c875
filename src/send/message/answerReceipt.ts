import type { AuditHeader } from '../audit.ts';
import { bounded, type Receipt, receiptOf, shortenedTo, worstOf } from './receipt.ts';

/** The maximum number of different statements that are kept, for one header or for the whole object. */
const maxKept = 5;

/**
 * The security statements of one answer, which may contain several. The worst one is used, and a header with two different
 * statements is not confirmed.
 */
export class AnswerReceipt {
  readonly #requested: readonly AuditHeader[];
  /** The distinct statements for each header, in order. */
  readonly #said = new Map<string, Set<string | null>>();
  readonly #texts = new Set<string>();
  #receipt: Receipt | undefined;

  constructor(requested: readonly AuditHeader[]) {
    this.#requested = requested;
  }

  /** The receipt; undefined until the first statement. */
  get receipt(): Receipt | undefined {
    return this.#receipt;
  }

  /** Returns the same receipt as before if the statement is not new. @param security the object as received. */
  add(security: unknown): Receipt {
    const now = receiptOf(security, this.#requested);
    const before = this.#receipt ?? now;
    if (this.#texts.size < maxKept) this.#texts.add(now.text);
    const headers = now.headers.map((header, index) => {
      const statements = this.#saidOf(header.name, header.said);
      const verdicts = [header.verdict, before.headers[index]?.verdict ?? header.verdict];
      if (statements.length === 1) return { ...header, verdict: worstOf(verdicts) };
      const shown = statements.map((one) => one ?? '–').join(' → ');
      return { ...header, said: shortenedTo(shown), verdict: worstOf([...verdicts, 'not-confirmed']) };
    });
    const verdict = headers.length === 0 ? 'not-confirmed' : worstOf(headers.map((header) => header.verdict));
    const receipt = { verdict, headers, text: bounded([...this.#texts].join('\n')) };
    if (this.#receipt === undefined || JSON.stringify(receipt) !== JSON.stringify(this.#receipt))
      this.#receipt = receipt;
    return this.#receipt;
  }

  #saidOf(name: string, said: string | null): readonly (string | null)[] {
    const all = this.#said.get(name) ?? new Set();
    this.#said.set(name, all);
    if (all.size < maxKept) all.add(said);
    return [...all];
  }
}
