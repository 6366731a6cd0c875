import { keeperOf, type SecretKeeper } from '../../../gate/secrets/marks/keeper.ts';
import { marksOf } from '../../../platform/sources/scans.ts';
import { linesOf } from '../common/hunks.ts';
import type { Target } from './target.ts';

/**
 * Collects the secrets of the target document, which the model saw as marks: those of the whole document, and those of
 * each place. A new document has no secrets: secrets masked elsewhere are not written to it.
 */
export async function keeperFor(target: Target): Promise<SecretKeeper> {
  if (target.kind !== 'document') return keeperOf({ text: '', marks: [] }, []);
  const { text, places } = target;
  const marks = await marksOf(text);
  const starts = lineStarts(text);
  const parts = places
    .map(({ start, end }) => ({ from: starts[start] ?? text.length, to: starts[end] ?? text.length }))
    .filter(({ from, to }) => from < to && (from > 0 || to < text.length))
    .map(({ from, to }) => ({
      text: text.slice(from, to),
      marks: marks
        .filter(({ start, end }) => start < to && end > from)
        .map(({ rule, start, end }) => ({ rule, start: Math.max(start, from) - from, end: Math.min(end, to) - from })),
    }));
  return keeperOf({ text, marks }, parts);
}

/** The code blocks with their marks replaced with the target's own secrets, and the number of replacements. */
export async function withSecretsBack(
  target: Target,
  codes: readonly string[],
): Promise<{ readonly whole: readonly string[]; readonly count: number }> {
  if (target.kind !== 'document') return { whole: codes, count: 0 };
  const keeper = await keeperFor(target);
  const restored = codes.map((code) => keeper.putBack(code, linesOf(target.text)));
  return { whole: restored.map(({ text }) => text), count: restored.reduce((sum, { count }) => sum + count, 0) };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const line of linesOf(text)) {
    const end = (starts.at(-1) ?? 0) + line.length;
    starts.push(end + (text.startsWith('\r\n', end) ? 2 : 1));
  }
  return starts;
}
