import type { Span } from '../../util/text/span.ts';
import type { Finding } from './finding.ts';
import { createLocator, lineOf, lineStarts, type Place } from './locate.ts';
import { findSuppressions, type Suppression, suppressionOf, type UselessSuppression } from './suppress.ts';

/** A reviewed file, as it was at that time. */
interface ReviewedFile {
  /** The displayed name, such as `src/pay.ts`. */
  readonly name: string;
  readonly uri: string;
  readonly languageId: string;
  readonly text: string;
}

/** A finding with its position in a file; its span is empty, at 0, if it concerns the whole file. */
export interface PlacedFinding extends Finding, Span {
  readonly file: string;
  readonly uri: string;
  /**
   * The way its place was found. `line`: the place is only approximate. `file`: no place was found, so the finding concerns
   * the whole file.
   */
  readonly placed: Place['kind'];
  /** The lines, counted from 1; 1 if the finding concerns the whole file. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The column of `start` and `end` in their lines, in UTF-16 units counted from 1. */
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** The text of the file at its position; empty for the whole file. */
  readonly text: string;
  /** The lines of its code without white space around them, except for brackets; empty for the whole file. */
  readonly code: readonly string[];
  /** Identifies the same finding in a later review, even if its lines have moved, or it quotes more or fewer lines. */
  readonly fingerprint: string;
  readonly suppression: Suppression | null;
}

interface PlacedFile {
  readonly findings: readonly PlacedFinding[];
  readonly uselessSuppressions: readonly UselessSuppression[];
}

/**
 * Locates each finding in its file, and the suppression comments that accept it. `hash` returns a digest in hex of at least
 * 32 digits; all reviews must use the same one, because fingerprints are compared.
 */
export function placeFindings(
  file: ReviewedFile,
  findings: readonly Finding[],
  hash: (text: string) => string,
): PlacedFile {
  const { locate } = createLocator(file.text);
  const starts = lineStarts(file.text);
  const suppressions = findSuppressions(file.text, file.languageId);
  const located = withoutRepeated(
    findings.map((finding) => ({ finding, place: locate(finding.quote, finding.line) })),
    (offset) => lineOf(starts, offset),
  ).toSorted((a, b) => startOf(a.place) - startOf(b.place));
  const counts = new Map<string, number>();
  const placed = located.map(({ finding, place }): PlacedFinding => {
    const { start, end } = spanOf(place);
    const [firstLine, lastLine] = [lineOf(starts, start), lineOf(starts, Math.max(start, end - 1))];
    const code = place.kind === 'file' ? [] : codeOf(file.text, starts, firstLine, lastLine);
    const identity = [finding.rule.id, file.name, code[0] ?? ''].join('\n');
    const nth = counts.get(identity) ?? 0;
    counts.set(identity, nth + 1);
    const suppression =
      place.kind === 'file' ? undefined : suppressionOf(suppressions, { rule: finding.rule.id, firstLine, lastLine });
    return {
      ...finding,
      file: file.name,
      uri: file.uri,
      placed: place.kind,
      start,
      end,
      firstLine,
      lastLine,
      firstColumn: start - (starts[firstLine - 1] ?? 0) + 1,
      lastColumn: end - (starts[lastLine - 1] ?? 0) + 1,
      text: file.text.slice(start, end),
      code,
      fingerprint: hash(`${identity}\n${nth}`).slice(0, 32),
      suppression: suppression ?? null,
    };
  });
  return { findings: placed, uselessSuppressions: suppressions.useless };
}

/** The maximum number of lines that identify a finding. Longer code is identified by its beginning. */
const maxCode = 40;

/** Returns the lines of a finding that contain letters or digits, with white space folded. */
function codeOf(text: string, starts: readonly number[], firstLine: number, lastLine: number): readonly string[] {
  const last = Math.min(lastLine, firstLine + maxCode - 1);
  return text
    .slice(starts[firstLine - 1] ?? 0, starts[last] ?? text.length)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

interface Located {
  readonly finding: Finding;
  readonly place: Place;
}

/**
 * Parts of a file overlap, and an answer may quote the same code twice: findings of one rule that begin in the same line and
 * overlap count once. The first of them whose place is certain is kept, or else the first one.
 */
function withoutRepeated(located: readonly Located[], lineAt: (offset: number) => number): readonly Located[] {
  const seen = new Map<string, readonly Span[]>();
  const isApproximate = ({ place }: Located): number => (place.kind === 'line' ? 1 : 0);
  return located
    .toSorted((a, b) => isApproximate(a) - isApproximate(b))
    .filter(({ finding, place }) => {
      const span = spanOf(place);
      const key = JSON.stringify([finding.rule.id, place.kind === 'file' ? finding.quote : lineAt(span.start)]);
      const before = seen.get(key) ?? [];
      seen.set(key, [...before, span]);
      if (place.kind === 'file') return before.length === 0;
      return before.every(({ start, end }) => end <= span.start || start >= span.end);
    });
}

function spanOf(place: Place): Span {
  return place.kind === 'file' ? { start: 0, end: 0 } : place;
}

function startOf(place: Place): number {
  return place.kind === 'file' ? -1 : place.start;
}
