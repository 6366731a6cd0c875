import { jsonObject } from '../jsonObject.ts';
import type { Signer } from '../verify/intake.ts';
import type { RecordPlace } from '../verify/takers.ts';

/** The fields of a record. Lines are linked and signed without a look at them, so they can be anything. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** A record of accepted code in a log. */
interface CodeRecord {
  /** Absent where the answer was of an earlier version. */
  readonly request?: string;
  readonly edit: string;
  readonly code: string;
}

/** The records of a log, which are compared with the notes of a repository. */
export class CodeRecords {
  readonly kinds: ReadonlySet<string> = new Set(['code-accepted', 'request-intent', 'request-outcome']);
  readonly #accepted = new Map<string, CodeRecord>();
  /** Places of records that are not signed: anyone can have added them. */
  readonly #unsigned = new Set<string>();
  /** The model of each request. */
  readonly #requests = new Map<string, string>();
  readonly #asked: ReadonlySet<string>;
  /** The ledgers that sign the sessions of these. */
  readonly #signers = new Map<string, Signer>();
  /** The signed records about the requests that were asked for, by log, kind and request; of accepted code, by its edit. */
  readonly #kept = new Map<string, RecordFields>();

  constructor(asked: ReadonlySet<string> = new Set()) {
    this.#asked = asked;
  }

  take({ session, seq, signer }: RecordPlace, line: string, isSigned: boolean): void {
    const record = jsonObject(line) ?? {};
    const { kind, request, model, edit, code } = textsOf(record);
    if (!isSigned) this.#unsigned.add(`${session}:${seq}`);
    else if (kind === 'request-intent') {
      if (request !== undefined) this.#requests.set(request, model ?? '');
    } else if (edit !== undefined && code !== undefined) {
      this.#accepted.set(`${session}:${seq}`, { edit, code, ...(request === undefined ? {} : { request }) });
    }
    if (!isSigned || signer === null || request === undefined || !this.#asked.has(request)) return;
    this.#signers.set(session, signer);
    const key = `${signer.chain} ${kind} ${edit ?? request}`;
    // An outcome that is not known is only assumed, by the next window.
    if (record.outcome !== 'unknown' || !this.#kept.has(key)) this.#kept.set(key, record);
  }

  at(session: string, seq: number): CodeRecord | null {
    return this.#accepted.get(`${session}:${seq}`) ?? null;
  }

  isUnsigned(session: string, seq: number): boolean {
    return this.#unsigned.has(`${session}:${seq}`);
  }

  /** The model that a request was sent to; null if the log does not have the request. */
  modelOf(request: string): string | null {
    return this.#requests.get(request) ?? null;
  }

  /**
   * A signed record about a request that was asked for, by the request, or of accepted code, by the edit. It is of the same log
   * as a session: others can write about the same request.
   */
  recordOf(
    session: string,
    kind: 'request-intent' | 'request-outcome' | 'code-accepted',
    id: string,
  ): RecordFields | null {
    return this.#kept.get(`${this.#signers.get(session)?.chain} ${kind} ${id}`) ?? null;
  }

  /** The ledger that signs a session with a record that was asked for: a note can name any. */
  signerOf(session: string): string | null {
    return this.#signers.get(session)?.ledger ?? null;
  }
}

type Texts = { readonly [Name in 'kind' | 'request' | 'model' | 'edit' | 'code']?: string };

function textsOf(record: RecordFields): Texts {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => typeof value === 'string')) as Texts;
}
