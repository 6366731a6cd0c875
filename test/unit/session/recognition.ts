import { Fingerprints } from '../../../src/gate/fingerprints/fingerprints.ts';
import type { Recognition, RecognitionState } from '../../../src/send/excludedContent.ts';
import { finished } from '../../tools/processorTime.ts';

/** No file is excluded. */
export const nothingExcluded: RecognitionState = { is: 'complete', files: 0, recognized: 0, others: 0, words: '' };

/** A preview without anything of an excluded file. */
export const nothingLeftOut = { leftOut: [], recognition: nothingExcluded } as const;

/** Recognizes these files with credentials, by their names. */
export function recognizing(files: Readonly<Record<string, string>>): Recognition {
  const names = Object.keys(files);
  const prints = new Fingerprints();
  for (const [index, text] of Object.values(files).entries()) {
    finished(prints.add({ file: index + 1, text, isCredential: true }));
  }
  return {
    state: { ...nothingExcluded, files: names.length, recognized: names.length },
    find: async (text, only) => finished(prints.find(text, only)),
    nameOf: (file) => names[file - 1] ?? '',
    isCurrent: async () => true,
    isReadAfterMove: async () => false,
  };
}
