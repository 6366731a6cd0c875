import { jsonObject } from '../jsonObject.ts';
import type { Signer } from '../verify/intake.ts';
import type { RecordPlace } from '../verify/takers.ts';

/** The fields of a record. They can be anything, because lines are linked and signed without parsing them. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** A record of accepted code in a log. */
interface CodeRecord {
  /** The request; undefined if the answer came from an earlier version. */
  readonly request?: string;
  readonly edit: string;
  readonly code: string;
}

/** The records of a log, which are compared with the notes of a repository. */
export class CodeRecords {
  readonly kinds: ReadonlySet<string> = new Set(['code-accepted', 'request-intent', 'request-outcome']);
  readonly #accepted = new Map<string, CodeRecord>();
  /** The places of records that are not signed: anyone can have added them. */
  readonly #unsigned = new Set<string>();
  /** The model of each request. */
  readonly #requests = new Map<string, string>();
  readonly #asked: ReadonlySet<string>;
  /** The ledgers that sign the sessions of the kept records. */
  readonly #signers = new Map<string, Signer>();
  /** The signed records about the given requests, by log, kind and request; records of accepted code, by their edit. */
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
    // The next window only assumes an outcome that is not known.
    if (record.outcome !== 'unknown' || !this.#kept.has(key)) this.#kept.set(key, record);
  }

  at(session: string, seq: number): CodeRecord | null {
    return this.#accepted.get(`${session}:${seq}`) ?? null;
  }

  isUnsigned(session: string, seq: number): boolean {
    return this.#unsigned.has(`${session}:${seq}`);
  }

  /** Returns the model that a request was sent to, or null if the log does not have the request. */
  modelOf(request: string): string | null {
    return this.#requests.get(request) ?? null;
  }

  /**
   * Returns a signed record about one of the given requests, by the request, or of accepted code, by the edit. It belongs to the
   * same log as the session, because other logs can have records about the same request.
   */
  recordOf(
    session: string,
    kind: 'request-intent' | 'request-outcome' | 'code-accepted',
    id: string,
  ): RecordFields | null {
    return this.#kept.get(`${this.#signers.get(session)?.chain} ${kind} ${id}`) ?? null;
  }

  /** Returns the ledger that signs a session with one of the kept records: a note can name any ledger. */
  signerOf(session: string): string | null {
    return this.#signers.get(session)?.ledger ?? null;
  }
}

type Texts = { readonly [Name in 'kind' | 'request' | 'model' | 'edit' | 'code']?: string };

function textsOf(record: RecordFields): Texts {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => typeof value === 'string')) as Texts;
}
