import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { hashFromBase64 } from '../base64.ts';
import type { Adopted } from '../ledgerRecords.ts';
import { leafOf } from '../line.ts';
import { GrowingTree } from '../tree.ts';
import { expectedOf, withFile } from './files.ts';
import { type Findings, numbersOf, type Place } from './findings.ts';

const adoptedName = 'adopted.txt';
/** Enough for over 100,000 rows. */
const maxAdoptedBytes = 16_000_000;

/** A signed line of a ledger. */
export interface PlacedAdopted extends Place {
  readonly record: Adopted;
  readonly origin: string;
  /** Whether the ledger counts as proof. Rows that only other ledgers have signed are reported as a note. */
  readonly isProof: boolean;
}

interface AdoptedEvidence {
  readonly folder: string;
  /** The files of the folder that are from before the log was signed. */
  readonly files: readonly string[];
  readonly records: readonly PlacedAdopted[];
  /** Whether the files of a session were removed on purpose. */
  readonly isRemoved: (session: string) => boolean;
}

interface Row {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Compares adopted.txt with its signed roots, and each file with its row. Returns the number of files that match. */
export async function verifyAdopted(
  evidence: AdoptedEvidence,
  findings: Findings,
  signal?: AbortSignal,
): Promise<number> {
  const { folder, files, records, isRemoved } = evidence;
  const text = await readAdopted(join(folder, adoptedName));
  const rows = text === null ? [] : readRows(text, findings);
  const signed = rows === null ? noRows : signedRows(rows, records, text !== null, findings);
  if (rows !== null && rows.length > signed.proven)
    findings.addNote(
      'unsigned',
      { file: adoptedName, line: signed.proven + 1 },
      numbersOf(adoptedName, signed.proven + 1, rows.length),
    );
  // A file that has grown since then has a later row.
  const byName = new Map((rows ?? []).slice(0, signed.known).map((row) => [row.name, row]));
  const proven = new Set((rows ?? []).slice(0, signed.proven));
  const names = new Set(files);
  let fitting = 0;
  for (const name of names) {
    const row = byName.get(name);
    if (row === undefined) findings.addBreak('not-in-ledger', { file: name, line: 0 }, name);
    else if (!(await isAsAdopted(join(folder, name), row, findings, signal)))
      findings.addBreak('altered', { file: name, line: 0 }, name);
    else if (proven.has(row)) fitting += 1;
  }
  for (const name of byName.keys()) {
    if (!names.has(name) && !isRemoved(expectedOf(name)?.name ?? ''))
      findings.addBreak('missing', { file: name, line: 0 }, name);
  }
  return fitting;
}

/** Null without the file, or if it is a link or no file at all. */
async function readAdopted(path: string): Promise<string | null> {
  let text: string | null = null;
  await withFile(path, async (file, size) => {
    if (size <= maxAdoptedBytes) text = await file.readFile('latin1');
  }).catch(() => undefined);
  return text;
}

/** Null if a line is no row: then nothing in it counts. */
function readRows(text: string, findings: Findings): readonly Row[] | null {
  const rows = text.split('\n').slice(0, -1).map(readRow);
  const bad = rows.indexOf(null);
  if (bad < 0 && text.endsWith('\n') === text.length > 0) return rows as readonly Row[];
  findings.addBreak('adopted', { file: adoptedName, line: bad < 0 ? rows.length + 1 : bad + 1 }, adoptedName);
  return null;
}

function readRow(line: string): Row | null {
  const [, name, bytes, sha256] = /^([A-Za-z0-9-]+\.jsonl) (0|[1-9]\d{0,14}) ([0-9a-f]{64})$/.exec(line) ?? [];
  return name === undefined || sha256 === undefined || expectedOf(name) === null
    ? null
    : { name, bytes: Number(bytes), sha256 };
}

/** How many of the rows are signed. */
interface SignedRows {
  /** `proven`: by a ledger that counts as proof; `known`: by any ledger. */
  readonly proven: number;
  readonly known: number;
}

const noRows: SignedRows = { proven: 0, known: 0 };

/** The largest numbers of rows whose tree has a signed root. */
function signedRows(
  rows: readonly Row[],
  records: readonly PlacedAdopted[],
  isThere: boolean,
  findings: Findings,
): SignedRows {
  const roots = [new GrowingTree().root()];
  const tree = new GrowingTree();
  for (const { name, bytes, sha256 } of rows) {
    tree.push(leafOf(`${name} ${bytes} ${sha256}`));
    roots.push(tree.root());
  }
  let [proven, known] = [0, 0];
  for (const { record, isProof, ...at } of records) {
    const size = record.from + record.files;
    const isTrue = hashFromBase64(record.root)?.equals(roots[size] ?? Buffer.alloc(0)) ?? false;
    if (isTrue) known = Math.max(known, size);
    if (!isProof) continue;
    if (isTrue) proven = Math.max(proven, size);
    reportAdopted({ record, ...at }, isTrue, isThere ? Math.min(size, rows.length) : null, findings);
  }
  return { proven, known };
}

/** `end`: the last row that the record can cover; null without adopted.txt. */
function reportAdopted(
  { record, file, line }: Pick<PlacedAdopted, 'record' | 'file' | 'line'>,
  isTrue: boolean,
  end: number | null,
  findings: Findings,
): void {
  const signed = { file, line };
  if (!isTrue && end === null) findings.addBreak('missing', { file: adoptedName, line: 0 }, adoptedName, signed);
  else if (!isTrue) findings.addBreak('adopted', { file: adoptedName, line: end ?? 0 }, adoptedName, signed);
  if (record.verdict === 'broken') findings.addBreak('adopted', signed, `${adoptedName} ${record.verdict}`);
}

/** Whether a file begins with the bytes of its row. Bytes that an older version appended later are not signed. */
async function isAsAdopted(path: string, row: Row, findings: Findings, signal?: AbortSignal): Promise<boolean> {
  const hash = createHash('sha256');
  let left = row.bytes;
  let hasMore = false;
  const isRead = await withFile(path, async (file, size) => {
    hasMore = size > row.bytes;
    const bytes = Buffer.alloc(262_144);
    while (left > 0) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(bytes, 0, Math.min(left, bytes.length));
      if (bytesRead === 0) return;
      hash.update(bytes.subarray(0, bytesRead));
      left -= bytesRead;
    }
  });
  if (!isRead || left > 0 || hash.digest('hex') !== row.sha256) return false;
  if (hasMore) findings.addNote('unsigned', { file: row.name, line: 0 }, row.name);
  return true;
}
