import type { RecognitionState } from '../../session/dispatch/excludedContent.ts';
import { describeRecognition, type Known } from './describeRecognition.ts';
import type { Unrecognized } from './readExcluded.ts';

/**
 * What is known of an excluded file. `notEncoded`: it is recognized, but not in base64. `gone`: it no longer exists, and is
 * not counted. `overLimit`: there is too much in its folder. `textless`: git ignores it, and it has no text. `tooShort`: it has
 * less text than is recognized, and no secret.
 */
export type FileState = 'recognized' | 'notEncoded' | 'gone' | 'overLimit' | 'textless' | 'tooShort' | Unrecognized;

/** Counts the files of each state. */
export function recognitionStateOf(
  states: readonly (FileState | 'unread')[],
  about: Pick<Known, 'isSearched' | 'unsearched' | 'built' | 'overLimit'>,
): RecognitionState {
  const missing: { -readonly [K in keyof Known['missing']]: number } = {};
  let [files, recognized, notEncoded, textless, tooShort] = [0, 0, 0, 0, 0];
  for (const state of states) {
    if (state === 'gone') continue;
    if (state === 'textless') textless += 1;
    else if (state === 'tooShort') tooShort += 1;
    else {
      files += 1;
      if (state === 'notEncoded') notEncoded += 1;
      if (state === 'recognized' || state === 'notEncoded') recognized += 1;
      else missing[state] = (missing[state] ?? 0) + 1;
    }
  }
  const isComplete = recognized === files && about.isSearched && about.unsearched.length === 0;
  const known = { ...about, files, recognized, notEncoded, missing, textless, tooShort };
  return {
    is: isComplete ? 'complete' : recognized === 0 ? 'none' : 'partly',
    ...{ files, recognized, others: about.built + textless + tooShort, words: describeRecognition(known) },
  };
}
