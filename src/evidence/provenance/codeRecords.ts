/** A record of accepted code in a log. */
interface CodeRecord {
  /** Absent where the answer was of an earlier version. */
  readonly request?: string;
  readonly edit: string;
  readonly code: string;
}

/** The records of a log, which are compared with the notes of a repository. */
export class CodeRecords {
  readonly kinds: ReadonlySet<string> = new Set(['code-accepted', 'request-intent']);
  readonly #accepted = new Map<string, CodeRecord>();
  /** Places of records that are not signed: anyone can have added them. */
  readonly #unsigned = new Set<string>();
  /** The model of each request. */
  readonly #requests = new Map<string, string>();

  take({ session, seq }: { session: string; seq: number }, line: string, isSigned: boolean): void {
    const { kind, request, model = '', edit, code } = fieldsOf(line);
    if (!isSigned) this.#unsigned.add(`${session}:${seq}`);
    else if (kind === 'request-intent') {
      if (request !== undefined) this.#requests.set(request, model);
    } else if (edit !== undefined && code !== undefined) {
      this.#accepted.set(`${session}:${seq}`, { edit, code, ...(request === undefined ? {} : { request }) });
    }
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
}

type Fields = { readonly [Name in 'kind' | 'request' | 'model' | 'edit' | 'code']?: string };

function fieldsOf(line: string): Fields {
  try {
    const value = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const texts = ['kind', 'request', 'model', 'edit', 'code'].filter((name) => typeof value[name] === 'string');
    return Object.fromEntries(texts.map((name) => [name, value[name]]));
  } catch {
    return {};
  }
}
