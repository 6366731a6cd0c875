import { insertMark } from '../session/prompts/codeWords.ts';
import type { Change } from './placing/exactFit.ts';

/**
 * Returns what a diff puts in the place of the mark, without the surrounding lines that it keeps, or null if it changes
 * other lines.
 */
export function codeAtMark(changes: readonly Change[]): readonly string[] | null {
  const [change, ...others] = changes;
  const at = change?.old.findIndex((line) => line.trim() === insertMark) ?? -1;
  if (change === undefined || at === -1 || others.length > 0) return null;
  const { old, replacement } = change;
  const below = old.length - at - 1;
  const isKept =
    replacement.length >= at + below &&
    old.slice(0, at).every((line, index) => line === replacement[index]) &&
    old.slice(at + 1).every((line, index) => line === replacement[replacement.length - below + index]);
  return isKept ? replacement.slice(at, replacement.length - below) : null;
}
