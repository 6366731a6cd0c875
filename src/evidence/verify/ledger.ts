import { addTo } from '../../util/addTo.ts';
import { hashFromBase64 } from '../base64.ts';
import { parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import { type LedgerRecord, otherLedgerOf } from '../ledgerRecords.ts';
import { logIdIn, logIdOf } from '../logId.ts';
import { checkNote, keyTypes, parseNote, parseVkey, type SignedNote, type VerifierKey } from '../note.ts';
import { hasQuorum, type Policy } from '../policy.ts';
import { type Claim, isOnSigned, markSigned, Trunk, type Walk, walk } from './branches.ts';
import { numbersOf, type Place } from './findings.ts';
import type { Intake, LedgerLines } from './intake.ts';
import { placeOf, type ReportContext, reportBranches, reportWalk } from './reports.ts';
import type { Seen } from './seen.ts';

/** A checkpoint of the ledger's file, a kept one, or the words of one. */
interface LedgerClaim extends Claim, Place {
  readonly kind: 'line' | 'kept' | 'seen';
  /** Reads the signatures, which take more memory than the text; null for words, which have none. */
  readonly note: (() => SignedNote | null) | null;
  /** The record that says it; absent where it is no record of a ledger. */
  readonly said?: LedgerRecord;
}

interface LedgerContext extends ReportContext {
  readonly policy: Policy | null;
  readonly isCollected: boolean;
  readonly kept: readonly (SignedCheckpoint & Place)[];
  readonly seen: readonly Seen[];
  readonly signal?: AbortSignal | undefined;
}

/** What a line of the ledger says. */
export interface PlacedRecord {
  readonly record: LedgerRecord;
  /** Whether a checkpoint covers it. */
  readonly isSigned: boolean;
  readonly place: Place;
  readonly time: number;
}

/** What is known of a ledger by itself: what others say of it is not. */
interface WalkedLedger {
  readonly lines: LedgerLines;
  readonly key: VerifierKey | null;
  readonly found: Walk<LedgerClaim>;
  readonly trunk: Trunk;
  /** Claims that are signed, and words. */
  readonly valid: readonly LedgerClaim[];
  readonly records: readonly PlacedRecord[];
}

export interface VerifiedLedger {
  readonly origin: string;
  /** The key that its checkpoints verify with; null if none is known. */
  readonly vkey: string | null;
  /** The ledger before, as this one says. */
  readonly follows: string | null;
  /** The key that goes on, as its last line says. */
  readonly next: string | null;
  readonly lines: number;
  /** The number of lines that are signed, and the root of their tree. */
  readonly size: number;
  readonly root: Buffer | null;
  /** The number of lines that the quorum of the policy has cosigned; null without a policy that asks for one. */
  readonly witnessed: number | null;
  /** The time of the last line, in milliseconds since 1970; 0 without any. */
  readonly lastTime: number;
  readonly records: readonly PlacedRecord[];
}

/** Verifies all ledgers. What the signed first line of one says of the one before is a claim on that one. */
export async function verifyLedgers(context: LedgerContext): Promise<readonly VerifiedLedger[]> {
  const { intake } = context;
  const follows = followsIn(intake);
  const walked: WalkedLedger[] = [];
  for (const lines of intake.ledgers.values())
    walked.push(await walkLedger(lines, follows.get(lines.origin) ?? [], context));
  const signed = new Set(walked.flatMap(({ records }) => signedOf(records)));
  return walked.map((ledger) => reportLedger(ledger, signed, context));
}

/** What the first lines of ledgers say of those before, signed or not, by the origin of these. */
function followsIn(intake: Intake): ReadonlyMap<string, readonly LedgerClaim[]> {
  const claims = new Map<string, LedgerClaim[]>();
  for (const lines of intake.ledgers.values()) {
    for (const line of lines.all(1)) {
      const said = lines.records.get(line.leaf.toString('hex'));
      if (said?.kind !== 'opened' || said.follows === undefined) continue;
      const { origin, size } = said.follows;
      const root = hashFromBase64(said.follows.root);
      if (root !== null) addTo(claims, origin, { kind: 'seen', size, root, note: null, said, ...intake.placeOf(line) });
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

/** `said`: the signed records of all ledgers. */
function reportLedger(
  { lines, key, found, trunk, records, ...walked }: WalkedLedger,
  said: ReadonlySet<LedgerRecord>,
  context: LedgerContext,
): VerifiedLedger {
  const { origin } = lines;
  const size = trunk.signed;
  const valid = walked.valid.filter((claim) => claim.said === undefined || said.has(claim.said));
  const named = { name: origin, lines };
  reportWalk(named, found, context);
  if (lines.highest > size) {
    const place = placeOf(lines.first(size + 1), origin, context.intake);
    context.findings.addNote('unsigned', place, numbersOf(origin, size + 1, lines.highest));
  }
  reportContradictions(valid, found, lines, size, context);
  // A line on no signed chain was shipped, and then lost with the power of the machine.
  reportBranches(named, found.branches, trunk, ({ signed, first }) => signed >= first.seq, context);
  reportAbsent(records, context);
  const signed = signedOf(records);
  const opened = signed.find((record) => record.kind === 'opened');
  const closed = signed.findLast((record) => record.kind === 'closed');
  return {
    ...{ origin, vkey: key?.vkey ?? null, lines: lines.count, size },
    ...{ follows: opened?.follows?.origin ?? null, next: closed?.next ?? null },
    root: valid.find((claim) => claim.size === size && found.fits.has(claim))?.root ?? null,
    witnessed: witnessedSize(valid, context.policy),
    lastTime: trunk.end === null ? 0 : (trunk.line(trunk.end.last, lines)?.time ?? 0),
    records,
  };
}

/** The key is the policy's, or the one that the ledger opens with: its hash is in the ledger's name. */
function keyOf(lines: LedgerLines, { policy, intake, findings }: LedgerContext): VerifierKey | null {
  const { origin } = lines;
  const fits = (key: VerifierKey | null | undefined): key is VerifierKey =>
    key?.type === keyTypes.ed25519 && key.name === origin && logIdOf(key.publicKey) === logIdIn(origin);
  const trusted = policy?.logs.get(origin);
  if (fits(trusted)) return trusted;
  for (const first of lines.all(1)) {
    const record = lines.records.get(first.leaf.toString('hex'));
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
      // The text takes less memory than what is parsed of it.
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
 * The claims whose signature is valid, from the largest, and words. In a collection, the signature of a larger checkpoint
 * speaks for a smaller one on the same branch, whose root is the same anyway.
 */
function checkSignatures(
  claims: readonly LedgerClaim[],
  { fits }: Walk<LedgerClaim>,
  key: VerifierKey | null,
  { findings, isCollected, policy }: LedgerContext,
  origin: string,
): readonly LedgerClaim[] {
  const hasWitnesses = policy !== null && policy.quorum !== null;
  return claims
    .toSorted((a, b) => b.size - a.size)
    .filter((claim) => {
      const branch = fits.get(claim);
      if (claim.note === null) return true;
      const note = claim.note();
      const isSpokenFor = isCollected && !hasWitnesses && branch !== undefined && branch.signed >= claim.size;
      const said = isSpokenFor ? 'valid' : key === null || note === null ? 'unknown' : checkNote(note, key);
      if (said === 'invalid') findings.addBreak('signature', claim, origin);
      if (said === 'unknown') findings.addBreak('unknown-key', claim, origin);
      if (said === 'valid' && branch !== undefined) markSigned(branch, claim.size);
      return said === 'valid';
    });
}

/** Claims that these lines do not fit. */
function reportContradictions(
  valid: readonly LedgerClaim[],
  { fits, contradicted }: Walk<LedgerClaim>,
  lines: LedgerLines,
  signed: number,
  { findings, intake, isLate }: LedgerContext,
): void {
  const { origin, highest } = lines;
  const end = lines.first(highest);
  const endPlace = placeOf(end, origin, intake);
  const sizes = [...fits.keys()].map(({ size }) => size).sort((a, b) => a - b);
  const largest = valid.find(({ kind }) => kind === 'line');
  let isRootReported = false;
  let below = 0;
  // From the smallest.
  for (const claim of valid.toReversed()) {
    while ((sizes[below] ?? claim.size) < claim.size) below += 1;
    const isBeyond = claim.size > highest;
    if (!isBeyond && !contradicted.has(claim)) continue;
    const reason = reasonOf(claim, isBeyond, signed);
    // Of those in the ledger's own files, one stands for all: the first that is not true, the last that is missing.
    if (claim.kind === 'line' && (isBeyond ? claim !== largest : isRootReported)) continue;
    isRootReported ||= claim.kind === 'line' && !isBeyond;
    const from = isBeyond ? highest : (sizes[below - 1] ?? 0);
    const of = numbersOf(origin, from + 1, claim.size);
    if (reason === 'cut' && isLate(end?.time ?? 0)) findings.addNote('late', endPlace, of);
    else if (reason === 'cut') findings.addBreak('cut', behind(endPlace), of);
    else if (reason === 'rollback') findings.addBreak('rollback', endPlace, of, claim);
    else findings.addBreak(reason, placeOf(lines.first(from + 1), origin, intake), of, claim);
  }
}

function reasonOf(
  { kind, size }: LedgerClaim,
  isBeyond: boolean,
  signed: number,
): 'cut' | 'rollback' | 'fork' | 'root' {
  if (isBeyond) return kind === 'line' ? 'cut' : 'rollback';
  // The same key also signed other lines, or a kept checkpoint contradicts them.
  return kind !== 'line' || signed >= size ? 'fork' : 'root';
}

/** The place behind the last line. */
function behind({ file, line }: Place): Place {
  return { file, line: line + 1 };
}

/** Ledgers that a signed line names as the one before or the next, and of which no line is here. */
function reportAbsent(records: readonly PlacedRecord[], { intake, findings, isLate }: LedgerContext): void {
  for (const { record, isSigned, place, time } of records) {
    const other = isSigned ? otherLedgerOf(record) : null;
    if (other === null || intake.ledgers.has(other)) continue;
    if (isLate(time)) findings.addNote('late', place, other);
    else findings.addBreak('missing', { file: other, line: 0 }, other, place);
  }
}

/** What the lines say, in their order. */
function recordsOf(
  found: Walk<LedgerClaim>,
  trunk: Trunk,
  lines: LedgerLines,
  { intake }: LedgerContext,
): readonly PlacedRecord[] {
  const records: PlacedRecord[] = [];
  for (const seq of lines.numbers()) {
    for (const line of lines.all(seq)) {
      const record = lines.records.get(line.leaf.toString('hex'));
      const place = intake.placeOf(line);
      if (record !== undefined)
        records.push({ record, place, isSigned: isOnSigned(line, trunk, found), time: line.time });
    }
  }
  return records;
}

/** How many lines the quorum has cosigned; null if the policy asks for none. */
function witnessedSize(valid: readonly LedgerClaim[], policy: Policy | null): number | null {
  if (policy === null || policy.quorum === null) return null;
  const witnessed = valid.find((claim) => {
    const note = claim.note?.() ?? null;
    return note !== null && hasQuorum(note, policy);
  });
  return witnessed?.size ?? 0;
}
