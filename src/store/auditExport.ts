import { listAuditFiles, readAuditFile } from './auditFiles.ts';
import { type AuditRecord, safeParseRecord } from './auditLine.ts';

export interface AuditContent {
  readonly records: readonly AuditRecord[];
  /** Lines that are no records: verify says where they stand. */
  readonly badLines: number;
}

export async function readAuditLog(folder: string): Promise<AuditContent> {
  const records: AuditRecord[] = [];
  let badLines = 0;
  for (const { name } of await listAuditFiles(folder)) {
    for (const line of (await readAuditFile(folder, name)).lines) {
      const record = safeParseRecord(line);
      if (record === null) badLines += 1;
      else records.push(record);
    }
  }
  return { records: records.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.seq - b.seq)), badLines };
}

/** The lines as they are, with their macs: what somebody else needs in order to verify them with the key. */
export async function auditAsJsonl(folder: string): Promise<string> {
  let text = '';
  for (const { name } of await listAuditFiles(folder)) {
    text += (await readAuditFile(folder, name)).lines.map((line) => `${line}\n`).join('');
  }
  return text;
}

const columns = [
  'time',
  'session',
  'seq',
  'kind',
  'request',
  'action',
  'origin',
  'model',
  'headers',
  'files',
  'bytes',
  'maskings',
  'unmasked',
  'exclusions',
  'previewed',
  'outcome',
  'error',
  'status',
  'requestId',
  'finishReason',
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'durationMs',
  'retries',
  'confirmation',
  'state',
  'digest',
  'format',
  'records',
  'verdict',
  'conversations',
  'keys',
] as const;

/** RFC 4180, for a spreadsheet. */
export function auditAsCsv(records: readonly AuditRecord[]): string {
  const rows = records.map((record) => {
    const values: Readonly<Record<string, unknown>> = { ...record };
    return columns.map((column) => cell(column === 'headers' ? headersIn(record) : values[column])).join(',');
  });
  return [columns.join(','), ...rows, ''].join('\r\n');
}

function headersIn(record: AuditRecord): string {
  if (record.kind !== 'request-intent') return '';
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
