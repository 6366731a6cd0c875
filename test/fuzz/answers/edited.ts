import type { Dice } from '../secretExamples.ts';

/** A file, the same file after an edit, and the lines that the edit keeps. Each line is unique. */
export interface Edited {
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly left: ReadonlySet<string>;
}

const words = ['const', 'let', 'total', 'rows', 'limit', 'name'];

export function edited(dice: Dice): Edited {
  let number = 0;
  const line = (): string => {
    number += 1;
    return `${'  '.repeat(dice.below(3))}${dice.pick(words)} ${dice.pick(words)}${number} = ${number};`;
  };
  const old = Array.from({ length: 5 + dice.below(40) }, line);
  const left = new Set(old);
  const now = old.flatMap((one) => {
    const change = dice.below(24);
    if (change > 2) return [one];
    if (change === 2) return [one, line()];
    left.delete(one);
    return change === 0 ? [] : [line()];
  });
  return { old, now, left };
}

const marks = ['// ... existing code ...', '# ...', '/* … */', '-- ... rest unchanged ...', '<!-- ... -->'];

/** Consecutive lines of the edited file, in which any line may be a changed one. */
export function linesOf({ now }: Edited, dice: Dice): readonly string[] {
  const start = dice.below(Math.max(1, now.length - 3));
  return now.slice(start, start + 4 + dice.below(now.length));
}

/**
 * Part of the edited file: some consecutive lines, possibly with a mark in place of unchanged lines. It starts and ends
 * with unchanged lines.
 */
export function fragmentOf(file: Edited, dice: Dice): readonly string[] {
  const { left } = file;
  const isLeft = (line: string): boolean => left.has(line);
  const some = linesOf(file, dice);
  const part = some.slice(some.findIndex(isLeft), some.findLastIndex(isLeft) + 1);
  if (dice.below(2) === 0) return part;
  const from = dice.below(part.length);
  let to = from;
  while (to < part.length && left.has(part[to] ?? '') && dice.below(12) > 0) to += 1;
  return to === from ? part : [...part.slice(0, from), dice.pick(marks), ...part.slice(to)];
}
