import { isCommentLine } from '../text/asideLines.ts';
import { indentOf, isBlank } from '../text/lines.ts';
import type { Code, Unit } from '../text/units.ts';
import { indentedLike, type Step } from './indent.ts';

/** Whether an answer shows only the first lines of a declaration, up to where its body begins. */
export function isOnlyHead({ lines, scan, blocks }: Code, { head, end, inner }: Unit): boolean {
  const last = (lines[end - 1] ?? '').trimEnd();
  if (blocks === 'indentation') return inner.end <= inner.start && last.endsWith(':');
  return blocks === 'brackets' && last.endsWith('{') && (scan.after[end - 1] ?? 0) === (scan.before[head] ?? 0) + 1;
}

function hasBody({ lines }: Code, { inner }: Unit): boolean {
  return lines.slice(inner.start, inner.end).some((line) => !isBlank(line));
}

/** The first lines of a declaration in place of those in the file, without comments, or null if they cannot be indented. */
export function headLines(
  code: Code,
  unit: Unit,
  { file, place, step }: { readonly file: Code; readonly place: Unit; readonly step: Step | undefined },
): readonly string[] | null {
  const indent = indentOf(file.lines[place.head] ?? '');
  const old = file.lines.slice(place.head, place.inner.start);
  return indentedLike(code.lines.slice(unit.head, unit.end), old, { languageId: file.languageId, step, indent });
}

/**
 * Whether a declaration of an answer has no body, or only the beginning of it, and the one in the file has one: its author
 * left it out.
 */
export function lacksBody(code: Code, unit: Unit, file: Code, place: Unit): boolean {
  if (unit.name === undefined || !hasBody(file, place)) return false;
  if (file.blocks === 'markup') return false;
  if (file.blocks === 'indentation')
    return file.languageId === 'python' && isEmpty(code, unit) && !isEmpty(file, place);
  const isOpen = ({ scan }: Code, { head, end }: Unit) => (scan.after[end - 1] ?? 0) > (scan.before[head] ?? 0);
  if (isOpen(code, unit) && !isOpen(file, place)) return true;
  // A signature: `String load(String id) throws IOException`.
  const text = code.lines.slice(unit.head, unit.end).join(' ').trim();
  if (!hasBody(code, unit)) return /\)(?: *:[^={;]*|\s+throws\b[^={;]*)?$/.test(text);
  return isEmpty(code, unit) && !isEmpty(file, place);
}

/** Whether a body has only comments and statements that do nothing. */
function isEmpty(code: Code, { inner }: Unit): boolean {
  return code
    .units(inner)
    .every(
      (unit) =>
        isComment(code, unit) || /^\s*(?:pass|\.{3}|[rRuU]?""".*|[rRuU]?'''.*)$/.test(code.lines[unit.head] ?? ''),
    );
}

/** Whether a unit is only a comment. */
export function isComment(code: Code, unit: Unit): boolean {
  const { lines, scan, languageId } = code;
  for (let at = unit.start; at < unit.end; at += 1) {
    if (scan.inComment[at] !== true && !isBlank(lines[at] ?? '') && !isCommentLine(lines[at] ?? '', languageId))
      return false;
  }
  return true;
}
