import type { Span } from '../../util/text/span.ts';
import { indentOf, isBlank } from '../text/lines.ts';
import { Code } from '../text/units.ts';
import { type Step, stepOf } from './indent.ts';
import type { Patch } from './patch.ts';

/** The lines of a file that an answer is for. */
export interface Region extends Span {
  /**
   * Whether the lines were given to the model, and all of them were requested. Otherwise the answer may be any part.
   */
  readonly isAsked: boolean;
}

/** A file that code is placed in. */
export interface FileText {
  readonly code: Code;
  readonly step: Step | undefined;
}

export function fileText(lines: readonly string[], languageId: string): FileText {
  const code = new Code(lines, languageId);
  return { code, step: stepOf(code) };
}

/** The place of some code, and how certain it is. */
export interface Placed {
  readonly patches: readonly Patch[];
  /** Whether the code shows where it belongs. Otherwise, it is treated as everything that was requested. */
  readonly isShown: boolean;
  /**
   * The import statements, if the code contains only imports. They also apply to a file that other code of the answer
   * changes first.
   */
  readonly imports?: readonly (readonly string[])[];
  /** Lines that would be deleted if the code is the whole, although it may be only a part. */
  readonly mayOmit?: Span & { readonly keep: readonly Patch[] | null };
}

/** The span without the blank lines at its ends. */
export function coreOf({ lines }: Code, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (from < to && isBlank(lines[from] ?? '')) from += 1;
  while (to > from && isBlank(lines[to - 1] ?? '')) to -= 1;
  return { start: from, end: to };
}

export function indentAt({ lines }: Code, line: number): string {
  return indentOf(lines[line] ?? '');
}

export function countText(lines: readonly string[]): number {
  return lines.reduce((sum, line) => (isBlank(line) ? sum : sum + 1), 0);
}
