import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Adopted, parseLedgerRecord } from '../../../evidence/ledgerRecords.ts';
import { leafOf } from '../../../evidence/line.ts';
import { rootOf } from '../../../evidence/tree.ts';
import { syncFolder } from '../../files.ts';
import { ledgerFiles } from '../auditFiles.ts';
import { linesOf } from '../fileLines.ts';
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
 * Adopts the files of the HMAC time that are new or have grown: their names and hashes become rows of adopted.txt, and
 * the returned record signs these rows with what the check of the HMACs said. So anyone who trusts the ledger knows
 * that these are the files of that day. Null if there is nothing to adopt. Called under the ledger's lock.
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
  // Unsigned rows are the rest of a window that was killed, or were added by others.
  const from = await signedRows(folder);
  const signed = (await readRows(path)).slice(0, from);
  if (signed.length < from || !(await hasNew(folder, names, signed))) return null;
  const fresh: Row[] = [];
  let records = 0;
  for (const name of names) {
    const row = await rowOf(folder, name);
    if (signed.findLast((each) => each.name === name)?.text === row.text) continue;
    fresh.push(row);
    records += row.records;
  }
  const key = await secrets.key();
  // It cannot be checked without the key.
  const found = key === null ? null : await verifyHmac({ folder, key, anchors: await secrets.anchors() });
  await writeRows(path, signed, fresh);
  const root = rootOf([...signed, ...fresh].map(({ text }) => leafOf(text))).toString('base64');
  return { kind: 'adopted', from, files: fresh.length, records, verdict: found?.verdict ?? 'broken', root };
}

/** Whether all files are as they were adopted, by the rows that were signed last. */
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
    if (rows.findLast((each) => each.name === name)?.text !== row.text) return false;
  }
  return true;
}

async function rowOf(folder: string, name: string): Promise<Row & { readonly records: number }> {
  const bytes = await readFile(join(folder, name));
  const text = `${name} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
  return { name, text, records: bytes.filter((byte) => byte === 0x0a).length };
}

async function readRows(path: string): Promise<readonly Row[]> {
  const text = await readFile(path, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .slice(0, -1)
    .map((row) => ({ name: row.split(' ')[0] ?? '', text: row }));
}

/** Whether a file is not in the rows, or has another size there. Verify compares the hashes. */
async function hasNew(folder: string, names: readonly string[], rows: readonly Row[]): Promise<boolean> {
  const sizes = new Map(rows.map(({ name, text }) => [name, Number(text.split(' ')[1])]));
  for (const name of names) {
    const { size } = await stat(join(folder, name));
    if (size !== sizes.get(name)) return true;
  }
  return false;
}

/** The number of rows that the ledgers of the folder have signed. */
async function signedRows(folder: string): Promise<number> {
  let rows = 0;
  for (const name of await ledgerFiles(folder)) {
    for await (const line of linesOf(join(folder, name))) {
      const record = line.includes('"kind":"adopted"') ? parseLedgerRecord(line.toString('latin1')) : null;
      if (record !== null && record !== 'unknown' && record.kind === 'adopted') {
        rows = Math.max(rows, record.from + record.files);
      }
    }
  }
  return rows;
}

async function writeRows(path: string, signed: readonly Row[], fresh: readonly Row[]): Promise<void> {
  const inFile = (rows: readonly Row[]): string => rows.map(({ text }) => `${text}\n`).join('');
  const file = await open(path, 'a', 0o600);
  try {
    await file.truncate(Buffer.byteLength(inFile(signed), 'latin1'));
    await file.write(inFile(fresh));
    await file.datasync();
  } finally {
    await file.close();
  }
  await syncFolder(join(path, '..'));
}
