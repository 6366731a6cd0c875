import * as z from 'zod/mini';
import { firstPrev, leafOf, lineOf } from '../../evidence/line.ts';
import { GrowingTree } from '../../evidence/tree.ts';
import { count, maxWord, word } from '../../protocol/audit/auditRequest.ts';
import { type AuditEntry, auditKinds, auditShapes } from '../../send/audit.ts';
import { fitsPlainly } from './plainShape.ts';

/** The record of one line. */
export type AuditRecord = AuditEntry & {
  /** The number of the record, counted from 1 within a session, across all its files. */
  readonly seq: number;
  /** The time in ISO 8601, in UTC with milliseconds. */
  readonly time: string;
  readonly session: string;
  /** The user, if the managed policy has records name them. */
  readonly user?: string;
  /** The leaf hash of the previous line in hexadecimal. */
  readonly prev: string;
};

/** The state of a session after some of its lines. */
export interface SessionPosition {
  readonly session: string;
  /** The number of lines. */
  readonly size: number;
  /** The root of the tree of these lines, 32 bytes. */
  readonly root: Buffer;
}

/** The lines of one session, each linked to the one before, and their tree. */
export class SessionChain implements SessionPosition {
  readonly session: string;
  readonly #tree: GrowingTree;
  #prev: string;

  constructor(session: string, tree = new GrowingTree(), prev = firstPrev) {
    this.session = session;
    this.#tree = tree;
    this.#prev = prev;
  }

  get size(): number {
    return this.#tree.size;
  }

  /** The leaf hash of the last line in hexadecimal. */
  get leaf(): string {
    return this.#prev;
  }

  get root(): Buffer {
    return this.#tree.root();
  }

  /** An independent copy: adding lines to it does not change this one. */
  copy(): SessionChain {
    return new SessionChain(this.session, this.#tree.copy(), this.#prev);
  }

  /** Returns the next line, without its line ending. `time` has the form of a record's time. */
  add({ kind, ...fields }: AuditEntry, time: string, user?: string): string {
    const start = { v: 2, session: this.session, seq: this.size + 1, time, kind };
    const named = user === undefined ? fields : { user, ...fields };
    for (const limit of textLimits) {
      const line = lineOf({ ...start, ...(shortTexts(named, limit) as object), prev: this.#prev });
      if (line === null) continue;
      const leaf = leafOf(line);
      this.#tree.push(leaf);
      this.#prev = leaf.toString('hex');
      return line;
    }
    throw Object.assign(new Error('The record is too long for a line.'), { code: 'ERR_OUT_OF_RANGE' });
  }
}

/** The maximum lengths of texts, tried one after another if a record is too long for a line. */
const textLimits = [maxWord, 100, 30, 10];

function shortTexts(value: unknown, limit: number): unknown {
  // There is rarely anything to cut, and a copy takes several times as long as this check.
  if (!hasLongText(value, limit)) return value;
  if (typeof value === 'string') return `${value.slice(0, limit - 1)}…`;
  if (Array.isArray(value)) return value.map((each) => shortTexts(each, limit));
  return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, shortTexts(each, limit)]));
}

function hasLongText(value: unknown, limit: number): boolean {
  if (typeof value === 'string') return value.length > limit;
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => hasLongText(each, limit));
}

const schemas = auditKinds.map(recordOf) as [Stored, ...Stored[]];
const recordSchema = z.discriminatedUnion('kind', schemas);
/** Fast checks of records, by the schema of their kind. */
const plain = new Map<unknown, (value: unknown) => boolean>(
  auditKinds.map((kind, index) => [kind, fitsPlainly(schemas[index] as Stored)]),
);

type Stored = ReturnType<typeof recordOf>;

function recordOf(kind: AuditEntry['kind']) {
  return z.object({
    seq: count,
    time: word,
    session: word,
    prev: word,
    kind: z.literal(kind),
    user: z.optional(word),
    ...auditShapes[kind],
  });
}

/** Returns the record of a line, or null if the line has no record. Signatures are checked by verifyLog. */
export function safeParseRecord(line: string): AuditRecord | null {
  const value = safeParseJson(line);
  // The rest of a damaged file may consist of such lines, and the schema takes long to report their faults.
  if (typeof value !== 'object' || value === null) return null;
  // The version of the format is not in a record.
  const { v: _, ...fields } = value as Readonly<Record<string, unknown>>;
  if (plain.get(fields.kind)?.(fields) === true) return fields as unknown as AuditRecord;
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? (parsed.data as AuditRecord) : null;
}

function safeParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
