import { dirname } from 'node:path';
import type { SignedCheckpoint } from '../checkpoint.ts';
import type { Policy } from '../policy.ts';
import type { Git } from '../provenance/repository/objects.ts';
import { type PlacedAdopted, verifyAdopted } from './adopted.ts';
import { type InputFile, withFile } from './files.ts';
import type { Findings, Place } from './findings.ts';
import { Intake, type RecordTaker } from './intake.ts';
import { type VerifiedLedger, verifyLedger } from './ledger.ts';
import { type OnLine, pieceBuffer, readLines } from './readLines.ts';
import type { Seen } from './seen.ts';
import { type PlacedHead, verifySession } from './session.ts';

export interface VerifyOptions {
  /** Folders of a log, unpacked bundles, or files. */
  readonly paths: readonly string[];
  /** The keys that are trusted. */
  readonly policy?: Policy | null;
  readonly seen?: readonly Seen[];
  /** Kept checkpoints, with their places. */
  readonly checkpoints?: readonly (SignedCheckpoint & Place)[];
  /** The lines come from a collector: in any order, twice, in files of any name. */
  readonly isCollected?: boolean;
  /** In a collection, what is younger may still come, in milliseconds; default 15 minutes. */
  readonly grace?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
  /** Runs git in a repository whose notes are compared with the log. */
  readonly git?: Git;
  /** Gets each line of a session while it is read. */
  readonly taker?: RecordTaker;
  readonly signal?: AbortSignal;
}

/** How a ledger stands. */
export interface LedgerVerdict {
  readonly origin: string;
  readonly vkey: string | null;
  readonly follows: string | null;
  /** Content lines, and how many of them are signed. */
  readonly lines: number;
  readonly size: number;
  /** The root of the signed lines in base64; null if none is. */
  readonly root: string | null;
  /** How many of them the quorum of the policy cosigned; null if it asks for none. */
  readonly witnessed: number | null;
  /** ISO 8601; null without a line. */
  readonly lastTime: string | null;
  /** Its key is trusted, and the quorum has cosigned all that is signed. */
  readonly isVouchedFor: boolean;
}

export interface PartContext {
  readonly options: VerifyOptions;
  /** Where adopted.txt can be. */
  readonly folders: readonly string[];
  readonly findings: Findings;
  readonly takers: readonly RecordTaker[];
}

/** Files that have nothing to do with others, with their lines. */
export interface VerifiedPart {
  /** The lines themselves, by their numbers. */
  readonly intake: Intake;
  readonly ledgers: readonly VerifiedLedger[];
  /** How the ledgers stand, in the same order. */
  readonly verdicts: readonly LedgerVerdict[];
  /** Why sessions were removed, by session. */
  readonly removed: ReadonlyMap<string, string>;
  readonly adoptedFiles: number;
}

const defaultGrace = 15 * 60_000;

export async function verifyPart(files: readonly InputFile[], context: PartContext): Promise<VerifiedPart> {
  const { options, folders, findings, takers } = context;
  const { policy = null, isCollected = false, seen = [], checkpoints: kept = [], signal } = options;
  const intake = new Intake(findings, isCollected, takers);
  const hmacFiles = await readFiles(files, intake, findings, options);
  const isLate = lateness(options);
  const ledgers: VerifiedLedger[] = [];
  for (const lines of intake.ledgers.values())
    ledgers.push(await verifyLedger(lines, { intake, findings, policy, isCollected, isLate, kept, seen, signal }));
  // Its row is in adopted.txt, which is read with its folder.
  for (const { path, name } of hmacFiles)
    if (!folders.includes(dirname(path))) findings.addBreak('not-in-ledger', { file: name, line: 0 }, name);
  const removed = await verifySessions(ledgers, intake, findings, isLate, signal);
  let adoptedFiles = 0;
  for (const folder of folders) {
    const names = hmacFiles.filter(({ path }) => dirname(path) === folder).map(({ name }) => name);
    const evidence = { folder, files: names, records: adoptedOf(ledgers), removed: new Set(removed.keys()) };
    adoptedFiles += await verifyAdopted(evidence, findings, signal);
  }
  const verdicts = ledgers.map((ledger) => ledgerVerdict(ledger, ledgers, policy, findings));
  return { intake, ledgers, verdicts, removed, adoptedFiles };
}

/** What a clock that is far ahead says would never be missing, so the future ends as soon as the past begins. */
function lateness({
  isCollected = false,
  now = Date.now(),
  grace = defaultGrace,
}: VerifyOptions): (time: number) => boolean {
  return (time) => isCollected && Math.abs(now - time) <= grace;
}

/** Reads all files; returns those from before the log was signed. */
async function readFiles(
  files: readonly InputFile[],
  intake: Intake,
  findings: Findings,
  { isCollected = false, signal }: VerifyOptions,
): Promise<readonly InputFile[]> {
  const hmacFiles: InputFile[] = [];
  const buffer = pieceBuffer();
  for (const [index, input] of files.entries()) {
    const { path, name, expected, limit } = input;
    const next = files[index + 1]?.expected;
    const isLast = isCollected || next?.name !== expected?.name || expected === null;
    const isFile = await withFile(path, async (file) => {
      if (expected?.of === 'session' && (await isHmacFile(file))) {
        hmacFiles.push(input);
        return;
      }
      const take = intake.file(name, expected);
      let line = 0;
      const onTooLong = () => findings.addBreak('not-a-record', { file: name, line: ++line }, expected?.name ?? '');
      const onLine: OnLine = (...at) => take(++line, ...at);
      const rest = await readLines(file, { buffer, onLine, onTooLong, limit, signal });
      if (rest === 0) return;
      const place = { file: name, line: line + 1 };
      if (isLast) findings.addNote('half-line', place, expected?.name ?? name);
      else findings.addBreak('not-a-record', place, expected?.name ?? name);
    });
    if (!isFile) findings.addNote('skipped', { file: name, line: 0 }, name);
  }
  return hmacFiles;
}

/** Whether a file begins like those with an HMAC in each line. */
async function isHmacFile(file: {
  read(bytes: Buffer, offset: number, length: number, position: number): Promise<unknown>;
}) {
  const start = Buffer.alloc(7);
  await file.read(start, 0, start.length, 0);
  return start.toString('latin1') === '{"seq":';
}

/** Returns why sessions were removed, by session. */
async function verifySessions(
  ledgers: readonly VerifiedLedger[],
  intake: Intake,
  findings: Findings,
  isLate: (time: number) => boolean,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const heads = new Map<string, PlacedHead[]>();
  const removed = new Map<string, string>();
  for (const { origin, records } of ledgers) {
    for (const { record, place, isSigned, time } of records) {
      if (record.kind === 'removed' && isSigned) removed.set(record.session, record.why);
      if (record.kind !== 'head') continue;
      const known = heads.get(record.session);
      const head = { head: record, origin, isSigned, time, ...place };
      if (known === undefined) heads.set(record.session, [head]);
      else known.push(head);
    }
  }
  const context = { intake, findings, isLate, isOrFollows: followers(ledgers), signal };
  for (const session of new Set([...heads.keys(), ...intake.sessions.keys()])) {
    signal?.throwIfAborted();
    const lines = intake.sessions.get(session) ?? null;
    const evidence = { session, lines, heads: heads.get(session) ?? [], isRemoved: removed.has(session) };
    await verifySession(evidence, context);
  }
  return removed;
}

function followers(ledgers: readonly VerifiedLedger[]): (ledger: string, other: string) => boolean {
  const before = new Map(ledgers.map(({ origin, follows }) => [origin, follows]));
  return (ledger, other) => {
    let at: string | null | undefined = ledger;
    for (let steps = 0; typeof at === 'string' && steps <= before.size; steps += 1) {
      if (at === other) return true;
      at = before.get(at);
    }
    return false;
  };
}

function adoptedOf(ledgers: readonly VerifiedLedger[]): readonly PlacedAdopted[] {
  return ledgers.flatMap(({ records }) =>
    records.flatMap(({ record, place, isSigned }) =>
      record.kind === 'adopted' && isSigned ? [{ record, file: place.file, line: place.line }] : [],
    ),
  );
}

function ledgerVerdict(
  ledger: VerifiedLedger,
  ledgers: readonly VerifiedLedger[],
  policy: Policy | null,
  findings: Findings,
): LedgerVerdict {
  const { origin, vkey, follows, lines, size, root, witnessed, lastTime } = ledger;
  const isWitnessed = witnessed === null || witnessed >= size;
  if (!isWitnessed) findings.addNote('not-witnessed', { file: origin, line: 0 }, `${origin} ${witnessed + 1}-${size}`);
  return {
    ...{ origin, vkey, follows, lines, size, root: root?.toString('base64') ?? null, witnessed },
    lastTime: lastTime === 0 ? null : new Date(lastTime).toISOString(),
    isVouchedFor: size > 0 && isWitnessed && isTrusted(ledger, ledgers, policy, 0),
  };
}

/** The policy names the key, or that of the ledger before, which named this one when it was closed. */
function isTrusted(
  { origin, vkey, follows }: VerifiedLedger,
  ledgers: readonly VerifiedLedger[],
  policy: Policy | null,
  depth: number,
): boolean {
  if (policy === null || vkey === null || depth > ledgers.length) return false;
  if (policy.logs.get(origin)?.vkey === vkey) return true;
  const before = ledgers.find((other) => other.origin === follows);
  return before?.next === vkey && isTrusted(before, ledgers, policy, depth + 1);
}
