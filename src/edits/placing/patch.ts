/** A replacement for lines of the file: from `start` to before `end`, zero-based. */
export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Thrown if an answer could not be placed. `line` is its line that has no place, zero-based. */
export class Unplaced extends Error {
  readonly line: number;

  constructor(line: number) {
    super('No place.');
    this.line = line;
  }
}

/** Thrown if a class of the answer has none of the members of the class in the file: it would delete them all. */
export class OtherMembers extends Unplaced {}
