import type { AuditHeader } from '../dispatch/audit.ts';
import { bounded, type Receipt, receiptOf, shortenedTo, worstOf } from './receipt.ts';

/** Of one header, or of the whole object: so many different things are kept. */
const maxKept = 5;

/**
 * What one answer says of its security, which may say it more than once. The worst of it counts, and a header of which it says
 * first one thing and then another is not confirmed, whatever the two are.
 */
export class AnswerReceipt {
  readonly #requested: readonly AuditHeader[];
  /** What was said of each header, in order, each once. */
  readonly #said = new Map<string, Set<string | null>>();
  readonly #texts = new Set<string>();
  #receipt: Receipt | undefined;

  constructor(requested: readonly AuditHeader[]) {
    this.#requested = requested;
  }

  /** Undefined as long as nothing was said. */
  get receipt(): Receipt | undefined {
    return this.#receipt;
  }

  /** The same receipt as before where nothing new was said. @param security the object as it came. */
  add(security: unknown): Receipt {
    const now = receiptOf(security, this.#requested);
    const before = this.#receipt ?? now;
    if (this.#texts.size < maxKept) this.#texts.add(now.text);
    const headers = now.headers.map((header, index) => {
      const said = this.#saidOf(header.name, header.said);
      const verdicts = [header.verdict, before.headers[index]?.verdict ?? header.verdict];
      if (said.length === 1) return { ...header, verdict: worstOf(verdicts) };
      const shown = said.map((one) => one ?? '–').join(' → ');
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
