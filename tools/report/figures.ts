import type { RecordTaker } from '../../src/evidence/verify/takers.ts';

/** A count for each name. */
export type Counts = Readonly<Record<string, number>>;

/** The figures in the records of some machines. */
export interface Figures {
  /** Requests by day, such as 2026-11-02. */
  readonly days: Counts;
  readonly models: Counts;
  /** Requests by compliance header, such as `Svc-Security-Level: maximum`. A request is counted for each of its headers. */
  readonly headers: Counts;
  /** Requests by user, if the managed policy has the records name the user. */
  readonly users: Counts;
  readonly outcomes: Counts;
  readonly confirmations: Counts;
  /** Requests that were refused before anything was sent, by reason. */
  readonly refusals: Counts;
  /** Tokens by day, as the service counted them. */
  readonly tokens: Counts;
}

/** The maximum number of bars: a log can be forged with any number of names. */
const maxNames = 200;

/** Counts the signed records of one machine. They are used only if the machine is found intact. */
export class FigureTaker implements RecordTaker {
  readonly kinds: ReadonlySet<string> = new Set(['request-intent', 'request-outcome', 'refused']);
  readonly #counts: Record<keyof Figures, Record<string, number>> = {
    ...{ days: {}, models: {}, users: {}, headers: {}, outcomes: {}, confirmations: {}, refusals: {}, tokens: {} },
  };

  take(_place: object, line: string, isSigned: boolean): void {
    if (!isSigned) return;
    const value = parse(line);
    const day = textOf(value.time).slice(0, 10);
    if (value.kind === 'request-intent') {
      this.#add('days', day, 1);
      this.#add('models', textOf(value.model), 1);
      if (value.user !== undefined) this.#add('users', textOf(value.user), 1);
      for (const header of headersOf(value.headers)) this.#add('headers', header, 1);
    } else if (value.kind === 'refused') {
      this.#add('refusals', textOf(value.reason), Number.isSafeInteger(value.count) ? Number(value.count) : 1);
    } else {
      this.#add('outcomes', textOf(value.outcome), 1);
      this.#add('confirmations', textOf(value.confirmation), 1);
      const tokens = value.totalTokens;
      if (typeof tokens === 'number' && tokens > 0) this.#add('tokens', day, tokens);
    }
  }

  #add(what: keyof Figures, name: string, count: number): void {
    const counts = this.#counts[what];
    const known = Object.hasOwn(counts, name) || Object.keys(counts).length < maxNames ? name : 'other';
    counts[known] = (Object.hasOwn(counts, known) ? (counts[known] ?? 0) : 0) + count;
  }

  figures(): Figures {
    return this.#counts;
  }
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** The maximum number of headers that are read from a record. No request has more. */
const maxHeaders = 20;

function headersOf(value: unknown): readonly string[] {
  const headers = Array.isArray(value) ? value.slice(0, maxHeaders).map(Object) : [];
  return headers.length === 0 ? ['none'] : headers.map(({ name, value }) => `${textOf(name)}: ${textOf(value)}`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value !== '__proto__' ? value.slice(0, 80) : 'unknown';
}

/** The sum of the figures of several machines. */
export function sumOf(all: readonly Figures[]): Figures {
  const sum = (what: keyof Figures): Counts => {
    const counts = new Map<string, number>();
    for (const figures of all)
      for (const [name, count] of Object.entries(figures[what])) counts.set(name, (counts.get(name) ?? 0) + count);
    return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return {
    ...{ days: sum('days'), models: sum('models'), users: sum('users'), headers: sum('headers') },
    ...{ outcomes: sum('outcomes'), confirmations: sum('confirmations'), refusals: sum('refusals') },
    ...{ tokens: sum('tokens') },
  };
}
