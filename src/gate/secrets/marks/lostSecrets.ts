import type { Span } from '../../../util/text/span.ts';
import { SecretIndex } from './secretIndex.ts';
import type { TargetSecret } from './targetSecrets.ts';
import { remainsOfMark } from './writtenMarks.ts';

/** A place in a proposed text where a change would alter a secret. */
export interface LostSecret {
  /** The line, counted from 0. */
  readonly line: number;
  readonly character: number;
  /** The length in UTF-16 units. */
  readonly length: number;
  readonly kind: 'mark' | 'replaced-secret' | 'copied-secret';
  /** The mark, or the name of a rule. */
  readonly what: string;
}

/** Lines that replace other lines; each end is the line after the last one. */
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
  const countIn = counter(secrets);
  const [before, after] = [countIn(original), countIn(proposed)];
  const work = { left: maxSteps };
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
    const trimmed = now.map((text) => text.trim());
    const [inOld, inNow] = [countIn(old), countIn(now)];
    const isFewer = (secret: TargetSecret): boolean =>
      after.get(secret) < before.get(secret) && inNow.get(secret) < inOld.get(secret);
    const isCopied = (secret: TargetSecret): boolean =>
      after.get(secret) > before.get(secret) && inNow.get(secret) > inOld.get(secret);
    const others = [
      ...inOld.secrets.filter(isFewer).flatMap((secret) => replaced(secret, old, { now, trimmed }, work)),
      ...inNow.secrets.filter(isCopied).flatMap((secret) => lastOf(secret, now)),
    ].map((one) => ({ ...one, line: proposedStart + one.line }));
    return [...marks, ...others.filter(({ line }) => !marked.has(line))];
  });
}

/** The maximum number of steps, some 0.1 s, for a document that was made to be slow. */
const maxSteps = 3_000_000;

/**
 * The new lines that differ from an old one only in the secret's place. For a secret of several lines, or without other text
 * in its line, or if no time is left, the first line of the replacement.
 */
function replaced(
  { text, rule }: TargetSecret,
  old: readonly string[],
  { now, trimmed }: { readonly now: readonly string[]; readonly trimmed: readonly string[] },
  work: { left: number },
): readonly LostSecret[] {
  if (now.length === 0) return [];
  const lost = { kind: 'replaced-secret', what: rule } as const;
  const first: LostSecret = { ...lost, line: 0, character: 0, length: now[0]?.length ?? 0 };
  work.left -= old.length;
  if (text.includes('\n') || work.left < 0) return [first];
  const found: LostSecret[] = [];
  for (const one of old.filter((each) => each.includes(text))) {
    const at = one.indexOf(text);
    const [head, tail] = [one.slice(0, at).trim(), one.slice(at + text.length).trim()];
    work.left -= now.length;
    if (work.left < 0 || !/[\p{L}\p{N}]/u.test(head + tail)) {
      if (!found.includes(first)) found.push(first);
      continue;
    }
    const around = head.length + tail.length;
    for (const [line, other] of trimmed.entries()) {
      if (other.length < around || !other.endsWith(tail) || !other.startsWith(head)) continue;
      const whole = now[line] ?? '';
      if (whole.includes(text)) continue;
      const character = whole.indexOf(other) + head.length;
      found.push({ ...lost, line, character, length: Math.max(1, other.length - around) });
    }
  }
  return found;
}

/** The last line with a secret. */
function lastOf({ text, rule }: TargetSecret, now: readonly string[]): readonly LostSecret[] {
  const [first = ''] = text.split('\n');
  const line = now.findLastIndex((one) => one.includes(first));
  if (line === -1) return [];
  const character = now[line]?.indexOf(first) ?? 0;
  return [{ kind: 'copied-secret', what: rule, line, character, length: first.length }];
}

/** The number of times that lines contain each secret. */
interface Counts {
  /** The secrets that occur, in their order. */
  readonly secrets: readonly TargetSecret[];
  get(secret: TargetSecret): number;
}

/** Counts secrets in lines, in one pass, ignoring the indentation of the lines. */
function counter(secrets: readonly TargetSecret[]): (lines: readonly string[]) => Counts {
  const texts = new Map(secrets.map((secret) => [secret, unindented([secret.text])]));
  const index = new SecretIndex(secrets, (secret) => texts.get(secret) ?? '');
  return (lines) => {
    const text = secrets.length === 0 ? '' : unindented(lines);
    const counts = new Map<TargetSecret, { count: number; end: number }>();
    for (let at = 0; at < text.length; at += 1) {
      for (const secret of index.at(text, at)) {
        const known = counts.get(secret) ?? { count: 0, end: 0 };
        if (at < known.end) continue;
        counts.set(secret, { count: known.count + 1, end: at + (texts.get(secret)?.length ?? 0) });
      }
    }
    return {
      secrets: [...counts.keys()],
      get: (secret) => counts.get(secret)?.count ?? 0,
    };
  };
}

function unindented(lines: readonly string[]): string {
  return lines.join('\n').replace(/\n[ \t]+/g, '\n');
}
