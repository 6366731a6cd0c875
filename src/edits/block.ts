import type { Span } from '../util/text/span.ts';
import { indentOf, isBlank } from './text/lines.ts';
import { Code, type Unit } from './text/units.ts';

/** The maximum number of lines of a file that is one block: an answer takes seconds, and includes the imports. */
const maxWholeFile = 40;
/**
 * The maximum number of lines of a block, unless the line is in its head. A model answers this many in about ten
 * seconds.
 */
const maxBlock = 60;
/** The number of lines before and after the cursor in a text without any blocks. */
const linesAround = 20;
/** The maximum depth of nested blocks that are searched. */
const maxDepth = 60;

export interface Block extends Span {
  /** Whether it is one declaration or statement, with its comments. */
  readonly isUnit: boolean;
}

/**
 * Returns the largest block around a line that is short enough to be changed in one step: by the brackets and declarations of the
 * language, or else by indentation. Returns null for a whole file that is short, or blank.
 */
export function blockAt(lines: readonly string[], languageId: string, line: number): Block | null {
  const last = lines.findLastIndex((text) => !isBlank(text));
  if (last < maxWholeFile) return null;
  const code = new Code(lines, languageId);
  let inside: Span = { start: 0, end: lines.length };
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const units = code.units(inside, depth === 0 ? 'top' : 'members');
    const unit = unitAt(units, Math.min(line, last));
    if (unit === undefined) break;
    if (lengthOf(unit) <= maxBlock) return withNeighbours(lines, units, unit);
    if (lengthOf(unit.inner) === 0) return byIndentation(lines, unit, line);
    // If the line is in its head or its comments, all of it is meant.
    if (!isInside(unit.inner, line)) return { start: unit.start, end: unit.end, isUnit: true };
    inside = unit.inner;
  }
  return byIndentation(lines, inside, Math.min(line, last));
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

function isInside({ start, end }: Span, line: number): boolean {
  return start <= line && line < end;
}

/** Returns the unit of a line; for a blank line, the unit below it, or else the one above it. */
function unitAt(units: readonly Unit[], line: number): Unit | undefined {
  return units.find(({ end }) => line < end) ?? units.at(-1);
}

/** Adjacent statements form one block. A longer unit, such as a function, is a block by itself. */
function withNeighbours(lines: readonly string[], units: readonly Unit[], unit: Unit): Block {
  const at = units.indexOf(unit);
  const isShort = (each: Unit): boolean => lengthOf(each.inner) === 0;
  if (!isShort(unit)) return { start: unit.start, end: unit.end, isUnit: true };
  let { start, end } = unit;
  for (let index = at - 1; index >= 0; index -= 1) {
    const above = units[index];
    if (above === undefined || !isShort(above) || above.end !== start || end - above.start > maxBlock) break;
    start = above.start;
  }
  for (let index = at + 1; index < units.length; index += 1) {
    const below = units[index];
    if (below === undefined || !isShort(below) || below.start !== end || below.end - start > maxBlock) break;
    end = below.end;
  }
  return { ...trimmed(lines, { start, end }), isUnit: start === unit.start && end === unit.end };
}

/**
 * The largest block around a line, by indentation, that has at most `maxBlock` lines. Includes the lines that enclose
 * it.
 */
function byIndentation(lines: readonly string[], within: Span, line: number): Block {
  let found: Span | null = null;
  let indent = indentOf(lines[line] ?? '').length;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const wider = indented(lines, within, line, indent);
    if (lengthOf(wider) > maxBlock || lengthOf(wider) <= (found === null ? 0 : lengthOf(found))) break;
    found = wider;
    const outer = indentOf(lines[wider.start] ?? '').length;
    if (outer >= indent) break;
    indent = outer;
  }
  const { start, end } = found ?? { start: line - linesAround, end: line + linesAround + 1 };
  const inside = { start: Math.max(start, within.start), end: Math.min(end, within.end) };
  return { ...trimmed(lines, inside), isUnit: false };
}

/** The lines around a line that are indented at least as far, and the lines before and after them that enclose them. */
function indented(lines: readonly string[], within: Span, line: number, indent: number): Span {
  const isIn = (at: number): boolean => isBlank(lines[at] ?? '') || indentOf(lines[at] ?? '').length >= indent;
  let start = line;
  while (start > within.start && line - start <= maxBlock && isIn(start - 1)) start -= 1;
  let end = line + 1;
  while (end < within.end && end - line <= maxBlock && isIn(end)) end += 1;
  if (indent === 0) return { start, end };
  const head = start > within.start ? start - 1 : start;
  const closes = end < within.end && /^\s*(?:[)\]}]|<\/|end\b|fi\b|done\b|esac\b)/.test(lines[end] ?? '');
  return { start: head, end: closes ? end + 1 : end };
}

function trimmed(lines: readonly string[], { start, end }: Span): Span {
  let [first, last] = [start, end];
  while (first < last - 1 && isBlank(lines[first] ?? '')) first += 1;
  while (last > first + 1 && isBlank(lines[last - 1] ?? '')) last -= 1;
  return { start: first, end: last };
}
