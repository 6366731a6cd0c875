import { answers } from './answers.ts';
import { changes } from './changes.ts';
import { evidence } from './evidence.ts';
import { fingerprint } from './fingerprint.ts';
import { globs } from './globs.ts';
import type { Group } from './group.ts';
import { ignore } from './ignore.ts';
import { mask } from './mask.ts';
import { matchEdits } from './matchEdit.ts';
import { readersGroup } from './readers.ts';
import { wire } from './wire.ts';

/** All groups of `npm run fuzz`, in the order of their runs. */
export const groups: readonly Group[] = [
  wire,
  ignore,
  globs,
  mask,
  answers,
  matchEdits,
  changes,
  evidence,
  fingerprint,
  readersGroup,
];
