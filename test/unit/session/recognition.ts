import { Fingerprints } from '../../../src/gate/fingerprints/fingerprints.ts';
import type { Recognition, RecognitionState } from '../../../src/send/excludedContent.ts';

/** No file is excluded. */
export const nothingExcluded: RecognitionState = { is: 'complete', files: 0, recognized: 0, others: 0, words: '' };

/** A preview without anything of an excluded file. */
export const nothingLeftOut = { leftOut: [], recognition: nothingExcluded } as const;

/** Recognizes these files with credentials, by their names. */
export function recognizing(files: Readonly<Record<string, string>>): Recognition {
  const names = Object.keys(files);
  const prints = new Fingerprints();
  for (const [index, text] of Object.values(files).entries()) {
    ended(prints.add({ file: index + 1, text, isCredential: true }));
  }
  return {
    state: { ...nothingExcluded, files: names.length, recognized: names.length },
    find: async (text, only) => ended(prints.find(text, only)),
    nameOf: (file) => names[file - 1] ?? '',
    isCurrent: async () => true,
    isReadAfterMove: async () => false,
  };
}

function ended<T>(work: Generator<null, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
