import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { type AuditEntry, auditKinds, auditShapes, maxWord } from '../../session/dispatch/audit.ts';

/** The `prev` of a session's first line. */
export const chainStart = '0'.repeat(64);

/** One line, parsed. */
export type AuditRecord = AuditEntry & {
  /** Counted from 1 within a session, across all its files. */
  readonly seq: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly session: string;
  /** The `mac` of the previous line. */
  readonly prev: string;
};

const tail = /,"mac":"([0-9a-f]{64})"\}$/;

/**
 * A line of the log, without its end of line: the record as JSON whose last field is `mac`, the HMAC-SHA256 of the same
 * bytes without that field (UTF-8), in hexadecimal. `prev` is part of it, so each line authenticates all lines before
 * it.
 */
export function signedLine(record: AuditRecord, key: Uint8Array): { readonly line: string; readonly mac: string } {
  const text = JSON.stringify(record, (_, value: unknown) =>
    typeof value === 'string' && value.length > maxWord ? `${value.slice(0, maxWord - 1)}…` : value,
  );
  const mac = macOf(text, key);
  return { line: `${text.slice(0, -1)},"mac":"${mac}"}`, mac };
}

/** `latin1` for a line that was read with that encoding. */
export function macOf(text: string, key: Uint8Array, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  return createHmac('sha256', key).update(text, encoding).digest('hex');
}

/** Returns the text that a line's mac covers, and that mac; null if the line does not have our format. */
export function splitLine(line: string): { readonly text: string; readonly mac: string } | null {
  const found = tail.exec(line);
  return found?.[1] === undefined ? null : { text: `${line.slice(0, found.index)}}`, mac: found[1] };
}

const word = z.string().check(z.maxLength(maxWord));
const count = z.number();
const recordSchema = z.discriminatedUnion('kind', auditKinds.map(recordOf) as [Stored, ...Stored[]]);

type Stored = ReturnType<typeof recordOf>;

function recordOf(kind: AuditEntry['kind']) {
  return z.object({ seq: count, time: word, session: word, prev: word, kind: z.literal(kind), ...auditShapes[kind] });
}

/** Returns the record of a line, null if it has none. Does not check the mac: verify does. */
export function safeParseRecord(line: string): AuditRecord | null {
  const parsed = recordSchema.safeParse(safeParseJson(line));
  return parsed.success ? (parsed.data as AuditRecord) : null;
}

export type AuditLink = Pick<AuditRecord, 'seq' | 'session' | 'prev'>;

const linkSchema = z.object({ seq: count, session: word, prev: word });

/** Returns the fields that link a line to the previous one: verify needs no others for kinds from later versions. */
export function safeParseLink(line: string): AuditLink | null {
  const parsed = linkSchema.safeParse(safeParseJson(line));
  return parsed.success ? parsed.data : null;
}

function safeParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
