import type { Span } from '../util/text/span.ts';
import { isComment } from './placing/bodies.ts';
import { isImport } from './placing/imports.ts';
import { trimLines } from './text/lines.ts';
import { Code } from './text/units.ts';

/**
 * Returns the line at which code of an answer begins to replace a symbol. If the code has no comments and decorators,
 * this is the declaration, so that the comments and decorators of the file stay. Code that changes nothing else is
 * meant to remove them. `head`: the line of the declaration.
 */
export function startFor(
  file: Code,
  { start, end, head }: Span & { readonly head?: number },
  lines: readonly string[],
): number {
  if (head === undefined || head <= start) return start;
  const answerCode = new Code(lines, file.languageId);
  const first = answerCode.units().find((unit) => !isImport(answerCode, unit));
  if (first === undefined || first.head > first.start || isComment(answerCode, first)) return start;
  const text = (all: readonly string[]): string => trimLines(all.map((line) => line.trim())).join('\n');
  return text(lines.slice(first.start)) === text(file.lines.slice(head, end)) ? start : head;
}

/** The first line of a declaration after its comments and decorators. */
export function headOf(lines: readonly string[], languageId: string, { start, end }: Span): number {
  return start + (new Code(lines.slice(start, end), languageId).units()[0]?.head ?? 0);
}
