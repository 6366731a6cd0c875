import type { Code, Unit } from '../text/units.ts';
import { textOf } from './keys.ts';

/** The maximum number of pairs of members that are compared. */
const maxPairs = 10_000;

/**
 * Returns the named members of a class in a file that a class of an answer has under a new name, with the same members before and
 * after it.
 */
export function renamedMembers(
  code: Code,
  members: readonly Unit[],
  file: Code,
  fileMembers: readonly Unit[],
): readonly Unit[] {
  const fileNames = new Set(fileMembers.map(({ name }) => name));
  const common = new Set(members.flatMap(({ name }) => (fileNames.has(name) ? [name] : [])));
  const isCommon = ({ name }: Unit): boolean => common.has(name);
  const othersOf = ({ lines }: Code, units: readonly Unit[]) =>
    units.flatMap((unit, at) => {
      if (isCommon(unit)) return [];
      const around = `${units.slice(0, at).findLast(isCommon)?.name}\n${units.slice(at).find(isCommon)?.name}`;
      return [{ unit, around, lines: lines.slice(unit.head, unit.end) }];
    });
  const [added, missing] = [othersOf(code, members), othersOf(file, fileMembers)];
  if (added.length * missing.length > maxPairs) return [];
  return missing.flatMap(({ unit, around, lines }) =>
    added.some((each) => each.around === around && isRenaming(each.lines, lines)) ? [unit] : [],
  );
}

const words = /[\p{L}\p{N}_$]+/gu;

/** Whether the code is the old lines with one word replaced with another everywhere. */
export function isRenaming(code: readonly string[], old: readonly string[]): boolean {
  return replacedWord(trimmed(code), trimmed(old)) !== null;
}

/**
 * Finds the units of an answer that are units of a file under a new name. The file must use the old name outside the unit, and the
 * answer must not contain it.
 */
export class Renamings {
  readonly #code: Code;
  readonly #file: Code;
  readonly #fileLines: ReadonlyMap<string, readonly number[]>;
  readonly #codeWords: ReadonlySet<string>;
  /** The units of the answer that the file does not have, by their texts without words; null if several have the same. */
  readonly #units = new Map<string, Unit | null>();

  constructor(code: Code, file: Code) {
    this.#code = code;
    this.#file = file;
    this.#fileLines = linesByWord(file.lines);
    this.#codeWords = new Set(code.lines.flatMap((line) => line.match(words) ?? []));
    const known = new Set(file.units().map((unit) => textOf(file, unit)));
    for (const unit of code.units()) {
      const text = textOf(code, unit);
      if (known.has(text)) continue;
      const shape = shapeOf(text);
      this.#units.set(shape, this.#units.has(shape) ? null : unit);
    }
  }

  /** Returns the unit of the answer that is a unit of the file under a new name, or null if there is none, or several could be. */
  of(unit: Unit): Unit | null {
    const text = textOf(this.#file, unit);
    const found = this.#units.get(shapeOf(text)) ?? null;
    if (found === null) return null;
    const word = replacedWord(textOf(this.#code, found), text);
    return word !== null && this.#isGone(word, unit) ? found : null;
  }

  /** Whether the whole answer is these lines of the file with a new name. */
  isWhole(old: readonly string[]): boolean {
    const word = replacedWord(trimmed(this.#code.lines), trimmed(old));
    return (
      word !== null &&
      this.#isGone(
        word,
        this.#file.units().find(({ name }) => name === word),
      )
    );
  }

  /** Whether the name is used outside its unit, and not by the answer. If only its unit has it, the answer may add a similar unit. */
  #isGone(word: string, unit: Unit | undefined): boolean {
    if (this.#codeWords.has(word)) return false;
    const lines = this.#fileLines.get(word) ?? [];
    if (unit === undefined) return lines.length > 1;
    return lines.some((line) => line < unit.start || line >= unit.end);
  }
}

function linesByWord(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    for (const word of new Set(line.match(words))) {
      const known = found.get(word);
      if (known === undefined) found.set(word, [at]);
      else known.push(at);
    }
  }
  return found;
}

/** Returns the word of the old text that the new one replaces everywhere, or null if there is any other difference. */
function replacedWord(text: string, oldText: string): string | null {
  if (shapeOf(text) !== shapeOf(oldText)) return null;
  const [now, before] = [text.match(words) ?? [], oldText.match(words) ?? []];
  const at = before.findIndex((word, index) => word !== now[index]);
  const isEverywhere = before.every((word, index) => now[index] === (word === before[at] ? now[at] : word));
  return at !== -1 && isEverywhere ? (before[at] ?? null) : null;
}

function shapeOf(text: string): string {
  return text.replace(words, 'a');
}

function trimmed(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join('\n');
}
