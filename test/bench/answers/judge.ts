import { type Answer, type Place, replaced } from './corpus.ts';
import type { JobResult, Outcome } from './host/jobs.ts';

export const verdicts = ['right', 'further', 'asked', 'refused', 'wrong'] as const;
/** `further`: right after another request that the extension made by itself; `asked`: after a question to the user. */
export type Verdict = (typeof verdicts)[number];

/** What an answer should lead to: a text, and its file; the path is empty for what is in no file. */
export function meantBy(
  { meant }: Answer,
  place: Place,
  before: string,
): { readonly path: string; readonly text: string } {
  if (place.way === 'commit') return { path: '', text: String(meant) };
  const path = place.creates ?? place.file;
  return { path, text: typeof meant === 'string' ? meant : replaced(before, meant) };
}

/** Compares the text that was placed with the text that is meant. */
export function judge({ before, outcomes }: JobResult, answer: Answer, place: Place): Verdict {
  const meant = meantBy(answer, place, before);
  const isRight = ({ placed }: Outcome): boolean =>
    placed !== null && placed.path === meant.path && sameText(placed.text, meant.text);
  const [first] = outcomes;
  if (first === undefined) throw new Error(`Answer ${answer.id} was not placed.`);
  if (first.questions.length === 0) {
    if (isRight(first)) return first.requests > 1 ? 'further' : 'right';
    // The user is told if a part was refused.
    if (first.placed !== null) return first.refusal === '' ? 'wrong' : 'refused';
    // Nothing was to change, and the user is told that.
    return typeof meant !== 'string' && sameText(meant.text, before) && place.creates === undefined
      ? 'right'
      : 'refused';
  }
  if (outcomes.some(isRight)) return 'asked';
  return outcomes.some(({ placed }) => placed !== null) ? 'wrong' : 'refused';
}

/** White space at the ends of lines, and blank lines at the end, are no difference. */
export function sameText(one: string, other: string): boolean {
  const plain = (text: string): string => text.replace(/[ \t\r]+$/gm, '').trimEnd();
  return plain(one) === plain(other);
}

/** About as many as a model's, for code. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 3.6);
}
