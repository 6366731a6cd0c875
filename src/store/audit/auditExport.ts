import { auditKinds, auditShapes } from '../../session/dispatch/audit.ts';
import { listAuditFiles, readAuditFile, stampOf } from './auditFiles.ts';
import { type AuditRecord, safeParseRecord } from './auditLine.ts';
import { ifTooLarge } from './auditRead.ts';

export interface AuditContent {
  readonly records: readonly AuditRecord[];
  /** The number of lines that are not records: verify reports their position. */
  readonly badLines: number;
}

interface AuditPeriod {
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
}

/** Returns all records of a period, oldest first. */
export async function readAuditLog(folder: string, { from, to }: AuditPeriod = {}): Promise<AuditContent> {
  const records: AuditRecord[] = [];
  let badLines = 0;
  for (const { name, stamp } of await listAuditFiles(folder)) {
    // No record is older than the start of its session.
    if (to !== undefined && stamp > stampOf(to)) continue;
    const read = await readAuditFile(folder, name).catch(ifTooLarge);
    if (read === null) badLines += 1;
    for (const line of read?.lines ?? []) {
      const record = safeParseRecord(line);
      if (record === null) badLines += 1;
      else if (isIn(record.time, from, to)) records.push(record);
    }
  }
  return { records: records.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.seq - b.seq)), badLines };
}

function isIn(time: string, from: Date | undefined, to: Date | undefined): boolean {
  return (from === undefined || time >= from.toISOString()) && (to === undefined || time < to.toISOString());
}

/** What is exported, and how many records it has: the lines of sessions. */
export interface Exported<Content = string | Uint8Array> {
  readonly content: Content;
  readonly records: number;
}

/** Returns the lines unmodified, with their macs, for verification elsewhere with the key. */
export async function auditAsJsonl(folder: string): Promise<Exported<string>> {
  let content = '';
  let records = 0;
  for (const { name } of await listAuditFiles(folder)) {
    const read = await readAuditFile(folder, name).catch(ifTooLarge);
    content += read?.lines.map((line) => `${line}\n`).join('') ?? '';
    records += read?.lines.length ?? 0;
  }
  return { content, records };
}

/** The columns: a record's position, then each field of every kind, once. */
export const auditColumns: readonly string[] = [
  ...new Set(['time', 'session', 'seq', 'kind', ...auditKinds.flatMap((kind) => Object.keys(auditShapes[kind]))]),
];

/** Returns the records as CSV (RFC 4180), for a spreadsheet; what is not a record has no row. */
export function auditAsCsv(records: readonly AuditRecord[]): Exported<string> {
  const rows = records.map((record) => {
    const values: Readonly<Record<string, unknown>> = { ...record };
    return auditColumns.map((column) => cell(inWords(record, column) ?? values[column])).join(',');
  });
  return { content: [auditColumns.join(','), ...rows, ''].join('\r\n'), records: records.length };
}

/** Puts multiple values into one cell. */
function inWords(record: AuditRecord, column: string): string | undefined {
  if (column === 'versions' && record.kind === 'session-started') {
    return Object.entries(record.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join('; ');
  }
  if (column !== 'headers' || record.kind !== 'request-intent') return undefined;
  return record.headers
    .map(({ name, value, setBy }) => `${name}: ${value} (${setBy.map((by) => by.name ?? by.layer).join(', ')})`)
    .join('; ');
}

function cell(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  // A spreadsheet would interpret these as formulas and run them.
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
