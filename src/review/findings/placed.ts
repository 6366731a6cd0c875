import type { Span } from '../../util/text/span.ts';
import type { Finding } from './finding.ts';
import { createLocator, lineOf, lineStarts, type Place } from './locate.ts';
import { findSuppressions, type Suppression, suppressionOf, type UselessSuppression } from './suppress.ts';

/** A reviewed file, as it was at that time. */
interface ReviewedFile {
  /** Its displayed name: `src/pay.ts`. */
  readonly name: string;
  readonly uri: string;
  readonly languageId: string;
  readonly text: string;
}

/** A finding with its position in a file; its span is empty, at 0, if it concerns the whole file. */
export interface PlacedFinding extends Finding, Span {
  readonly file: string;
  readonly uri: string;
  /** How its quote was found; `file`: not found, so it concerns the whole file. */
  readonly placed: Place['kind'];
  /** Counted from 1; for the whole file, 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The column of `start` and `end` in their lines, in UTF-16 units counted from 1. */
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** The text of the file at its position; empty for the whole file. */
  readonly text: string;
  /** Identifies the same finding in a later review, even if its lines have moved. */
  readonly fingerprint: string;
  readonly suppression: Suppression | null;
}

interface PlacedFile {
  readonly findings: readonly PlacedFinding[];
  readonly uselessSuppressions: readonly UselessSuppression[];
}

/**
 * Locates each finding in its file, and the comments that accept it. `hash` returns a digest in hex of at least 32
 * digits; all reviews must use the same one, because fingerprints are compared.
 */
export function placeFindings(
  file: ReviewedFile,
  findings: readonly Finding[],
  hash: (text: string) => string,
): PlacedFile {
  const { locate } = createLocator(file.text);
  const starts = lineStarts(file.text);
  const suppressions = findSuppressions(file.text, file.languageId);
  const located = findings
    .map((finding) => ({ finding, place: locate(finding.quote, finding.line) }))
    .sort((a, b) => startOf(a.place) - startOf(b.place));
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const placed = located.flatMap(({ finding, place }): PlacedFinding[] => {
    const { start, end } = place.kind === 'file' ? { start: 0, end: 0 } : place;
    // Parts of a file overlap: a finding in both counts once.
    const key = JSON.stringify([finding.rule.id, start, end, place.kind === 'file' ? finding.quote : '']);
    if (seen.has(key)) return [];
    seen.add(key);
    const text = file.text.slice(start, end);
    const anchor = place.kind === 'file' ? finding.quote : text;
    const identity = [finding.rule.id, file.name, anchor.replace(/\s+/g, ' ').trim()].join('\n');
    const nth = counts.get(identity) ?? 0;
    counts.set(identity, nth + 1);
    const [firstLine, lastLine] = [lineOf(starts, start), lineOf(starts, Math.max(start, end - 1))];
    const suppression =
      place.kind === 'file' ? undefined : suppressionOf(suppressions, { rule: finding.rule.id, firstLine, lastLine });
    return [
      {
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
        text,
        fingerprint: hash(`${identity}\n${nth}`).slice(0, 32),
        suppression: suppression ?? null,
      },
    ];
  });
  return { findings: placed, uselessSuppressions: suppressions.useless };
}

function startOf(place: Place): number {
  return place.kind === 'file' ? -1 : place.start;
}
