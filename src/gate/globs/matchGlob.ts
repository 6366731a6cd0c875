import type { Part } from './parseGlob.ts';

/** The kinds of steps. The first five match one character and continue with the next step. */
const op = { unit: 0, list: 1, separator: 2, any: 3, all: 4, fork: 5, jump: 6, end: 7 } as const;

interface List {
  readonly ranges: readonly (readonly [number, number])[];
  readonly isNegated: boolean;
}

/**
 * The steps of a glob. Their number is at most 16 times the length of the glob, and matching visits each at most once for
 * each character, so that the time is bounded by the product of both lengths.
 */
export interface GlobProgram {
  readonly ops: Uint8Array;
  /** The argument of each step: the unit; the index of a list; the target of a jump, or of a fork, which also continues. */
  readonly args: Uint32Array;
  readonly lists: readonly List[];
  /** The total work for one character: steps, and ranges of lists. */
  readonly cost: number;
  readonly memory: Memory;
}

/** The buffers of a match, which are kept for the next one. */
interface Memory {
  now: Uint32Array;
  next: Uint32Array;
  /** The number of the last character, counted over all matches, for which a step was reached. */
  readonly reached: Float64Array;
  count: number;
  readonly open: number[];
}

export function compileGlob(parts: readonly Part[]): GlobProgram {
  const steps = new Steps();
  steps.addAll(parts);
  return steps.program();
}

class Steps {
  readonly #ops: number[] = [];
  readonly #args: number[] = [];
  readonly #lists: List[] = [];

  program(): GlobProgram {
    this.#push(op.end);
    const cost = this.#lists.reduce((sum, { ranges }) => sum + ranges.length, this.#ops.length);
    const { length } = this.#ops;
    const [now, next, reached] = [new Uint32Array(length), new Uint32Array(length), new Float64Array(length)];
    return {
      ops: Uint8Array.from(this.#ops),
      args: Uint32Array.from(this.#args),
      lists: this.#lists,
      cost,
      memory: { now, next, reached, count: 0, open: [] },
    };
  }

  addAll(parts: readonly Part[]): void {
    for (const part of parts) this.#add(part);
  }

  #add(part: Part): void {
    switch (part.is) {
      case 'unit':
        this.#push(op.unit, part.unit);
        return;
      case 'list':
        this.#push(op.list, this.#lists.push(part) - 1);
        return;
      case 'separator':
        this.#push(op.separator);
        return;
      case 'any':
        this.#push(op.any);
        return;
      case 'star':
        this.#repeat(() => this.#push(op.any));
        return;
      case 'everything':
        this.#repeat(() => this.#push(op.all));
        return;
      case 'names':
        this.#names(part.isLast);
        return;
      case 'choice':
        // Empty braces match only the empty text.
        if (part.choices.length > 0) this.#choose(part.choices.map((choice) => () => this.addAll(choice)));
    }
  }

  #push(code: number, arg = 0): number {
    this.#args.push(arg);
    return this.#ops.push(code) - 1;
  }

  /** A slash or a name with its slash, any number of times; at the end also a slash with its name. */
  #names(isLast: boolean): void {
    const name = (): void => this.#repeat(() => this.#push(op.any));
    const before = (): void => {
      name();
      this.#push(op.separator);
    };
    const after = (): void => {
      this.#push(op.separator);
      name();
    };
    this.#repeat(() => this.#choose(isLast ? [before, after] : [before]));
  }

  #repeat(add: () => void): void {
    const fork = this.#push(op.fork);
    add();
    this.#push(op.jump, fork);
    this.#args[fork] = this.#ops.length;
  }

  #choose(choices: readonly (() => void)[]): void {
    const ends: number[] = [];
    choices.forEach((add, index) => {
      const isLast = index === choices.length - 1;
      const fork = isLast ? null : this.#push(op.fork);
      add();
      if (fork === null) return;
      ends.push(this.#push(op.jump));
      this.#args[fork] = this.#ops.length;
    });
    for (const end of ends) this.#args[end] = this.#ops.length;
  }
}

/** A path to be matched, in the forms that all globs need. */
export interface GlobPath {
  readonly text: string;
  readonly lower: string;
  readonly upper: string;
}

/**
 * Prepares a path. With `ignoresCase`, a character matches if it does in any case. A negated list is the exception: it
 * compares a character in its own case, because VS Code reads the setting with its case on every disk.
 */
export function globPath(text: string, ignoresCase: boolean): GlobPath {
  if (!ignoresCase) return { text, lower: text, upper: text };
  const fold = (to: (unit: number) => number): string => {
    let folded = '';
    for (let at = 0; at < text.length; at += 1) folded += String.fromCharCode(to(text.charCodeAt(at)));
    return folded;
  };
  return { text, lower: fold(lowerOf), upper: fold(upperOf) };
}

/** The lower case of one UTF-16 unit, or the unit itself if that takes more than one unit. */
function lowerOf(unit: number): number {
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
  const lower = String.fromCharCode(unit).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

function upperOf(unit: number): number {
  if (unit < 0x80) return unit >= 0x61 && unit <= 0x7a ? unit - 0x20 : unit;
  const upper = String.fromCharCode(unit).toUpperCase();
  return upper.length === 1 ? upper.charCodeAt(0) : unit;
}

/** Whether a glob matches a whole path, in VS Code's meaning. */
export function matchesGlob(program: GlobProgram, path: GlobPath, ignoresCase: boolean): boolean {
  const { memory } = program;
  memory.count += 1;
  let count = reach(program, 0, memory.now, 0);
  for (let at = 0; at < path.text.length && count > 0; at += 1) {
    const { now, next } = memory;
    memory.count += 1;
    let found = 0;
    for (let index = 0; index < count; index += 1) {
      const step = now[index] ?? 0;
      if (takes(program, step, path, at, ignoresCase)) found = reach(program, step + 1, next, found);
    }
    memory.now = next;
    memory.next = now;
    count = found;
  }
  return memory.now.subarray(0, count).includes(program.ops.length - 1);
}

/** Adds the steps that are reached from a step without a character to a list. Returns the new length of the list. */
function reach({ ops, args, memory }: GlobProgram, from: number, list: Uint32Array, length: number): number {
  const { reached, open, count } = memory;
  let end = length;
  open.push(from);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached[at] === count) continue;
    reached[at] = count;
    const code = ops[at];
    if (code === op.fork) open.push(args[at] ?? 0, at + 1);
    else if (code === op.jump) open.push(args[at] ?? 0);
    else list[end++] = at;
  }
  return end;
}

function takes(program: GlobProgram, step: number, path: GlobPath, at: number, ignoresCase: boolean): boolean {
  const unit = path.text.charCodeAt(at);
  const arg = program.args[step] ?? 0;
  switch (program.ops[step]) {
    case op.unit:
      return arg === unit || (ignoresCase && isSameLetter(arg, path, at));
    case op.list: {
      const list = program.lists[arg];
      return list !== undefined && isInList(list, unit, path, at, ignoresCase);
    }
    case op.separator:
      return isSeparator(unit);
    case op.any:
      return !isSeparator(unit);
    default:
      return program.ops[step] === op.all;
  }
}

function isSameLetter(unit: number, { lower, upper }: GlobPath, at: number): boolean {
  return lowerOf(unit) === lower.charCodeAt(at) || upperOf(unit) === upper.charCodeAt(at);
}

function isInList(list: List, unit: number, { lower, upper }: GlobPath, at: number, ignoresCase: boolean): boolean {
  const { ranges, isNegated } = list;
  if (isNegated) return !isIn(ranges, unit);
  if (isIn(ranges, unit)) return true;
  return ignoresCase && (isIn(ranges, lower.charCodeAt(at)) || isIn(ranges, upper.charCodeAt(at)));
}

function isIn(ranges: readonly (readonly [number, number])[], unit: number): boolean {
  for (const [first, last] of ranges) if (unit >= first && unit <= last) return true;
  return false;
}

/** Whether a unit is `/` or `\`, which VS Code treats as separators on every system. */
function isSeparator(unit: number): boolean {
  return unit === 0x2f || unit === 0x5c;
}
