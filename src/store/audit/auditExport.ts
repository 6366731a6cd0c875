import { auditKinds, auditShapes } from '../../session/dispatch/audit.ts';
import { listAuditFiles, readAuditFile, stampOf } from './auditFiles.ts';
import { type AuditRecord, safeParseRecord } from './auditLine.ts';

export interface AuditContent {
  readonly records: readonly AuditRecord[];
  /** Lines that are no records: verify says where they stand. */
  readonly badLines: number;
}

export interface AuditPeriod {
  readonly from?: Date;
  /** Not in the period any more. */
  readonly to?: Date;
}

/** All records of a period, oldest first. */
export async function readAuditLog(folder: string, { from, to }: AuditPeriod = {}): Promise<AuditContent> {
  const records: AuditRecord[] = [];
  let badLines = 0;
  for (const { name, stamp } of await listAuditFiles(folder)) {
    // Nothing is older than the start of its session.
    if (to !== undefined && stamp > stampOf(to)) continue;
    for (const line of (await readAuditFile(folder, name)).lines) {
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

/** The lines as they are, with their macs: what somebody else needs in order to verify them with the key. */
export async function auditAsJsonl(folder: string): Promise<string> {
  let text = '';
  for (const { name } of await listAuditFiles(folder)) {
    text += (await readAuditFile(folder, name)).lines.map((line) => `${line}\n`).join('');
  }
  return text;
}

/** Where a record stands, then each field of each kind, once. */
export const auditColumns: readonly string[] = [
  ...new Set(['time', 'session', 'seq', 'kind', ...auditKinds.flatMap((kind) => Object.keys(auditShapes[kind]))]),
];

/** RFC 4180, for a spreadsheet. */
export function auditAsCsv(records: readonly AuditRecord[]): string {
  const rows = records.map((record) => {
    const values: Readonly<Record<string, unknown>> = { ...record };
    return auditColumns.map((column) => cell(inWords(record, column) ?? values[column])).join(',');
  });
  return [auditColumns.join(','), ...rows, ''].join('\r\n');
}

/** What is more than one value, in one cell. */
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
  // A spreadsheet takes these for formulas and would run them.
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
