import { indentOf, isBlank } from '../text/lines.ts';
import type { Code, Unit } from '../text/units.ts';
import { asidesAbove, mergedAsides } from './asides.ts';
import { isComment } from './bodies.ts';
import { indentedLike } from './indent.ts';
import { type FileText, indentAt, type Placed } from './region.ts';

/** Places code that is only a comment for a declaration: above the declaration, or in Python below its head. */
export function placeComment(
  file: FileText,
  answerCode: Code,
  units: readonly Unit[],
  fileUnits: readonly Unit[],
): Placed | null {
  const [only] = fileUnits;
  const { code, step } = file;
  if (fileUnits.length !== 1 || only === undefined || units.length === 0 || isComment(code, only)) return null;
  const isDocstring =
    code.languageId === 'python' && /^\s*[rRuU]?(?:"""|''')/.test(answerCode.lines[0] ?? '') && units.length === 1;
  if (isDocstring) return placeDocstring(file, answerCode, only);
  if (!units.every((unit) => isComment(answerCode, unit))) return null;
  const start = only.head > only.start ? only.start : asidesAbove(code, only.head);
  const above = code.lines.slice(start, only.head);
  const moved = indentedLike(answerCode.lines, [], {
    languageId: code.languageId,
    step,
    indent: indentAt(code, only.head),
  });
  if (moved === null) return null;
  return { patches: [{ start, end: only.head, lines: mergedAsides(moved, above, code.languageId) }], isShown: true };
}

function placeDocstring({ code, step }: FileText, answerCode: Code, { inner }: Unit): Placed | null {
  if (inner.start >= inner.end) return null;
  const start = inner.start;
  let end = start;
  if (/^\s*[rRuU]?(?:"""|''')/.test(code.lines[start] ?? '')) {
    end = start + 1;
    while (code.scan.inText[end] === true) end += 1;
  }
  const first = code.lines.slice(start, inner.end).find((line) => !isBlank(line)) ?? '';
  const text = answerCode.lines.map((line) => line.trimEnd());
  const ownIndent = indentOf(text[0] ?? '');
  // The text of a docstring is indented with the docstring.
  const moved = text.map((line) =>
    line === '' ? '' : line.startsWith(ownIndent) ? indentOf(first) + line.slice(ownIndent.length) : line,
  );
  return step === undefined && indentOf(first) === ''
    ? null
    : { patches: [{ start, end, lines: moved }], isShown: true };
}
