/**
 * A range: from `start`, counted from 0, up to `end` (exclusive). In UTF-16 units of a text, unless documented as
 * lines.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}
