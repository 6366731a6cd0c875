import { hashFromBase64 } from '../base64.ts';
import type { Head } from '../ledgerRecords.ts';
import { isShortTail } from '../unvouched.ts';
import { type Claim, largestOf, markSigned, Trunk, type Walk, walk } from './branches.ts';
import { numbersOf, type Place } from './findings.ts';
import type { SessionLines } from './intake.ts';
import type { NumberedLine } from './numberedLines.ts';
import { contradicts, type ReportContext, reportBranches, reportWalk } from './reports.ts';

/** A signed head of the session. */
interface HeadClaim extends Claim, Place {
  readonly time: number;
  /** Whether the head can confirm lines. Heads in other ledgers can only contradict them. */
  readonly isOwn: boolean;
  /** Whether it is the last head, after which no line may follow. */
  readonly isEnd: boolean;
}

export interface PlacedHead extends Place {
  readonly head: Head;
  /** The ledger of the head. */
  readonly origin: string;
  readonly isSigned: boolean;
  /** Whether its ledger is the one that the session names, a ledger of the same chain, or a trusted ledger. */
  readonly isOwn: boolean;
  readonly time: number;
}

export interface SessionContext extends ReportContext {
  readonly signal?: AbortSignal | undefined;
}

interface SessionEvidence {
  readonly session: string;
  /** The lines of the session; null if the input has none. */
  readonly lines: SessionLines | null;
  readonly heads: readonly PlacedHead[];
  /** Whether its files were removed on purpose, according to a signed line. */
  readonly isRemoved: boolean;
}

/** Compares the lines of a session with its signed heads. Returns null if the input has no lines of it. */
export async function verifySession(evidence: SessionEvidence, context: SessionContext): Promise<Trunk | null> {
  const { session, heads } = evidence;
  // A line whose number is too far ahead is not accepted, so a session can have no lines although some were read.
  const lines = evidence.lines !== null && evidence.lines.count > 0 ? evidence.lines : null;
  for (const { head, isSigned, file, line } of heads)
    if (isSigned && head.why === 'unanchored') context.findings.addBreak('unanchored', { file, line }, session);
  if (lines === null) {
    reportAbsent(evidence, context);
    return null;
  }
  const claims = claimsOf(heads);
  const found = await walk(lines, claims, context.signal);
  for (const [claim, branch] of found.fits) if (claim.isOwn) markSigned(branch, claim.size);
  const trunk = new Trunk(found);
  reportMembership(evidence, lines, context);
  const named = { name: session, lines };
  reportWalk(named, evidence.isRemoved ? { ...found, gaps: [] } : found, claims, context);
  reportSigned({ ...evidence, claims }, lines, found, context);
  // A session never uses a number twice: two lines with the same number are two histories.
  reportBranches(named, found.branches, trunk, () => true, context);
  reportUnsigned(evidence, trunk.signed, lines, found, context);
  reportUnvouched(evidence, lines, context);
  return trunk;
}

/** Reports the last lines of a killed window that the secret storage did not know. */
function reportUnvouched(
  { session, heads, isRemoved }: SessionEvidence,
  lines: SessionLines,
  { findings, intake }: SessionContext,
): void {
  const own = heads.filter(({ isSigned, isOwn }) => isSigned && isOwn);
  for (const { head, file, line } of own) {
    if (head.why !== 'unvouched' || isRemoved) continue;
    const known = largestOf(own.map((one) => one.head).filter(({ size }) => size < head.size));
    const [first, last] = [lines.first(known + 1), lines.first(head.size)];
    // Missing lines are already reported.
    if (first === null || last === null) continue;
    if (isShortTail(head.size - known, first.time, last.time)) {
      findings.addNote('not-vouched', intake.placeOf(first), numbersOf(session, known + 1, head.size));
      for (let seq = known + 1; seq <= head.size; seq += 1) lines.unvouched.add(seq);
    } else findings.addBreak('unanchored', { file, line }, session);
  }
}

/** Reports a session without lines in the input. */
function reportAbsent({ session, heads, isRemoved }: SessionEvidence, { findings, isLate }: SessionContext): void {
  const last = heads.at(-1);
  if (isRemoved || last === undefined) return;
  const claims = claimsOf(heads);
  if (claims.length === 0) findings.addNote('unsigned', last, session);
  else if (claims.every(({ time }) => isLate(time))) findings.addNote('late', last, session);
  else findings.addBreak('missing', { file: session, line: 0 }, session);
}

/** Reports lines that no head confirms yet, or no longer. */
function reportUnsigned(
  { session, isRemoved }: SessionEvidence,
  signed: number,
  lines: SessionLines,
  { fits }: Walk<HeadClaim>,
  { findings, intake }: SessionContext,
): void {
  const isEnded = signed > 0 && [...fits.keys()].some(({ isOwn, isEnd, size }) => isOwn && isEnd && size === signed);
  const first = isRemoved || isEnded ? firstLine(lines, signed + 1) : lines.first(signed + 1);
  if (first === null) return;
  const of = numbersOf(session, first.seq, lines.highest);
  if (isRemoved) findings.addNote('left-over', intake.placeOf(first), of);
  else if (isEnded) findings.addBreak('not-in-ledger', intake.placeOf(first), of);
  else if (signed > 0) findings.addNote('unsigned', intake.placeOf(first), of);
}

function claimsOf(heads: readonly PlacedHead[]): readonly HeadClaim[] {
  return heads.flatMap(({ head, isSigned, isOwn, file, line, time }) => {
    const root = hashFromBase64(head.root);
    const isEnd = head.why === 'end';
    return isSigned && root !== null ? [{ size: head.size, root, file, line, time, isOwn, isEnd }] : [];
  });
}

/** Reports a session that is not in any ledger that can confirm it. */
function reportMembership(
  { session, heads, isRemoved }: SessionEvidence,
  lines: SessionLines,
  context: SessionContext,
): void {
  const { findings, intake, isLate } = context;
  const own = heads.filter(({ isOwn }) => isOwn);
  const first = firstLine(lines, 1);
  if (isRemoved || first === null || own.some(({ isSigned }) => isSigned)) return;
  const place = intake.placeOf(first);
  if (own.length > 0) findings.addNote('unsigned', place, numbersOf(session, first.seq, lines.highest));
  else if (isLate(first.time)) findings.addNote('late', place, session);
  else findings.addBreak('not-in-ledger', place, session);
}

/** The first line whose number is at least `from`. */
function firstLine(lines: SessionLines, from: number): NumberedLine | null {
  if (from <= lines.highest) for (const seq of lines.numbers()) if (seq >= from) return lines.first(seq);
  return null;
}

/** Reports signed lines that are missing at the end, or that differ from the lines in the input. */
function reportSigned(
  { session, claims, isRemoved }: SessionEvidence & { readonly claims: readonly HeadClaim[] },
  lines: SessionLines,
  walked: Walk<HeadClaim>,
  { findings, intake, isLate }: SessionContext,
): void {
  const { highest } = lines;
  const end = intake.placeOf(lines.first(highest) as NumberedLine);
  const beyond = claims.filter(({ size }) => size > highest);
  const cut = beyond.filter(({ time }) => !isLate(time));
  const numbers = (missing: readonly HeadClaim[]) => numbersOf(session, highest + 1, largestOf(missing));
  if (cut.length > 0 && !isRemoved) findings.addBreak('cut', { file: end.file, line: end.line + 1 }, numbers(cut));
  else if (beyond.length > 0 && !isRemoved) findings.addNote('late', end, numbers(beyond));
  const known = [...walked.fits.keys()].map(({ size }) => size).sort((a, b) => a - b);
  const [first] = claims.filter(contradicts(walked, highest)).sort((a, b) => a.size - b.size);
  if (first === undefined) return;
  const from = known.findLast((size) => size < first.size) ?? 0;
  const place = intake.placeOf(lines.first(from + 1) as NumberedLine);
  // Another signed head of at least as many lines fits: the ledger has two histories.
  const reason = (known.at(-1) ?? 0) >= first.size ? 'fork' : 'root';
  findings.addBreak(reason, place, numbersOf(session, from + 1, first.size), { file: first.file, line: first.line });
}
