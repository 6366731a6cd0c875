import { parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import type { LedgerRecord } from '../ledgerRecords.ts';
import { logIdIn, logIdOf } from '../logId.ts';
import { checkNote, keyTypes, parseNote, parseVkey, type SignedNote, type VerifierKey } from '../note.ts';
import { hasQuorum, type Policy } from '../policy.ts';
import {
  type Branch,
  type Claim,
  isSigned,
  leadsTo,
  lineOn,
  mainBranch,
  markSigned,
  type Walk,
  walk,
} from './branches.ts';
import { type Findings, numbersOf, type Place } from './findings.ts';
import type { Intake, LedgerLines } from './intake.ts';
import type { NumberedLine } from './numberedLines.ts';
import type { Seen } from './seen.ts';

/** A checkpoint of the ledger's file, a kept one, or the words of one. */
interface LedgerClaim extends Claim, Place {
  readonly kind: 'line' | 'kept' | 'seen';
  /** Reads the signatures, which take more memory than the text; null for words, which have none. */
  readonly note: (() => SignedNote | null) | null;
}

export interface LedgerContext {
  readonly intake: Intake;
  readonly findings: Findings;
  readonly policy: Policy | null;
  readonly isCollected: boolean;
  /** Whether lines that were signed at a time, in milliseconds since 1970, may still come: they are late, not missing. */
  readonly isLate: (time: number) => boolean;
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

export async function verifyLedger(lines: LedgerLines, context: LedgerContext): Promise<VerifiedLedger> {
  const { policy } = context;
  const { origin } = lines;
  const key = keyOf(lines, context);
  const claims = claimsOf(lines, context);
  const found = await walk(lines, claims, context.signal);
  const valid = checkSignatures(claims, found, key, context, origin);
  const main = mainBranch(found.branches);
  const size = main?.signed ?? 0;
  reportLines(lines, found, size, context);
  reportContradictions(valid, found, lines, size, context);
  reportBranches(found, main, lines, context);
  const records = recordsOf(found, main, lines, context);
  const signed = records.filter((record) => record.isSigned).map(({ record }) => record);
  const opened = signed.find((record) => record.kind === 'opened');
  const closed = signed.findLast((record) => record.kind === 'closed');
  return {
    origin,
    vkey: key?.vkey ?? null,
    follows: opened?.follows?.origin ?? null,
    next: closed?.next ?? null,
    lines: lines.count,
    size,
    root: valid.find((claim) => claim.size === size && found.fits.has(claim))?.root ?? null,
    witnessed: witnessedSize(valid, policy),
    lastTime: main === null ? 0 : (lineOn(main, main.last, lines, found)?.time ?? 0),
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
    else
      claims.push({
        kind: 'line',
        size: checkpoint.size,
        root: checkpoint.root,
        note: () => parseNote(note),
        ...place,
      });
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

/** Lines that are missing, altered or not signed yet. */
function reportLines(
  lines: LedgerLines,
  { gaps, altered, clockBack }: Walk<LedgerClaim>,
  size: number,
  { findings, intake, isLate }: LedgerContext,
): void {
  const { origin, highest } = lines;
  const at = (seq: number): Place => placeOf(lines.first(seq), origin, intake);
  for (const { first, last } of gaps) {
    if (isLate(lines.first(last + 1)?.time ?? 0))
      findings.addNote('late', at(first - 1), numbersOf(origin, first, last));
    else findings.addBreak('gap', at(first - 1), numbersOf(origin, first, last));
  }
  for (const line of altered) findings.addBreak('altered', intake.placeOf(line), origin);
  if (clockBack !== null) findings.addNote('clock-back', intake.placeOf(clockBack), origin);
  if (highest > size) findings.addNote('unsigned', at(size + 1), numbersOf(origin, size + 1, highest));
}

/** A place of a line; that of the whole ledger without one. */
function placeOf(line: NumberedLine | null, origin: string, intake: Intake): Place {
  return line === null ? { file: origin, line: 0 } : intake.placeOf(line);
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
  for (const claim of valid.toReversed()) {
    const isBeyond = claim.size > highest;
    if (!isBeyond && !contradicted.has(claim)) continue;
    const reason = reasonOf(claim, isBeyond, signed);
    // Of those in the ledger's own files, one stands for all: the first that is not true, the last that is missing.
    if (claim.kind === 'line' && (isBeyond ? claim !== largest : isRootReported)) continue;
    isRootReported ||= claim.kind === 'line' && !isBeyond;
    const from = isBeyond ? highest : (sizes.findLast((size) => size < claim.size) ?? 0);
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

/** Lines beside others of the same number. */
function reportBranches(
  found: Walk<LedgerClaim>,
  main: Branch | null,
  lines: LedgerLines,
  { findings, intake }: LedgerContext,
): void {
  for (const branch of found.branches) {
    if (main === null || !branch.isBeside || leadsTo(branch, main)) continue;
    const { first, last, signed } = branch;
    const of = numbersOf(lines.origin, first.seq, last);
    const beside = lineOn(main, first.seq, lines, found);
    if (signed < first.seq) findings.addNote('superseded', intake.placeOf(first), of);
    else findings.addBreak('fork', intake.placeOf(first), of, placeOf(beside, lines.origin, intake));
  }
}

/** What the lines say, in their order. */
function recordsOf(
  found: Walk<LedgerClaim>,
  main: Branch | null,
  lines: LedgerLines,
  { intake }: LedgerContext,
): readonly PlacedRecord[] {
  const records: PlacedRecord[] = [];
  for (let seq = 1; seq <= lines.highest; seq += 1) {
    for (const line of lines.all(seq)) {
      const record = lines.records.get(line.leaf.toString('hex'));
      const place = intake.placeOf(line);
      if (record !== undefined) records.push({ record, place, isSigned: isSigned(line, main, found), time: line.time });
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
