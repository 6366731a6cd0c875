import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import type { RecognitionState } from '../../send/excludedContent.ts';
import { describeRecognition, firstNames, type Known } from './describeRecognition.ts';
import type { Unrecognized } from './readExcluded.ts';

/**
 * How far an excluded file is recognized by its content. `notEncoded`: it is recognized, but not in base64. `gone`: it no
 * longer exists, and is not counted. `overLimit`: its folder exceeds the limits. `textless`: git ignores it, and it is
 * binary. `tooShort`: it has too little text to be recognized, and no secret.
 */
export type FileState = 'recognized' | 'notEncoded' | 'gone' | 'overLimit' | 'textless' | 'tooShort' | Unrecognized;

/**
 * Returns the state of a file from the states of its possible decodings, of which only one is right, or, with
 * `areAllNeeded`, each.
 */
export function amongReadings(states: readonly FileState[], areAllNeeded = false): FileState {
  const best = ['noRoom', 'recognized', 'notEncoded', 'tooShort'] as const;
  const worst = ['noRoom', 'notFound', 'notEncoded', 'recognized', 'tooShort'] as const;
  if (states.length === 0) return 'recognized';
  return (areAllNeeded ? worst : best).find((state) => states.includes(state)) ?? 'notFound';
}

/** The number of files in each state. */
export type StateCounts = ReadonlyMap<FileState | 'unread', number>;

export async function countOf(
  files: Iterable<string>,
  stateOf: (file: string) => FileState | 'unread',
): Promise<StateCounts> {
  const counts = new Map<FileState | 'unread', number>();
  for (const file of files) {
    if (isPauseDue()) await pause();
    const state = stateOf(file);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return counts;
}

/** Whether a file in this state stays unrecognized until it is moved or changed. A folder over the limits is named instead of its files. */
export function isToMove(state: FileState): boolean {
  return !['recognized', 'notEncoded', 'gone', 'textless', 'tooShort', 'overLimit'].includes(state);
}

/** `toMove` has the names of files; the folders that cannot be read completely are added. */
export function recognitionStateOf(
  counts: StateCounts,
  about: Pick<Known, 'isSearched' | 'unsearched' | 'built' | 'overLimit'>,
  toMove: readonly string[],
): RecognitionState {
  const missing: { -readonly [K in keyof Known['missing']]: number } = {};
  const of = (state: FileState): number => counts.get(state) ?? 0;
  const [notEncoded, textless, tooShort] = [of('notEncoded'), of('textless'), of('tooShort')];
  const recognized = of('recognized') + notEncoded;
  let files = recognized;
  for (const [state, count] of counts) {
    if (state === 'gone' || state === 'textless' || state === 'tooShort') continue;
    if (state === 'recognized' || state === 'notEncoded') continue;
    files += count;
    missing[state] = count;
  }
  const isComplete = recognized === files && about.isSearched && about.unsearched.length === 0;
  const known = { ...about, files, recognized, notEncoded, missing, textless, tooShort };
  return {
    is: isComplete ? 'complete' : recognized === 0 ? 'none' : 'partly',
    files,
    recognized,
    others: about.built + textless + tooShort,
    words: describeRecognition(known),
    toMove: firstNames([...about.overLimit, ...about.unsearched.map(({ folder }) => folder), ...toMove]),
  };
}
