import { type Branch, type Claim, largestOf, type Trunk, type Walk } from './branches.ts';
import { type Findings, numbersOf, type Place } from './findings.ts';
import type { Intake } from './intake.ts';
import type { NumberedLine, NumberedLines } from './numberedLines.ts';

export interface ReportContext {
  readonly intake: Intake;
  readonly findings: Findings;
  /** Whether lines that were signed at a time (milliseconds since 1970) may still arrive: they are late, not missing. */
  readonly isLate: (time: number) => boolean;
}

/** The lines of one session or ledger. */
interface NamedLines {
  readonly name: string;
  readonly lines: NumberedLines;
}

/** The place of a line or, without a line, of the whole session or ledger. */
export function placeOf(line: NumberedLine | null, name: string, intake: Intake): Place {
  return line === null ? { file: name, line: 0 } : intake.placeOf(line);
}

/** A signed claim, with the latest time in milliseconds since 1970 at which its lines can have been signed. */
interface TimedClaim extends Claim {
  readonly time: number;
}

/**
 * Reports missing and altered lines. Missing lines are late only if all claims that cover them are recent. Anyone can have
 * written the line after them, so its time is used only if no claim covers them.
 */
export function reportWalk<C extends Claim>(
  { name, lines }: NamedLines,
  { gaps, altered, clockBack }: Pick<Walk<C>, 'gaps' | 'altered' | 'clockBack'>,
  signed: readonly TimedClaim[],
  { intake, findings, isLate }: ReportContext,
): void {
  const [signedSize, dueSize] = [largestOf(signed), largestOf(signed.filter(({ time }) => !isLate(time)))];
  for (const { first, last } of gaps) {
    const place = placeOf(lines.first(first - 1), name, intake);
    const isSigned = first <= signedSize;
    if (isSigned ? first > dueSize : isLate(lines.first(last + 1)?.time ?? 0))
      findings.addNote('late', place, numbersOf(name, first, last));
    else findings.addBreak('gap', place, numbersOf(name, first, last));
  }
  for (const line of altered) findings.addBreak('altered', intake.placeOf(line), name);
  if (clockBack !== null) findings.addNote('clock-back', intake.placeOf(clockBack), name);
}

/**
 * Returns whether a claim contradicts the lines: it is not true although no line before its end is missing or altered, which
 * is reported separately.
 */
export function contradicts<C extends Claim>({ fits, gaps, altered }: Walk<C>, highest: number): (claim: C) => boolean {
  const end = Math.min((gaps[0]?.first ?? highest + 1) - 1, altered[0]?.seq ?? highest);
  return (claim) => claim.size <= end && !fits.has(claim);
}

/** Reports lines that share their number with another line. */
export function reportBranches(
  { name, lines }: NamedLines,
  branches: readonly Branch[],
  trunk: Trunk,
  isFork: (branch: Branch) => boolean,
  { intake, findings }: ReportContext,
): void {
  for (const branch of branches) {
    if (!branch.isBeside || trunk.has(branch)) continue;
    const { first, last } = branch;
    const of = numbersOf(name, first.seq, last);
    const beside = placeOf(trunk.line(first.seq, lines), name, intake);
    if (isFork(branch)) findings.addBreak('fork', intake.placeOf(first), of, beside);
    else findings.addNote('superseded', intake.placeOf(first), of);
  }
}
