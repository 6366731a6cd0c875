import { readAnswer } from '../../../../edits/reading/answer.ts';
import { blocksForFiles } from '../../../../edits/reading/forFiles.ts';
import type { Turn } from '../../../../session/conversation/turn.ts';

/** Cached, because a turn never changes: a new object replaces it. */
const known = new WeakMap<Turn, boolean>();

/** Whether several blocks of an ended answer name a file. */
export function hasFiles(turn: Turn): boolean {
  // Most answers have no code and need not be parsed.
  if (!/(?:`{3}|~{3}|<{5})/.test(turn.answer.text)) return false;
  let has = known.get(turn);
  if (has === undefined) {
    has = blocksForFiles(readAnswer(turn.answer.text)).named.length > 1;
    known.set(turn, has);
  }
  return has;
}
