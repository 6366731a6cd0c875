import { BelowNames } from './assignedBelow.ts';
import { assignedInLine } from './assignedInLine.ts';
import { type Assigned, isSecret, minValueLength, secretName } from './values.ts';

/** The maximum length of a line with an assignment; a longer line is prose or data. */
const maxLineLength = 4_000;
/** The number of UTF-16 units of lines that are read between two chances to pause. */
const unitsAtOnce = 8_192;
const lineEnd = /\r\n|\r|\n/g;

/** The lines of a text. Yields null where it may pause. */
function* linesIn(text: string): Generator<string | null> {
  for (let start = 0, paused = 0; start < text.length; ) {
    lineEnd.lastIndex = start;
    const end = lineEnd.exec(text);
    const line = text.slice(start, end?.index);
    start = end === null ? text.length : end.index + end[0].length;
    yield line;
    if (start - paused < unitsAtOnce) continue;
    paused = start;
    yield null;
  }
}

/**
 * The values in a file that holds credentials: in a line with their name, below it, or without a name (assignedInLine.ts,
 * assignedBelow.ts). One line can be read in more than one way: all readings are used. Yields null where it may pause.
 */
export function* assignedIn(text: string): Generator<Assigned | null> {
  const below = new BelowNames();
  for (const line of linesIn(text)) {
    if (line === null) yield null;
    else if (line.length <= maxLineLength) {
      if (line.length >= minValueLength) yield* assignedInLine(line);
      yield* below.read(line);
    }
  }
}

/** Like assignedIn(), as one list. */
export function* allAssignedIn(text: string): Generator<null, readonly Assigned[]> {
  const all: Assigned[] = [];
  for (const assigned of assignedIn(text)) {
    if (assigned === null) yield null;
    else all.push(assigned);
  }
  return all;
}

const comment = /^(?:#|;|\/\/)/;

/**
 * Whether a short file with credentials may hold a secret that is too short to be recognized: it has text other than
 * assignments, or the name of a secret. `PORT=3000` has neither. Yields null where it may pause.
 */
export function* mayHaveSecret(text: string): Generator<null, boolean> {
  for (const line of linesIn(text)) {
    if (line === null) {
      yield null;
      continue;
    }
    const words = line.trim();
    if (!/[\p{L}\d]/u.test(words)) continue;
    if (comment.test(words)) {
      if (secretName.test(words)) return true;
      continue;
    }
    const all = words.length > maxLineLength ? [] : assignedInLine(words);
    if (all.length === 0 || all.some(isSecret)) return true;
  }
  return false;
}
