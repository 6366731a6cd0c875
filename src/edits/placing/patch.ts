/** Lines of the file that become others: from `start` to before `end`, zero-based. */
export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}
