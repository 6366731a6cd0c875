import type { Span } from '../../util/text/span.ts';
import { indentOf, isBlank, trimLines } from '../text/lines.ts';
import type { Unit } from '../text/units.ts';
import { indentedLine, sameStatement, withGap } from './beside.ts';
import { isImport, isPackage } from './imports.ts';
import { indentedLike } from './indent.ts';
import { leadOf, textOf } from './keys.ts';
import { isMark, isSettings, type Lists, type Merging } from './merging.ts';
import type { Patch } from './patch.ts';
import { Unplaced } from './patch.ts';

/** Adds units that the file does not have: after the unit before them, or else before the unit after them. */
export function added(merging: Merging, lists: Lists): readonly Patch[] {
  const { code } = merging;
  const { units, places } = lists;
  const patches: Patch[] = [];
  for (let at = 0; at < units.length; ) {
    const unit = units[at];
    if (unit === undefined || places[at] !== undefined || isMark(code, unit)) {
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < units.length && places[end] === undefined && !isMark(code, units[end] ?? unit)) end += 1;
    patches.push(addedPatch(merging, lists, at, end));
    at = end;
  }
  return patches;
}

/** Consecutive units that the file does not have, from one index to before another. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly first: Unit;
  readonly last: Unit;
  /** Whether a mark is directly above or below them. */
  readonly isAfterMark: boolean;
  readonly isBeforeMark: boolean;
  /** Puts them in place of some lines, indented like the code beside them. */
  readonly put: (start: number, end: number, beside: Unit | undefined) => Patch;
}

function addedPatch(merging: Merging, lists: Lists, from: number, to: number): Patch {
  const { units, places, fileUnits, fileSpan } = lists;
  const { code, file, step, marksOmissions } = merging;
  const [first, last] = [units[from], units[to - 1]];
  if (first === undefined || last === undefined) throw new Unplaced(0);
  const [before, after] = [places[from - 1], places[to]];
  const isAfterMark = from > 0 && before === undefined;
  const isBeforeMark = to < units.length && after === undefined;
  const lines = trimLines(code.lines.slice(first.start, last.end));
  const put = (start: number, end: number, beside: Unit | undefined): Patch => {
    if (isIndentedAlike(merging, lists, beside)) return { start, end, lines };
    const indent = indentOf(file.lines[indentedLine(file, fileUnits, beside) ?? fileSpan.start] ?? '');
    const moved = indentedLike(lines, file.lines.slice(start, end), { languageId: file.languageId, step, indent });
    if (moved === null) throw new Unplaced(first.head);
    return { start, end, lines: moved };
  };
  const gap = marksOmissions ? gapAt(merging, lists, from, to) : null;
  if (gap !== null) return put(gap.start, gap.end, before ?? after ?? fileUnits[0]);
  const run = { from, to, first, last, isAfterMark, isBeforeMark, put };
  return before === undefined && after === undefined
    ? patchAtEdge(merging, lists, run)
    : patchBeside(merging, lists, run, before, after);
}

/** Puts new units beside units that the file has. */
function patchBeside(
  merging: Merging,
  lists: Lists,
  { from, to, first, last, isAfterMark, isBeforeMark, put }: Run,
  before: Unit | undefined,
  after: Unit | undefined,
): Patch {
  const { units, known } = lists;
  const { code, file, marksOmissions } = merging;
  // The unit before or after a unit of the file: a changed statement may replace it.
  const next = before === undefined ? undefined : beyond(lists, before, 1);
  // A statement is new if it is between two consecutive ones; a declaration, if it is beside one.
  const isBetween = before !== undefined && after !== undefined && next === after;
  const isAtEnd = before !== undefined && after === undefined && next === undefined;
  const isBelow = !marksOmissions && isAddedBelow(merging, lists, from, to);
  if (
    !marksOmissions &&
    !isBetween &&
    !isAtEnd &&
    !isBelow &&
    units.slice(from, to).some(({ name }) => name === undefined)
  )
    throw new Unplaced(first.head);
  if (isBetween && !code.lines.slice(last.end, units[to]?.start).some(isBlank))
    return withGap(put(after.start, after.start, after), file, code, units[from - 1], first, 'after');
  if (before !== undefined) {
    const isLast = isBeforeMark || to === units.length;
    const isFree = next === undefined || next === after || !isLast || isBelow || known.has(next);
    const changed = isFree ? null : changedRun(merging, lists, units.slice(from, to), next, 1);
    if (changed !== null) return put(next?.start ?? 0, changed.end, next);
    return withGap(put(before.end, before.end, before), file, code, units[from - 1], first, 'after');
  }
  if (after === undefined) throw new Unplaced(first.head);
  const previous = beyond(lists, after, -1);
  const isFree = !isAfterMark || previous === undefined || known.has(previous);
  const changed = isFree ? null : changedRun(merging, lists, units.slice(from, to).toReversed(), previous, -1);
  if (changed !== null) return put(changed.start, previous?.end ?? 0, previous);
  return withGap(put(after.start, after.start, after), file, code, last, units[to], 'before');
}

/**
 * Whether an answer without marks repeats a unit of the file only to show that statements go below it: nothing there is a version
 * of them.
 */
function isAddedBelow({ code, file, isInner }: Merging, lists: Lists, from: number, to: number): boolean {
  const { units, places } = lists;
  const [above, before] = [units[from - 1], places[from - 1]];
  if (isInner || above === undefined || before === undefined || to < units.length) return false;
  if (places.slice(0, from).some((place, at) => textOf(code, units[at] ?? above) !== textOf(file, place ?? above)))
    return false;
  if (units.slice(from, to).some((unit) => /^(?:return|throw|raise|break|continue)\b/.test(leadOf(code, unit) ?? '')))
    return false;
  const next = beyond(lists, before, 1);
  if (next === undefined) return true;
  const same = sameStatement({ code, file }, units[from] ?? above, next);
  // A statement below a blank line begins another part.
  const isApart = isBlank(file.lines[before.end] ?? '') && !isBlank(code.lines[above.end] ?? '');
  return same === 'other' || (same === 'unclear' && isApart);
}

/** Puts new units that have only marks beside them at the beginning or the end of what the marks omit. */
function patchAtEdge(
  merging: Merging,
  { units, fileUnits, fileSpan, known, order, inside }: Lists,
  { from, to, first, last, isAfterMark, isBeforeMark, put }: Run,
): Patch {
  const { code, file, marksOmissions } = merging;
  const lists = { fileUnits, known, order };
  const end = fileUnits.at(-1);
  if (isSettings(file) && merging.isInner && known.size === 1 && end !== undefined)
    return withGap(put(end.end, end.end, end), file, code, units[from - 1], first, 'after');
  if (!marksOmissions) throw new Unplaced(first.head);
  if (isBeforeMark && from === 0) {
    const start = fileUnits.find((unit) => !isImport(file, unit) && !isPackage(file, unit));
    const changed = changedRun(merging, lists, units.slice(from, to), start, 1);
    if (changed !== null) return put(start?.start ?? 0, changed.end, start);
    const line = start?.start ?? end?.end ?? fileSpan.start;
    return withGap(put(line, line, start), file, code, last, units[to], 'before');
  }
  // The order of the members of a class is free.
  const isMembers = inside === 'members' && units.slice(from, to).every(({ name }) => name !== undefined);
  if (isAfterMark && isBeforeMark && isMembers && end !== undefined)
    return withGap(put(end.end, end.end, end), file, code, units[from - 1], first, 'after');
  if (isAfterMark && to === units.length) {
    const changed = changedRun(merging, lists, units.slice(from, to).toReversed(), end, -1);
    if (changed !== null) return put(changed.start, end?.end ?? 0, end);
    const line = end?.end ?? fileSpan.end;
    return withGap(put(line, line, end), file, code, units[from - 1], first, 'after');
  }
  throw new Unplaced(first.head);
}

type Neighbours = Pick<Lists, 'fileUnits' | 'known' | 'order'>;

function beyond({ fileUnits, order }: Neighbours, unit: Unit, by: number): Unit | undefined {
  return fileUnits[(order.get(unit) ?? fileUnits.length) + by];
}

/**
 * Returns the last of the consecutive units of the file, from `start` on, that units of the answer are changed versions of, or
 * null if the first of them is new.
 */
function changedRun(
  merging: Merging,
  lists: Neighbours,
  [first, ...others]: readonly Unit[],
  start: Unit | undefined,
  by: number,
): Unit | null {
  if (first === undefined || start === undefined) return null;
  const same = sameStatement(merging, first, start);
  if (same === 'unclear') throw new Unplaced(first.head);
  if (same === 'other') return null;
  let run = start;
  for (const unit of others) {
    const next = beyond(lists, run, by);
    if (next === undefined || lists.known.has(next) || sameStatement(merging, unit, next) !== 'same') break;
    run = next;
  }
  return run;
}

/** Whether a paragraph is indented in the answer as in the file, and with it the new ones beside it. */
function isIndentedAlike({ code, file }: Merging, { units, places }: Lists, beside: Unit | undefined): boolean {
  const same = beside === undefined ? undefined : units[places.indexOf(beside)];
  if (beside === undefined || same === undefined || file.blocks !== 'markup') return false;
  return indentOf(code.lines[same.head] ?? '') === indentOf(file.lines[beside.head] ?? '');
}

/** Removes units of the file that are missing between adjacent units of an answer that marks its omissions. */
export function removed(merging: Merging, lists: Lists): readonly Patch[] {
  const { units } = lists;
  const { lines } = merging.file;
  const patches: Patch[] = [];
  for (let at = 0; at <= units.length; at += 1) {
    const gap = gapAt(merging, lists, at, at);
    if (gap === null) continue;
    let { end } = gap;
    // The blank lines above stay.
    if (isBlank(lines[gap.start - 1] ?? 'x')) while (isBlank(lines[end] ?? 'x')) end += 1;
    patches.push({ start: gap.start, end, lines: [] });
  }
  return patches;
}

/**
 * Returns the units of the file between the neighbours of some units of the answer if no mark separates them: they were removed,
 * and the new units replace them. Returns null if there are none. A declaration is treated as removed only between two unchanged
 * units.
 */
function gapAt(
  { code, file, isInner }: Merging,
  { units, places, fileUnits, order }: Lists,
  from: number,
  to: number,
): Span | null {
  const [one, other] = [units[from - 1], units[to]];
  const [upper, lower] = [places[from - 1], places[to]];
  const isMarked = (unit: Unit | undefined): boolean => unit !== undefined && isMark(code, unit);
  if (isMarked(one) || isMarked(other)) return null;
  if ((upper === undefined || lower === undefined) && !(isInner && (from === 0 || to === units.length))) return null;
  if ((upper === undefined && from > 0) || (lower === undefined && to < units.length)) return null;
  const [start, end] = [
    upper === undefined ? -1 : order.get(upper),
    lower === undefined ? fileUnits.length : order.get(lower),
  ];
  if (start === undefined || end === undefined || end <= start + 1) return null;
  // An answer that only leaves out the text at the beginning of a class does not remove it.
  const isText = from === to && start === -1 && /^\s*(?:"""|''')/.test(file.lines[fileUnits[0]?.head ?? 0] ?? '');
  const removedUnits = fileUnits.slice(isText ? 1 : start + 1, end);
  if (removedUnits.length === 0) return null;
  const isSame = (unit: Unit | undefined, place: Unit | undefined): boolean =>
    unit === undefined || place === undefined || textOf(code, unit) === textOf(file, place);
  const isClear = from === to && isSame(one, upper) && isSame(other, lower);
  const removesNames = removedUnits.some(({ name }) => name !== undefined);
  // Below the last declaration of an answer with marks, those of the file stay, and so they do if only other levels have marks.
  const staysAtEnd = units.some(isMarked) ? lower === undefined : !isInner;
  if (!isClear && removesNames && (isSettings(file) || staysAtEnd)) return null;
  if (!isClear && removesNames) throw new Unplaced(other?.head ?? one?.head ?? 0);
  return { start: removedUnits[0]?.start ?? 0, end: removedUnits.at(-1)?.end ?? 0 };
}
