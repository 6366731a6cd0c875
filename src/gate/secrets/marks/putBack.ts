import { SecretLines } from './secretLines.ts';
import type { TargetSecret } from './targetSecrets.ts';
import { type WrittenMark, writtenMarks } from './writtenMarks.ts';

/**
 * Returns code for a document of these lines, with its secrets restored in place of their marks. A mark is matched by its tag;
 * a mark without a tag is restored if its line equals a line of the document except for the secret. Any other mark stays, such
 * as the mark of another document's secret. `names` are the names of the rules.
 */
export function putBack(
  code: string,
  lines: readonly string[],
  secrets: readonly TargetSecret[],
  names: ReadonlySet<string>,
): { readonly text: string; readonly count: number } {
  if (secrets.length === 0 || !/masked/i.test(code)) return { text: code, count: 0 };
  const [proposed, original] = [code.replace(/\r\n?/g, '\n'), lines.join('\n')];
  const byTag = Map.groupBy(secrets, ({ tag }) => tag);
  const places = new Map<string, Place>();
  let text = '';
  let at = 0;
  let count = 0;
  for (const mark of writtenMarks(proposed, names)) {
    const [secret, ...others] = mark.tag === undefined ? [] : (byTag.get(mark.tag) ?? []);
    const isSure = others.length === 0 && (mark.rule === undefined || mark.rule === secret?.rule);
    if (secret === undefined || !isSure) continue;
    text += proposed.slice(at, mark.start);
    const place = places.get(secret.text) ?? placeOf(secret.text, original);
    places.set(secret.text, place);
    const { written, end } = inItsPlace(secret.text, proposed, mark, place);
    text += written;
    at = end;
    count += 1;
  }
  const byLine = putBackByLine(text + proposed.slice(at), original, secrets, names);
  return { text: byLine.text, count: count + byLine.count };
}

/** The place of a secret of several lines in the document. */
interface Place {
  readonly indent: string;
  /** The number of blank lines after the secret. */
  readonly blank: number;
}

function placeOf(secret: string, original: string): Place {
  if (!secret.includes('\n')) return { indent: '', blank: 0 };
  const at = original.indexOf(secret);
  return {
    indent: indentAt(original, Math.max(0, at)),
    blank: blankLines(original, at + secret.length, Number.POSITIVE_INFINITY).length,
  };
}

/**
 * Restores a secret. Of a secret of several lines, the first one has the mark, and the others were sent as blank lines, which
 * may or may not still exist. They get the current indentation of the first one.
 */
function inItsPlace(
  secret: string,
  text: string,
  { start, end }: WrittenMark,
  { indent: originalIndent, blank }: Place,
) {
  const lines = secret.split('\n');
  if (lines.length === 1) return { written: secret, end };
  const now = indentAt(text, start);
  const isIndented =
    originalIndent !== '' && lines.slice(1).every((line) => line.trim() === '' || line.startsWith(originalIndent));
  const moved = lines.map((line, index) =>
    index === 0 || !isIndented || line.trim() === '' ? line : now + line.slice(originalIndent.length),
  );
  // The blank lines after the secret itself stay.
  const max = lines.length - 1;
  const after = blankLines(text, end, max + blank);
  const removedCount = after.length >= max ? max : Math.max(0, after.length - blank);
  return { written: moved.join('\n'), end: removedCount === 0 ? end : (after[removedCount - 1] ?? end) };
}

/** The ends of the first blank lines after the line of `at`; empty if other text follows on that line. */
function blankLines(text: string, at: number, max: number): readonly number[] {
  const ends: number[] = [];
  const blank = /\n[ \t]*(?=\n|$)/y;
  blank.lastIndex = at;
  while (ends.length < max && blank.test(text)) ends.push(blank.lastIndex);
  return ends;
}

function indentAt(text: string, at: number): string {
  // The start of a longer line is not the indentation of a block.
  const line = text.slice(Math.max(0, at - 1_000), at);
  const start = line.lastIndexOf('\n') + 1;
  return start === 0 && at > line.length ? '' : (/^[ \t]*/.exec(line.slice(start))?.[0] ?? '');
}

/** A line, which may occur several times, with marks without a tag. */
interface Candidate {
  /** The text around the marks. */
  readonly parts: readonly string[];
  /** The rule of each mark; '' if the mark names none. */
  readonly rules: readonly string[];
  readonly places: number[];
}

/**
 * Restores marks without a tag, in lines that otherwise equal a line of the document, at most as often as it occurs
 * there.
 */
function putBackByLine(text: string, original: string, secrets: readonly TargetSecret[], names: ReadonlySet<string>) {
  const single = secrets.filter((secret) => !secret.text.includes('\n'));
  const olds = original.split('\n').map((line) => line.trim());
  const lines = text.split('\n');
  const candidates = single.length === 0 ? [] : candidatesIn(lines, new Set(olds), names);
  if (candidates.length === 0) return { text, count: 0 };
  const known = new SecretLines(olds, single);
  let count = 0;
  for (const { parts, rules, places } of candidates) {
    const fit = known.only(parts, rules);
    if (fit === null || fit.count < places.length) continue;
    for (const index of places) {
      lines[index] = (/^\s*/.exec(lines[index] ?? '')?.[0] ?? '') + fit.line;
      count += parts.length - 1;
    }
  }
  return { text: lines.join('\n'), count };
}

function candidatesIn(
  lines: readonly string[],
  olds: ReadonlySet<string>,
  names: ReadonlySet<string>,
): readonly Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const [index, line] of lines.entries()) {
    const marks = [...writtenMarks(line, names)];
    if (marks.length === 0 || marks.some(({ tag }) => tag !== undefined)) continue;
    const trimmed = line.trim();
    // The line is in the document too, so it is plain text.
    if (olds.has(trimmed)) continue;
    const shift = line.indexOf(trimmed);
    const cuts = marks.map(({ start, end }) => [start - shift, end - shift] as const);
    const parts = [...cuts, [trimmed.length, trimmed.length] as const].map(([start], part) =>
      trimmed.slice(part === 0 ? 0 : cuts[part - 1]?.[1], start),
    );
    // A line without other text would equal any line.
    if (!/[\p{L}\p{N}]/u.test(parts.join(''))) continue;
    const rules = marks.map(({ rule }) => rule ?? '');
    const key = JSON.stringify([parts, rules]);
    const known = candidates.get(key);
    if (known === undefined) candidates.set(key, { parts, rules, places: [index] });
    else known.places.push(index);
  }
  return [...candidates.values()];
}
