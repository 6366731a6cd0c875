import { addTo } from '../../util/groups.ts';
import { hashFromBase64 } from '../base64.ts';
import { parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import { type LedgerRecord, otherLedgerOf } from '../ledgerRecords.ts';
import { logIdIn, logIdOf } from '../logId.ts';
import { checkNote, keyTypes, parseNote, parseVkey, type SignedNote, type VerifierKey } from '../note.ts';
import { isCosigned, type Policy } from '../policy.ts';
import { type Claim, isOnSigned, markSigned, Trunk, type Walk, walk } from './branches.ts';
import { numbersOf, type Place } from './findings.ts';
import type { Intake, LedgerLines } from './intake.ts';
import { contradicts, placeOf, type ReportContext, reportBranches, reportWalk } from './reports.ts';
import type { SeenCheckpoint } from './seen.ts';

/** The kinds are `line`, a checkpoint in the ledger's file; `kept`, one kept as a note; `seen`, one kept as text. */
interface LedgerClaim extends Claim, Place {
  readonly kind: 'line' | 'kept' | 'seen';
  /** Parses the signatures, which take more memory than the text; null for `seen`, which has no signatures. */
  readonly note: (() => SignedNote | null) | null;
  /** The record with this claim, and its time; undefined if the claim is not from a record of a ledger. */
  readonly from?: { readonly record: LedgerRecord; readonly time: number };
}

interface LedgerContext extends ReportContext {
  readonly policy: Policy | null;
  readonly isCollected: boolean;
  readonly kept: readonly (SignedCheckpoint & Place)[];
  readonly seen: readonly SeenCheckpoint[];
  readonly signal?: AbortSignal | undefined;
}

/** A record of the ledger with its place. */
export interface PlacedRecord {
  readonly record: LedgerRecord;
  /** Whether a checkpoint covers it. */
  readonly isSigned: boolean;
  readonly place: Place;
  readonly time: number;
}

/** The results for one ledger, before the signed records of other ledgers are considered. */
interface WalkedLedger {
  readonly lines: LedgerLines;
  readonly key: VerifierKey | null;
  readonly found: Walk<LedgerClaim>;
  readonly trunk: Trunk;
  /** The claims with a valid signature, and the claims without a signature (`seen`). */
  readonly valid: readonly LedgerClaim[];
  readonly records: readonly PlacedRecord[];
}

export interface VerifiedLedger {
  readonly origin: string;
  /** The key of its checkpoints; null if it is not known. */
  readonly vkey: string | null;
  /** The predecessor, according to this ledger. */
  readonly follows: string | null;
  /** The key of the successor, according to the last line of this ledger. */
  readonly next: string | null;
  readonly lines: number;
  /** The number of lines that are signed; `root` is the root of their tree. */
  readonly size: number;
  readonly root: Buffer | null;
  /** The number of lines that the policy's cosigner has signed; null if there is no cosigner. */
  readonly cosigned: number | null;
  /** The time of the last signed line in milliseconds since 1970; 0 if there is none. */
  readonly lastTime: number;
  readonly records: readonly PlacedRecord[];
}

/** Verifies all ledgers. The statement in a ledger's signed first line about its predecessor is a claim on the predecessor. */
export async function verifyLedgers(context: LedgerContext): Promise<readonly VerifiedLedger[]> {
  const { intake } = context;
  const follows = followsIn(intake);
  const walked: WalkedLedger[] = [];
  for (const lines of intake.ledgers.values())
    walked.push(await walkLedger(lines, follows.get(lines.origin) ?? [], context));
  const signed = new Set(walked.flatMap(({ records }) => signedOf(records)));
  return walked.map((ledger) => reportLedger(ledger, signed, context));
}

/** The claims in the first lines of ledgers about their predecessors, signed or not, by the predecessor's origin. */
function followsIn(intake: Intake): ReadonlyMap<string, readonly LedgerClaim[]> {
  const claims = new Map<string, LedgerClaim[]>();
  for (const lines of intake.ledgers.values()) {
    for (const line of lines.all(1)) {
      const record = lines.recordOf(line);
      if (record?.kind !== 'opened' || record.follows === undefined) continue;
      const { origin, size } = record.follows;
      const root = hashFromBase64(record.follows.root);
      const from = { record, time: line.time };
      if (root !== null) addTo(claims, origin, { kind: 'seen', size, root, note: null, from, ...intake.placeOf(line) });
    }
  }
  return claims;
}

function signedOf(records: readonly PlacedRecord[]): readonly LedgerRecord[] {
  return records.filter((record) => record.isSigned).map(({ record }) => record);
}

async function walkLedger(
  lines: LedgerLines,
  follows: readonly LedgerClaim[],
  context: LedgerContext,
): Promise<WalkedLedger> {
  const key = keyOf(lines, context);
  const claims = [...claimsOf(lines, context), ...follows];
  const found = await walk(lines, claims, context.signal);
  const valid = checkSignatures(claims, found, key, context, lines.origin);
  const trunk = new Trunk(found);
  return { lines, key, found, trunk, valid, records: recordsOf(found, trunk, lines, context) };
}

/** Reports on one ledger. `all` has the signed records of all ledgers. */
function reportLedger(
  { lines, key, found, trunk, records, ...walked }: WalkedLedger,
  all: ReadonlySet<LedgerRecord>,
  context: LedgerContext,
): VerifiedLedger {
  const { origin } = lines;
  const size = trunk.signed;
  const valid = walked.valid.filter((claim) => claim.from === undefined || all.has(claim.from.record));
  const named = { name: origin, lines };
  // The time of missing lines is not known, except that they follow this line.
  const lastTime = size === 0 ? 0 : (trunk.line(size, lines)?.time ?? 0);
  const unproven = valid.filter(({ kind }) => kind === 'line').map((claim) => ({ ...claim, time: lastTime }));
  reportWalk(named, found, unproven, context);
  if (lines.highest > size) {
    const place = placeOf(lines.first(size + 1), origin, context.intake);
    context.findings.addNote('unsigned', place, numbersOf(origin, size + 1, lines.highest));
  }
  reportUnproven(valid, found, { lines, signed: size, lastTime }, context);
  // An unsigned line with the number of another one can be legitimate: it was delivered, and then lost in a power failure.
  reportBranches(named, found.branches, trunk, ({ signed, first }) => signed >= first.seq, context);
  reportAbsent(records, context);
  const signed = signedOf(records);
  const opened = signed.find((record) => record.kind === 'opened');
  const closed = signed.findLast((record) => record.kind === 'closed');
  return {
    origin,
    vkey: key?.vkey ?? null,
    lines: lines.count,
    size,
    follows: opened?.follows?.origin ?? null,
    next: closed?.next ?? null,
    root: valid.find((claim) => claim.size === size && found.fits.has(claim))?.root ?? null,
    cosigned: cosignedSize(valid, context.policy),
    lastTime,
    records,
  };
}

/** Returns the policy's key, or the key in the ledger's first line: its hash is in the ledger's name. */
function keyOf(lines: LedgerLines, { policy, intake, findings }: LedgerContext): VerifierKey | null {
  const { origin } = lines;
  const fits = (key: VerifierKey | null | undefined): key is VerifierKey =>
    key?.type === keyTypes.ed25519 && key.name === origin && logIdOf(key.publicKey) === logIdIn(origin);
  const trusted = policy?.logs.get(origin);
  if (fits(trusted)) return trusted;
  for (const first of lines.all(1)) {
    const record = lines.recordOf(first);
    const key = record?.kind === 'opened' ? parseVkey(record.vkey) : null;
    if (fits(key)) return key;
  }
  const first = lines.first(1);
  findings.addBreak('unknown-key', first === null ? { file: origin, line: 0 } : intake.placeOf(first), origin);
  return null;
}

function claimsOf(lines: LedgerLines, { kept, seen, findings }: LedgerContext): readonly LedgerClaim[] {
  const { origin } = lines;
  const claims: LedgerClaim[] = [];
  for (const [note, place] of lines.checkpoints) {
    const checkpoint = parseCheckpoint(note);
    if (checkpoint === null) findings.addBreak('signature', place, origin);
    else if (checkpoint.origin !== origin) findings.addBreak('unknown-key', place, origin);
    else {
      const { size, root } = checkpoint;
      // The text takes less memory than the parsed note.
      claims.push({ kind: 'line', size, root, note: () => parseNote(note), ...place });
    }
  }
  for (const checkpoint of kept) {
    const { size, root, file, line, note } = checkpoint;
    if (checkpoint.origin === origin) claims.push({ kind: 'kept', size, root, file, line, note: () => note });
  }
  for (const { size, root, file, line, ...words } of seen)
    if (words.origin === origin) claims.push({ kind: 'seen', size, root, file, line, note: null });
  return claims;
}

/**
 * The claims with a valid signature, the largest first, and the claims without a signature. In a collection, the signature of
 * a larger checkpoint also covers a smaller one on the same branch, because both have the same lines.
 */
function checkSignatures(
  claims: readonly LedgerClaim[],
  { fits }: Walk<LedgerClaim>,
  key: VerifierKey | null,
  { findings, isCollected, policy }: LedgerContext,
  origin: string,
): readonly LedgerClaim[] {
  const needsCosigner = policy !== null && policy.cosigner !== null;
  return claims
    .toSorted((a, b) => b.size - a.size)
    .filter((claim) => {
      const branch = fits.get(claim);
      if (claim.note === null) return true;
      if (isCollected && !needsCosigner && branch !== undefined && branch.signed >= claim.size) return true;
      const note = claim.note();
      const check = key === null || note === null ? 'unknown' : checkNote(note, key);
      if (check === 'invalid') findings.addBreak('signature', claim, origin);
      if (check === 'unknown') findings.addBreak('unknown-key', claim, origin);
      if (check === 'valid' && branch !== undefined) markSigned(branch, claim.size);
      return check === 'valid';
    });
}

/** Reports claims that these lines do not prove: each valid claim is true for these lines, or is reported. */
function reportUnproven(
  valid: readonly LedgerClaim[],
  found: Walk<LedgerClaim>,
  { lines, signed, lastTime }: { readonly lines: LedgerLines; readonly signed: number; readonly lastTime: number },
  { findings, intake, isLate }: LedgerContext,
): void {
  const { origin, highest } = lines;
  const at = (seq: number) => placeOf(lines.first(seq), origin, intake);
  const sizes = [...found.fits.keys()].map(({ size }) => size).sort((a, b) => a - b);
  const largest = valid.find(({ kind }) => kind === 'line');
  const before = (found.gaps[0]?.first ?? highest + 1) - 1;
  const isOther = contradicts(found, highest);
  let isRootReported = false;
  let below = 0;
  // The smallest claim comes first.
  for (const claim of valid.toReversed()) {
    const { kind, size } = claim;
    while ((sizes[below] ?? size) < size) below += 1;
    if (isOther(claim)) {
      // Only the first of the ledger's own checkpoints with a wrong root is reported.
      if (kind === 'line' && isRootReported) continue;
      isRootReported ||= kind === 'line';
      const from = (sizes[below - 1] ?? 0) + 1;
      // The same key also signed other lines, or a kept state contradicts them.
      const reason = kind !== 'line' || signed >= size ? 'fork' : 'root';
      findings.addBreak(reason, at(from), numbersOf(origin, from, size), claim);
    } else if (!found.fits.has(claim) && size > before) {
      // Only the last of the ledger's own checkpoints beyond the end is reported. Gaps between lines are already reported.
      if (kind === 'line' && (size <= highest || claim !== largest)) continue;
      const end = kind === 'line' ? highest : before;
      const of = numbersOf(origin, end + 1, size);
      if (isLate(kind === 'line' ? lastTime : (claim.from?.time ?? 0))) findings.addNote('late', at(end), of);
      else if (kind === 'line') findings.addBreak('cut', { ...at(end), line: at(end).line + 1 }, of);
      else findings.addBreak('rollback', at(end), of, claim);
    }
  }
}

/** Reports ledgers that a signed line names as predecessor or successor, but that have no lines in the input. */
function reportAbsent(records: readonly PlacedRecord[], { intake, findings, isLate }: LedgerContext): void {
  for (const { record, isSigned, place, time } of records) {
    const other = isSigned ? otherLedgerOf(record) : null;
    if (other === null || intake.ledgers.has(other)) continue;
    if (isLate(time)) findings.addNote('late', place, other);
    else findings.addBreak('missing', { file: other, line: 0 }, other, place);
  }
}

/** The records of the lines, in order. */
function recordsOf(
  found: Walk<LedgerClaim>,
  trunk: Trunk,
  lines: LedgerLines,
  { intake }: LedgerContext,
): readonly PlacedRecord[] {
  const records: PlacedRecord[] = [];
  for (const seq of lines.numbers()) {
    for (const line of lines.all(seq)) {
      const record = lines.recordOf(line);
      const place = intake.placeOf(line);
      if (record !== undefined)
        records.push({ record, place, isSigned: isOnSigned(line, trunk, found), time: line.time });
    }
  }
  return records;
}

/** Returns the number of lines that the policy's cosigner has signed, or null if there is no cosigner. */
function cosignedSize(valid: readonly LedgerClaim[], policy: Policy | null): number | null {
  if (policy === null || policy.cosigner === null) return null;
  const cosigned = valid.find((claim) => {
    const note = claim.note?.() ?? null;
    return note !== null && isCosigned(note, policy);
  });
  return cosigned?.size ?? 0;
}
