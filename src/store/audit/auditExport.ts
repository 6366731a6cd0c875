import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { auditKinds, auditShapes } from '../../send/audit.ts';
import { append } from '../../util/append.ts';
import { listAuditFiles, readAuditFile, stampOf } from './auditFiles.ts';
import { type AuditRecord, safeParseRecord } from './auditLine.ts';
import { ifTooLarge } from './auditRead.ts';

export interface AuditContent {
  readonly records: readonly AuditRecord[];
  /** The number of lines that are not records; verification reports their position. */
  readonly badLines: number;
}

interface AuditPeriod {
  readonly from?: Date;
  /** The end of the period, exclusive. */
  readonly to?: Date;
}

/** Returns all records of a period, oldest first. Yields, because a log can have hundreds of thousands of records. */
export async function readAuditLog(folder: string, { from, to }: AuditPeriod = {}): Promise<AuditContent> {
  const lists: AuditRecord[][] = [];
  let badLines = 0;
  for (const { name, stamp } of await listAuditFiles(folder)) {
    // No record is older than the start of its session.
    if (to !== undefined && stamp > stampOf(to)) continue;
    const read = await readAuditFile(folder, name).catch(ifTooLarge);
    if (read === null) badLines += 1;
    const records: AuditRecord[] = [];
    for (const line of read?.lines ?? []) {
      if (isPauseDue()) await pause();
      const record = safeParseRecord(line);
      if (record === null) badLines += 1;
      else if (isIn(record.time, from, to)) records.push(record);
    }
    lists.push(records.sort(byTime));
  }
  return { records: await merged(lists), badLines };
}

function byTime(a: AuditRecord, b: AuditRecord): number {
  return a.time < b.time ? -1 : a.time > b.time ? 1 : a.seq - b.seq;
}

/** Merges sorted lists of records into one. */
async function merged(lists: readonly AuditRecord[][]): Promise<readonly AuditRecord[]> {
  let remaining = lists;
  while (remaining.length > 1) {
    const next: AuditRecord[][] = [];
    for (let at = 0; at < remaining.length; at += 2)
      next.push(await mergedTwo(remaining[at] ?? [], remaining[at + 1] ?? []));
    remaining = next;
  }
  return remaining[0] ?? [];
}

async function mergedTwo(first: AuditRecord[], second: readonly AuditRecord[]): Promise<AuditRecord[]> {
  const [last, next] = [first.at(-1), second[0]];
  if (isPauseDue()) await pause();
  // Most sessions do not overlap in time.
  if (last === undefined || next === undefined || byTime(last, next) <= 0) {
    append(first, second);
    return first;
  }
  const records: AuditRecord[] = [];
  let at = 0;
  for (const record of first) {
    for (let other = second[at]; other !== undefined && byTime(other, record) < 0; other = second[at]) {
      records.push(other);
      at += 1;
      if (isPauseDue()) await pause();
    }
    records.push(record);
    if (isPauseDue()) await pause();
  }
  append(records, second.slice(at));
  return records;
}

function isIn(time: string, from: Date | undefined, to: Date | undefined): boolean {
  return (from === undefined || time >= from.toISOString()) && (to === undefined || time < to.toISOString());
}

/** The exported content, and the number of its records, which are the lines of sessions. */
export interface Exported<Content = string | Uint8Array> {
  readonly content: Content;
  readonly records: number;
}

/** Returns the lines unmodified, so that they can be verified elsewhere. */
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

/** The columns: a record's position, then each field of every kind, once, and the user. */
export const auditColumns: readonly string[] = [
  ...new Set([
    'time',
    'session',
    'seq',
    'kind',
    ...auditKinds.flatMap((kind) => Object.keys(auditShapes[kind])),
    'user',
  ]),
];

/** Returns the records as CSV (RFC 4180), for a spreadsheet; lines that are not records have no row. Yields. */
export async function auditAsCsv(records: readonly AuditRecord[]): Promise<Exported<string>> {
  let content = row(auditColumns);
  for (const record of records) {
    if (isPauseDue()) await pause();
    const values: Readonly<Record<string, unknown>> = { ...record };
    const cells = auditColumns.map((column) => inWords(record, column) ?? values[column]);
    content += row(cells);
  }
  return { content, records: records.length };
}

/** Joins multiple values into the text of one cell. */
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

/** A row of a CSV file. */
export function row(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  // A spreadsheet would interpret text that begins like this as a formula and run it.
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
