import type { Span } from '../../../util/text/span.ts';
import type { TargetSecret } from './targetSecrets.ts';
import { remainsOfMark } from './writtenMarks.ts';

/** A place in a proposed text where a change would alter a secret. */
export interface LostSecret {
  /** Counted from 0. */
  readonly line: number;
  readonly character: number;
  /** In UTF-16 units. */
  readonly length: number;
  readonly kind: 'mark' | 'replaced-secret' | 'copied-secret';
  /** The mark, or the name of a rule. */
  readonly what: string;
}

/** Lines that replace others; each end is the line after the last. */
export interface Change extends Span {
  readonly proposedStart: number;
  readonly proposedEnd: number;
}

/**
 * Finds the secrets that a change of lines would damage: a mark that could not be restored, other text in a secret's
 * place, a secret with more occurrences than before. A removed line that contains a secret is visible in the diff and
 * is not reported.
 */
export function lostSecrets(
  original: readonly string[],
  proposed: readonly string[],
  changes: readonly Change[],
  secrets: readonly TargetSecret[],
  names: ReadonlySet<string>,
): readonly LostSecret[] {
  const known = new Set(original.map((line) => line.trim()));
  const [before, after] = secrets.length === 0 ? ['', ''] : [unindented(original), unindented(proposed)];
  const fewer = secrets.filter(({ text }) => countOf(after, text) < countOf(before, text));
  const copied = secrets.filter(({ text }) => countOf(after, text) > countOf(before, text));
  return changes.flatMap((change) => {
    const { start, end, proposedStart, proposedEnd } = change;
    const [old, now] = [original.slice(start, end), proposed.slice(proposedStart, proposedEnd)];
    const marks = now.flatMap((text, index): readonly LostSecret[] => {
      const mark = known.has(text.trim()) ? null : remainsOfMark(text, names);
      if (mark === null) return [];
      const what = text.slice(mark.index, mark.index + mark.length);
      return [{ line: proposedStart + index, character: mark.index, length: mark.length, kind: 'mark', what }];
    });
    const marked = new Set(marks.map(({ line }) => line));
    const others = [
      ...fewer.flatMap((secret) => replaced(secret, old, now)),
      ...copied.flatMap((secret) => moreOften(secret, old, now)),
    ].map((one) => ({ ...one, line: proposedStart + one.line }));
    return [...marks, ...others.filter(({ line }) => !marked.has(line))];
  });
}

/**
 * Lines that differ only in the secret's place. A secret of several lines, or without other text in its line, has no
 * such lines: then the first line of the replacement.
 */
function replaced({ text, rule }: TargetSecret, old: readonly string[], now: readonly string[]): readonly LostSecret[] {
  if (now.length === 0 || countOf(unindented(now), text) >= countOf(unindented(old), text)) return [];
  const lost = { kind: 'replaced-secret', what: rule } as const;
  const first: LostSecret = { ...lost, line: 0, character: 0, length: now[0]?.length ?? 0 };
  if (text.includes('\n')) return [first];
  const found: LostSecret[] = [];
  for (const one of old.filter((each) => each.includes(text))) {
    const at = one.indexOf(text);
    const [head, tail] = [one.slice(0, at).trim(), one.slice(at + text.length).trim()];
    if (!/[\p{L}\p{N}]/u.test(head + tail)) {
      if (!found.includes(first)) found.push(first);
      continue;
    }
    for (const [line, other] of now.entries()) {
      const own = other.trim();
      const isKept = other.includes(text) || own.length < head.length + tail.length;
      if (isKept || !own.startsWith(head) || !own.endsWith(tail)) continue;
      const character = other.indexOf(own) + head.length;
      found.push({ ...lost, line, character, length: Math.max(1, own.length - head.length - tail.length) });
    }
  }
  return found;
}

function moreOften(
  { text, rule }: TargetSecret,
  old: readonly string[],
  now: readonly string[],
): readonly LostSecret[] {
  if (countOf(unindented(now), text) <= countOf(unindented(old), text)) return [];
  const [first = ''] = text.split('\n');
  const line = now.findLastIndex((one) => one.includes(first));
  if (line === -1) return [];
  const character = now[line]?.indexOf(first) ?? 0;
  return [{ kind: 'copied-secret', what: rule, line, character, length: first.length }];
}

/** The number of times a text contains a secret, ignoring the indentation of its lines: `text` has no indentation. */
function countOf(text: string, secret: string): number {
  return text.split(unindented([secret])).length - 1;
}

function unindented(lines: readonly string[]): string {
  return lines.join('\n').replace(/\n[ \t]+/g, '\n');
}
