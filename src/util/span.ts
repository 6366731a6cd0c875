/** A piece: from `start`, counted from 0, to before `end`. Of a text in UTF-16 units, unless it is said to be of lines. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
