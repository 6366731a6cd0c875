import { addTo } from '../../util/groups.ts';
import type { SignedCheckpoint } from '../checkpoint.ts';
import type { Policy } from '../policy.ts';
import type { Git } from '../provenance/repository/objects.ts';
import type { NotesAsked } from '../provenance/repository/verifyNotes.ts';
import { Chains } from './chains.ts';
import type { InputFile } from './files.ts';
import type { Findings, Place } from './findings.ts';
import { Intake } from './intake.ts';
import { type VerifiedLedger, verifyLedgers } from './ledger.ts';
import { type OnLine, pieceBuffer, readLines } from './readLines.ts';
import { isRemovedFrom, type Removal, removalsIn } from './removals.ts';
import type { SeenCheckpoint } from './seen.ts';
import { type PlacedHead, type SessionContext, verifySession } from './session.ts';
import { giveLines, type RecordTaker } from './takers.ts';

export interface VerifyOptions {
  /** Folders of a log, unpacked bundles, or files. */
  readonly paths: readonly string[];
  /** The keys that are trusted. */
  readonly policy?: Policy | null;
  readonly seen?: readonly SeenCheckpoint[];
  /** Like `seen`, for ledgers that must be present. */
  readonly expected?: readonly SeenCheckpoint[];
  /** Kept checkpoints, with their places. */
  readonly checkpoints?: readonly (SignedCheckpoint & Place)[];
  /** Whether the lines come from a collector: in any order, twice, in files of any name. */
  readonly isCollected?: boolean;
  /** The age in milliseconds up to which lines of a collection may still arrive; default 15 minutes. */
  readonly grace?: number;
  /** The current time in milliseconds since 1970. */
  readonly now?: number;
  /** Runs git in a repository whose notes are compared with the log. */
  readonly git?: Git;
  /** The commits whose notes are compared, if not all are. */
  readonly notes?: NotesAsked;
  /** Receives the lines of sessions when they are verified. */
  readonly taker?: RecordTaker;
  readonly signal?: AbortSignal;
}

/** The verdict on a ledger. */
export interface LedgerVerdict {
  readonly origin: string;
  readonly vkey: string | null;
  readonly follows: string | null;
  /** The number of content lines; `size` is the number of signed ones. */
  readonly lines: number;
  readonly size: number;
  /** The root of the signed lines in base64; null if no line is signed. */
  readonly root: string | null;
  /** The number of lines that the policy's cosigner has signed; null if there is no cosigner. */
  readonly cosigned: number | null;
  /** The time of the last signed line in ISO 8601; null if there is none. */
  readonly lastTime: string | null;
  /** Whether its key is trusted, and the cosigner has signed all signed lines. */
  readonly isVouchedFor: boolean;
}

interface PartContext {
  readonly options: VerifyOptions;
  readonly findings: Findings;
  readonly takers: readonly RecordTaker[];
}

/** Files that are independent of all other files, with their lines. */
export interface VerifiedPart {
  /** The lines themselves, by their numbers. */
  readonly intake: Intake;
  readonly ledgers: readonly VerifiedLedger[];
  /** The verdicts on the ledgers, in the same order. */
  readonly verdicts: readonly LedgerVerdict[];
  /** The reasons why sessions were removed, by session. */
  readonly removed: ReadonlyMap<string, string>;
  /** The number of lines of sessions, without the remaining lines of removed sessions; `signed` is the number of signed ones. */
  readonly records: number;
  readonly signed: number;
}

const defaultGrace = 15 * 60_000;

export async function verifyPart(files: readonly InputFile[], context: PartContext): Promise<VerifiedPart> {
  const { options, findings, takers } = context;
  const { policy = null, isCollected = false, checkpoints: kept = [], signal } = options;
  const seen = [...(options.seen ?? []), ...(options.expected ?? [])];
  const intake = new Intake(findings, isCollected);
  await readFiles(files, intake, findings, options);
  const isLate = lateness(options);
  const ledgers = await verifyLedgers({ intake, findings, policy, isCollected, isLate, kept, seen, signal });
  const chains = new Chains(ledgers, policy);
  const removals = removalsIn(ledgers, chains);
  const { removed, ...counts } = await verifySessions(ledgers, chains, removals, { ...context, intake, isLate });
  await giveLines(files, intake, takers, signal);
  const verdicts = ledgers.map((ledger) => ledgerVerdict(ledger, chains, findings));
  return { intake, ledgers, verdicts, removed, ...counts };
}

/**
 * Whether lines of this time may still arrive. The grace applies in both directions: otherwise lines with a time far in the
 * future, from a wrong clock, would never be reported as missing.
 */
function lateness({
  isCollected = false,
  now = Date.now(),
  grace = defaultGrace,
}: VerifyOptions): (time: number) => boolean {
  return (time) => isCollected && Math.abs(now - time) <= grace;
}

async function readFiles(
  files: readonly InputFile[],
  intake: Intake,
  findings: Findings,
  { isCollected = false, signal }: VerifyOptions,
): Promise<void> {
  const buffer = pieceBuffer();
  for (const [index, { path, name: file, expected, limit }] of files.entries()) {
    const next = files[index + 1]?.expected;
    const isLast = isCollected || next?.name !== expected?.name || expected === null;
    const take = intake.file(file, expected);
    let line = 0;
    const onTooLong = () => findings.addBreak('not-a-record', { file, line: ++line }, expected?.name ?? '');
    const onLine: OnLine = (bytes, start, end) => take(++line, bytes, start, end);
    const rest = await readLines(path, { buffer, onLine, onTooLong, limit, signal });
    const place = { file, line: line + 1 };
    if (rest === null) findings.addNote('skipped', { file, line: 0 }, file);
    else if (rest > 0 && isLast) findings.addNote('half-line', place, expected?.name ?? file);
    else if (rest > 0) findings.addBreak('not-a-record', place, expected?.name ?? file);
  }
}

interface Sessions {
  /** The reasons why sessions were removed, by session. */
  readonly removed: ReadonlyMap<string, string>;
  readonly records: number;
  readonly signed: number;
}

async function verifySessions(
  ledgers: readonly VerifiedLedger[],
  chains: Chains,
  removals: ReadonlyMap<string, Removal>,
  { intake, isLate, findings, takers, options }: PartContext & Pick<SessionContext, 'intake' | 'isLate'>,
): Promise<Sessions> {
  const { signal } = options;
  const all = headsIn(ledgers);
  const removed = new Map<string, string>();
  let [records, signed] = [0, 0];
  for (const session of new Set([...all.keys(), ...intake.sessions.keys(), ...removals.keys()])) {
    signal?.throwIfAborted();
    const lines = intake.sessions.get(session) ?? null;
    const named = new Set([...(lines?.ledgers ?? [])].map((origin) => chains.of(origin)));
    const heads = ownHeads(all.get(session) ?? [], named, chains);
    const signers = new Set(heads.filter((head) => head.isSigned).map(({ origin }) => chains.of(origin)));
    const removal = removals.get(session);
    const isRemoved = isRemovedFrom(signers.size > 0 ? signers : named, removal);
    if (isRemoved) removed.set(session, removal.why);
    const trunk = await verifySession({ session, lines, heads, isRemoved }, { intake, findings, isLate, signal });
    if (lines === null || trunk === null) continue;
    records += isRemoved ? trunk.signed : lines.count;
    signed += trunk.signed;
    if (takers.length === 0) continue;
    lines.trunk = trunk;
    const ledger = heads.findLast((head) => head.isSigned && head.isOwn)?.origin;
    if (ledger !== undefined) lines.signer = { ledger, chain: chains.of(ledger) };
  }
  return { removed, records, signed };
}

type FoundHead = Omit<PlacedHead, 'isOwn'>;

function headsIn(ledgers: readonly VerifiedLedger[]): ReadonlyMap<string, readonly FoundHead[]> {
  const heads = new Map<string, FoundHead[]>();
  for (const { origin, records } of ledgers) {
    for (const { record, place, isSigned, time } of records) {
      if (record.kind !== 'head') continue;
      addTo(heads, record.session, { head: record, origin, isSigned, time, ...place });
    }
  }
  return heads;
}

/**
 * `named` has the chains of the ledgers that the session names. If the first line is missing, every ledger that has the session
 * is used.
 */
function ownHeads(heads: readonly FoundHead[], named: ReadonlySet<string>, chains: Chains): readonly PlacedHead[] {
  const isAny = named.size === 0 && !heads.some(({ origin }) => chains.isTrusted(origin));
  return heads.map((head) => ({
    ...head,
    isOwn: isAny || chains.isTrusted(head.origin) || named.has(chains.of(head.origin)),
  }));
}

function ledgerVerdict(ledger: VerifiedLedger, chains: Chains, findings: Findings): LedgerVerdict {
  const { records: _, next: __, ...rest } = ledger;
  const { origin, size, root, cosigned, lastTime } = rest;
  const isCosigned = cosigned === null || cosigned >= size;
  if (!isCosigned) findings.addNote('not-cosigned', { file: origin, line: 0 }, `${origin} ${cosigned + 1}-${size}`);
  return {
    ...rest,
    root: root?.toString('base64') ?? null,
    lastTime: lastTime === 0 ? null : new Date(lastTime).toISOString(),
    isVouchedFor: size > 0 && isCosigned && chains.isTrusted(origin),
  };
}
