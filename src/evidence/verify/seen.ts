import { hashFromBase64 } from '../base64.ts';
import { isOrigin } from '../line.ts';
import type { Place } from './findings.ts';

/** A checkpoint that was saved outside of the log: its number of lines, and the root hash of their Merkle tree. */
export interface SeenCheckpoint extends Place {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** Finds the lines of a text that end in `<origin> <size> <root>`; the text can be the output of `git log --format=%B`. */
export function parseSeen(text: string, file: string): readonly SeenCheckpoint[] {
  return text.split('\n').flatMap((line, index) => {
    const [, origin = '', size = '', base64 = ''] =
      /(?:^|\s)(\S{1,160}) ([1-9]\d{0,6}) (\S{44})\s*$/.exec(line.slice(-400)) ?? [];
    const root = hashFromBase64(base64);
    return root === null || !isOrigin(origin) ? [] : [{ origin, size: Number(size), root, file, line: index + 1 }];
  });
}
