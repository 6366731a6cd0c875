/** Lines counted from 1, both inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export function touches(ranges: readonly LineRange[], first: number, last: number): boolean {
  return ranges.some((range) => range.first <= last && range.last >= first);
}
