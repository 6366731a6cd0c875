import { insertMark } from '../session/prompts/codeWords.ts';
import type { Change } from './placing/exactFit.ts';

/** What a diff puts in the place of the mark, without the lines around it that it keeps; null where it is about others. */
export function codeAtMark(changes: readonly Change[]): readonly string[] | null {
  const [change, ...others] = changes;
  const at = change?.old.findIndex((line) => line.trim() === insertMark) ?? -1;
  if (change === undefined || at === -1 || others.length > 0) return null;
  const { old, now } = change;
  const below = old.length - at - 1;
  const isKept =
    now.length >= at + below &&
    old.slice(0, at).every((line, index) => line === now[index]) &&
    old.slice(at + 1).every((line, index) => line === now[now.length - below + index]);
  return isKept ? now.slice(at, now.length - below) : null;
}
