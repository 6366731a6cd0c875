/** Lines of the file that become others: from `start` to before `end`, zero-based. */
export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Why an answer has no place: the line of it that has none, zero-based. */
export class Unplaced extends Error {
  readonly line: number;

  constructor(line: number) {
    super('No place.');
    this.line = line;
  }
}

/** A class of the answer has none of the members that the one of the file has: it would delete them all. */
export class OtherMembers extends Unplaced {}
