import { hashFromBase64 } from '../base64.ts';
import type { Head } from '../ledgerRecords.ts';
import { type Branch, type Claim, leadsTo, lineOn, mainBranch, markSigned, type Walk, walk } from './branches.ts';
import { type Findings, numbersOf, type Place } from './findings.ts';
import type { Intake, SessionLines } from './intake.ts';
import type { NumberedLine } from './numberedLines.ts';

/** A signed head of the session. */
interface HeadClaim extends Claim, Place {
  readonly time: number;
}

export interface PlacedHead extends Place {
  readonly head: Head;
  /** The ledger that it is in. */
  readonly origin: string;
  readonly isSigned: boolean;
  readonly time: number;
}

export interface SessionContext {
  readonly intake: Intake;
  readonly findings: Findings;
  /** Whether lines that were signed at a time, in milliseconds since 1970, may still come: they are late, not missing. */
  readonly isLate: (time: number) => boolean;
  /** Whether a ledger is another one or goes on from it. */
  readonly isOrFollows: (ledger: string, other: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface SessionEvidence {
  readonly session: string;
  /** Null if none of its lines is there. */
  readonly lines: SessionLines | null;
  readonly heads: readonly PlacedHead[];
  /** Its files were removed on purpose, and a signed line says so. */
  readonly isRemoved: boolean;
}

/** Compares the lines of a session with what was signed of them. */
export async function verifySession(evidence: SessionEvidence, context: SessionContext): Promise<void> {
  const { session, heads, isRemoved } = evidence;
  // A line whose number is too far ahead is not taken: then nothing of the session is there.
  const lines = evidence.lines !== null && evidence.lines.count > 0 ? evidence.lines : null;
  const { findings, isLate } = context;
  const claims = claimsOf(heads);
  for (const { head, isSigned, ...at } of heads)
    if (isSigned && head.why === 'unanchored') findings.addBreak('unanchored', at, session);
  if (lines === null) {
    const last = heads.at(-1);
    if (isRemoved || last === undefined) return;
    if (claims.length === 0) findings.addNote('unsigned', last, session);
    else if (claims.every(({ time }) => isLate(time))) findings.addNote('late', last, session);
    else findings.addBreak('missing', { file: session, line: 0 }, session);
    return;
  }
  const found = await walk(lines, claims, context.signal);
  for (const [claim, branch] of found.fits) markSigned(branch, claim.size);
  const main = mainBranch(found.branches);
  reportMembership(evidence, lines, context);
  reportLines(evidence, lines, found, context);
  reportSigned(evidence, lines, found, context);
  reportBranches(session, main, lines, found, context);
  const size = main?.signed ?? 0;
  if (size > 0 && lines.highest > size) {
    const first = lines.first(size + 1);
    if (first !== null)
      findings.addNote('unsigned', context.intake.placeOf(first), numbersOf(session, size + 1, lines.highest));
  }
}

function claimsOf(heads: readonly PlacedHead[]): readonly HeadClaim[] {
  return heads.flatMap(({ head, isSigned, file, line, time }) => {
    const root = hashFromBase64(head.root);
    return isSigned && root !== null ? [{ size: head.size, root, file, line, time }] : [];
  });
}

/** Whether the ledger that the session names, or one that goes on from it, has it. */
function reportMembership({ session, heads }: SessionEvidence, lines: SessionLines, context: SessionContext): void {
  const { findings, intake, isLate, isOrFollows } = context;
  const { ledgers } = lines;
  const own = heads.filter(
    ({ origin }) => ledgers.size === 0 || [...ledgers].some((ledger) => isOrFollows(origin, ledger)),
  );
  if (own.some(({ isSigned }) => isSigned)) return;
  const first = firstLine(lines);
  if (first === null) return;
  const place = intake.placeOf(first);
  if (own.length > 0) findings.addNote('unsigned', place, numbersOf(session, first.seq, lines.highest));
  else if (isLate(first.time)) findings.addNote('late', place, session);
  else findings.addBreak('not-in-ledger', place, session);
}

function firstLine(lines: SessionLines): NumberedLine | null {
  for (let seq = 1; seq <= lines.highest; seq += 1) {
    const line = lines.first(seq);
    if (line !== null) return line;
  }
  return null;
}

/** Lines that are missing or altered. */
function reportLines(
  { session, isRemoved }: SessionEvidence,
  lines: SessionLines,
  { gaps, altered, clockBack }: Walk<HeadClaim>,
  { findings, intake, isLate }: SessionContext,
): void {
  for (const { first, last } of gaps) {
    if (isRemoved) continue;
    const before = lines.first(first - 1);
    const place = before === null ? { file: session, line: 0 } : intake.placeOf(before);
    if (isLate(lines.first(last + 1)?.time ?? 0)) findings.addNote('late', place, numbersOf(session, first, last));
    else findings.addBreak('gap', place, numbersOf(session, first, last));
  }
  for (const line of altered) findings.addBreak('altered', intake.placeOf(line), session);
  if (clockBack !== null) findings.addNote('clock-back', intake.placeOf(clockBack), session);
}

/** Signed lines that are missing at the end, or are not these. */
function reportSigned(
  { session, heads, isRemoved }: SessionEvidence,
  lines: SessionLines,
  { fits, contradicted }: Walk<HeadClaim>,
  { findings, intake, isLate }: SessionContext,
): void {
  const { highest } = lines;
  const end = intake.placeOf(lines.first(highest) as NumberedLine);
  const beyond = claimsOf(heads).filter(({ size }) => size > highest);
  const cut = beyond.filter(({ time }) => !isLate(time));
  const numbers = (claims: readonly HeadClaim[]) =>
    numbersOf(
      session,
      highest + 1,
      claims.reduce((most, { size }) => Math.max(most, size), 0),
    );
  if (cut.length > 0 && !isRemoved) findings.addBreak('cut', { file: end.file, line: end.line + 1 }, numbers(cut));
  else if (beyond.length > 0 && !isRemoved) findings.addNote('late', end, numbers(beyond));
  const known = [...fits.keys()].map(({ size }) => size).sort((a, b) => a - b);
  const first = [...contradicted].reduce<HeadClaim | null>(
    (least, one) => (least === null || one.size < least.size ? one : least),
    null,
  );
  if (first === null) return;
  const from = known.findLast((size) => size < first.size) ?? 0;
  const place = intake.placeOf(lines.first(from + 1) as NumberedLine);
  // Two signed heads of so many lines: the ledger has two histories.
  const reason = (known.at(-1) ?? 0) >= first.size ? 'fork' : 'root';
  findings.addBreak(reason, place, numbersOf(session, from + 1, first.size), { file: first.file, line: first.line });
}

/** A session never writes a number twice: a line beside another one is another history. */
function reportBranches(
  session: string,
  main: Branch | null,
  lines: SessionLines,
  found: Walk<HeadClaim>,
  { findings, intake }: SessionContext,
): void {
  for (const branch of found.branches) {
    if (main === null || !branch.isBeside || leadsTo(branch, main)) continue;
    const beside = lineOn(main, branch.first.seq, lines, found);
    const other = beside === null ? undefined : intake.placeOf(beside);
    findings.addBreak('fork', intake.placeOf(branch.first), numbersOf(session, branch.first.seq, branch.last), other);
  }
}
