import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Adopted, parseLedgerRecord } from '../../../evidence/ledgerRecords.ts';
import { leafOf } from '../../../evidence/line.ts';
import { rootOf } from '../../../evidence/tree.ts';
import { syncFolder } from '../../files.ts';
import { ledgerFiles } from '../auditFiles.ts';
import { ifTooLarge, maxLedgerBytes, readAll } from '../auditRead.ts';
import { eachLine } from '../fileLines.ts';
import { type AuditSessions, auditSessions } from '../sessionFiles.ts';
import type { HmacSecrets } from './hmacSecrets.ts';
import { verifyHmac } from './hmacVerify.ts';

export const adoptedFile = 'adopted.txt';

/** A row of adopted.txt: `<name> <bytes> <sha256>`. A later row for the same name counts. */
interface Row {
  readonly name: string;
  readonly text: string;
}

/**
 * Adopts the files with HMACs that are new or have grown: their names and hashes become rows of adopted.txt. The returned
 * record signs these rows, with the result of the check of the HMACs. So anyone who trusts the ledger knows that the
 * files have not changed since. Null if there is nothing to adopt. Called under the ledger's lock.
 */
export async function adoptFiles(
  folder: string,
  secrets: Pick<HmacSecrets, 'key' | 'anchors'>,
  isOurs: (session: string) => boolean,
): Promise<Adopted | null> {
  const { hmac } = await auditSessions(folder);
  const sessions: AuditSessions = new Map([...hmac].filter(([session]) => !isOurs(session)));
  const names = [...sessions.values()].flat().map(({ name }) => name);
  if (names.length === 0) return null;
  const path = join(folder, adoptedFile);
  // Unsigned rows are from a window that was killed, or were added by another program.
  const from = await signedRows(folder);
  const signed = (await readRows(path)).slice(0, from);
  if (signed.length < from) return null;
  const fresh: Row[] = [];
  let records = 0;
  for (const name of names) {
    if (!(await isNew(join(folder, name), lastOf(signed, name)))) continue;
    // A file that cannot be read now is adopted by a later start.
    const row = await rowOf(folder, name).catch(() => null);
    if (row === null) continue;
    fresh.push(row);
    records += row.records;
  }
  if (fresh.length === 0) return null;
  const key = await secrets.key();
  // It cannot be checked without the key.
  const found = key === null ? null : await verifyHmac({ folder, key, anchors: await secrets.anchors() });
  await writeRows(path, signed, fresh);
  const root = rootOf([...signed, ...fresh].map(({ text }) => leafOf(text))).toString('base64');
  return { kind: 'adopted', from, files: fresh.length, records, verdict: found?.verdict ?? 'broken', root };
}

/** Whether all files match the rows that were signed last. */
export async function isAdopted(
  folder: string,
  files: readonly { readonly name: string }[],
  adopted: Pick<Adopted, 'from' | 'files' | 'root'> | null,
): Promise<boolean> {
  if (adopted === null) return false;
  const rows = (await readRows(join(folder, adoptedFile))).slice(0, adopted.from + adopted.files);
  if (rootOf(rows.map(({ text }) => leafOf(text))).toString('base64') !== adopted.root) return false;
  for (const { name } of files) {
    const row = await rowOf(folder, name);
    if (row === null || lastOf(rows, name)?.text !== row.text) return false;
  }
  return true;
}

function lastOf(rows: readonly Row[], name: string): Row | undefined {
  return rows.findLast((row) => row.name === name);
}

/** Null if there is no such file. */
async function rowOf(folder: string, name: string): Promise<(Row & { readonly records: number }) | null> {
  const bytes = await readAll(join(folder, name));
  if (bytes === null) return null;
  const text = `${name} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
  return { name, text, records: bytes.filter((byte) => byte === 0x0a).length };
}

async function readRows(path: string): Promise<readonly Row[]> {
  const text = (await readAll(path))?.toString('latin1') ?? '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((row) => ({ name: row.split(' ')[0] ?? '', text: row }));
}

/** Whether a file has no row, or a row with another size. Hashes are compared by verify. */
async function isNew(path: string, row: Row | undefined): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.size !== Number(row?.text.split(' ')[1]);
}

/** The number of rows that the ledgers of the folder have signed. */
async function signedRows(folder: string): Promise<number> {
  let rows = 0;
  for (const name of await ledgerFiles(folder)) {
    const take = (line: Buffer): boolean => {
      const record = line.includes('"kind":"adopted"') ? parseLedgerRecord(line.toString('latin1')) : null;
      if (record !== null && record !== 'unknown' && record.kind === 'adopted') {
        rows = Math.max(rows, record.from + record.files);
      }
      return true;
    };
    await eachLine(join(folder, name), take, { maxBytes: maxLedgerBytes }).catch(ifTooLarge);
  }
  return rows;
}

async function writeRows(path: string, signed: readonly Row[], fresh: readonly Row[]): Promise<void> {
  const inFile = (rows: readonly Row[]): string => rows.map(({ text }) => `${text}\n`).join('');
  const { O_APPEND, O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_APPEND | O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    await file.truncate(Buffer.byteLength(inFile(signed), 'latin1'));
    await file.write(inFile(fresh));
    await file.datasync();
  } finally {
    await file.close();
  }
  await syncFolder(join(path, '..'));
}
