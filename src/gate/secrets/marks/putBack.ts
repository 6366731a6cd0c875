import type { TargetSecret } from './targetSecrets.ts';
import { type WrittenMark, writtenMarks } from './writtenMarks.ts';

/**
 * Returns code for a document of these lines, with its secrets restored in place of their marks. A mark is matched by
 * its tag; one without a tag, if its line equals a line of the document except for the secret. Any other mark stays:
 * the tag of another document's secret matches none here. `names` are those of the rules.
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
  let text = '';
  let at = 0;
  let count = 0;
  for (const mark of writtenMarks(proposed, names)) {
    const [secret, ...others] = mark.tag === undefined ? [] : (byTag.get(mark.tag) ?? []);
    const isSure = others.length === 0 && (mark.rule === undefined || mark.rule === secret?.rule);
    if (secret === undefined || !isSure) continue;
    text += proposed.slice(at, mark.start);
    const { written, end } = inItsPlace(secret.text, proposed, mark, original);
    text += written;
    at = end;
    count += 1;
  }
  const byLine = putBackByLine(text + proposed.slice(at), original, secrets, names);
  return { text: byLine.text, count: count + byLine.count };
}

/**
 * A secret of several lines: a mark stands in the first of them, and the others were sent as blank lines, which may or
 * may not be there now. They get the current indentation of the first one.
 */
function inItsPlace(secret: string, text: string, { start, end }: WrittenMark, original: string) {
  const lines = secret.split('\n');
  if (lines.length === 1) return { written: secret, end };
  const place = original.indexOf(secret);
  const [own, now] = [indentAt(original, Math.max(0, place)), indentAt(text, start)];
  const isIndented = own !== '' && lines.slice(1).every((line) => line.trim() === '' || line.startsWith(own));
  const moved = lines.map((line, index) =>
    index === 0 || !isIndented || line.trim() === '' ? line : now + line.slice(own.length),
  );
  // Of the blank lines that follow now, those after the secret itself stay.
  const after = blankLines(text, end);
  const kept = blankLines(original, place + secret.length).length;
  const most = lines.length - 1;
  const gone = after.length >= most ? most : Math.max(0, after.length - kept);
  return { written: moved.join('\n'), end: gone === 0 ? end : (after[gone - 1] ?? end) };
}

/** The end of each blank line after the line of `at`; empty if other text follows on that line. */
function blankLines(text: string, at: number): readonly number[] {
  const ends: number[] = [];
  const blank = /\n[ \t]*(?=\n|$)/y;
  blank.lastIndex = at;
  while (blank.test(text)) ends.push(blank.lastIndex);
  return ends;
}

function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

/**
 * Restores marks without a tag, in lines that otherwise equal a line of the document, at most as often as it occurs
 * there.
 */
function putBackByLine(text: string, original: string, secrets: readonly TargetSecret[], names: ReadonlySet<string>) {
  const single = secrets.filter((secret) => !secret.text.includes('\n'));
  const olds = original.split('\n').map((line) => line.trim());
  const lines = text.split('\n');
  const candidates = new Map<
    string,
    { readonly parts: readonly string[]; readonly rules: readonly string[]; readonly places: number[] }
  >();
  for (const [index, line] of lines.entries()) {
    const marks = [...writtenMarks(line, names)];
    if (marks.length === 0 || marks.some(({ tag }) => tag !== undefined)) continue;
    const own = line.trim();
    // It is in the document too: it is plain text.
    if (olds.includes(own)) continue;
    const shift = line.indexOf(own);
    const cuts = marks.map(({ start, end }) => [start - shift, end - shift] as const);
    const parts = [...cuts, [own.length, own.length] as const].map(([start], part) =>
      own.slice(part === 0 ? 0 : cuts[part - 1]?.[1], start),
    );
    // A line without other text equals any other.
    if (!/[\p{L}\p{N}]/u.test(parts.join(''))) continue;
    const key = JSON.stringify([parts, marks.map(({ rule }) => rule)]);
    const rules = marks.map(({ rule }) => rule ?? '');
    const known = candidates.get(key);
    if (known === undefined) candidates.set(key, { parts, rules, places: [index] });
    else known.places.push(index);
  }
  if (candidates.size === 0 || single.length === 0) return { text, count: 0 };
  let count = 0;
  for (const { parts, rules, places } of candidates.values()) {
    const fits = olds.filter((old) => isSameBut(old, parts, rules, single));
    if (fits.length < places.length || new Set(fits).size !== 1) continue;
    for (const index of places) {
      lines[index] = (/^\s*/.exec(lines[index] ?? '')?.[0] ?? '') + fits[0];
      count += parts.length - 1;
    }
  }
  return { text: lines.join('\n'), count };
}

/**
 * Whether a line consists of these parts with a secret of the given rule (or of any, if none is given) between them.
 */
function isSameBut(
  line: string,
  parts: readonly string[],
  rules: readonly string[],
  secrets: readonly TargetSecret[],
): boolean {
  if (!line.startsWith(parts[0] ?? '')) return false;
  const from = (at: number, part: number): boolean => {
    const next = parts[part];
    if (next === undefined) return at === line.length;
    const rule = rules[part - 1] ?? '';
    return secrets.some(
      (secret) =>
        (rule === '' || rule === secret.rule) &&
        line.startsWith(secret.text, at) &&
        line.startsWith(next, at + secret.text.length) &&
        from(at + secret.text.length + next.length, part + 1),
    );
  };
  return from((parts[0] ?? '').length, 1);
}
