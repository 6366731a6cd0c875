import type { Span } from '../../util/text/span.ts';
import { indentOf, isBlank, trimLines } from '../text/lines.ts';
import type { Unit } from '../text/units.ts';
import { indentedLine, sameStatement, withGap } from './beside.ts';
import { indentedLike } from './indent.ts';
import { textOf } from './keys.ts';
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

function addedPatch(merging: Merging, lists: Lists, from: number, to: number): Patch {
  const { units, places, fileUnits, fileSpan, order, known } = lists;
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
  // Returns the unit before or after a unit of the file; a changed statement may replace it.
  const beyond = (unit: Unit, by: number): Unit | undefined => fileUnits[(order.get(unit) ?? fileUnits.length) + by];
  // A statement is new if it is between two consecutive ones; a declaration, if it is beside one.
  const isBetween = before !== undefined && after !== undefined && beyond(before, 1) === after;
  const isAtEnd = before !== undefined && after === undefined && beyond(before, 1) === undefined;
  if (!marksOmissions && !isBetween && !isAtEnd && units.slice(from, to).some(({ name }) => name === undefined))
    throw new Unplaced(first.head);
  if (isBetween && !code.lines.slice(last.end, units[to]?.start).some(isBlank))
    return put(after.start, after.start, after);
  if (before !== undefined) {
    const next = beyond(before, 1);
    const isFree = next === undefined || next === after || !(isBeforeMark || to === units.length) || known.has(next);
    if (!isFree && next !== undefined) {
      const same = sameStatement(merging, first, next);
      if (same === 'same') return put(next.start, next.end, next);
      if (same === 'unclear') throw new Unplaced(first.head);
    }
    return withGap(put(before.end, before.end, before), file, code, units[from - 1], first, 'after');
  }
  if (after !== undefined) {
    const previous = beyond(after, -1);
    if (isAfterMark && previous !== undefined && !known.has(previous)) {
      const same = sameStatement(merging, last, previous);
      if (same === 'same') return put(previous.start, previous.end, previous);
      if (same === 'unclear') throw new Unplaced(last.head);
    }
    return withGap(put(after.start, after.start, after), file, code, last, units[to], 'before');
  }
  const final = fileUnits.at(-1);
  if (isSettings(file) && merging.isInner && known.size === 1 && final !== undefined)
    return put(final.end, final.end, final);
  if (!marksOmissions) throw new Unplaced(first.head);
  // Only a mark is beside the unit, which is therefore at the beginning or the end of what is omitted.
  const [start, end] = [fileUnits[0], fileUnits.at(-1)];
  if (isBeforeMark && from === 0) {
    const line = start?.start ?? fileSpan.start;
    return edgePatch(merging, start, first, () =>
      withGap(put(line, line, start), file, code, last, units[to], 'before'),
    );
  }
  if (isAfterMark && to === units.length) {
    const line = end?.end ?? fileSpan.end;
    return edgePatch(merging, end, last, () =>
      withGap(put(line, line, end), file, code, units[from - 1], first, 'after'),
    );
  }
  throw new Unplaced(first.head);
}

/** Whether a paragraph is indented in the answer as in the file, and with it the new ones beside it. */
function isIndentedAlike({ code, file }: Merging, { units, places }: Lists, beside: Unit | undefined): boolean {
  const same = beside === undefined ? undefined : units[places.indexOf(beside)];
  if (beside === undefined || same === undefined || file.blocks !== 'markup') return false;
  return indentOf(code.lines[same.head] ?? '') === indentOf(file.lines[beside.head] ?? '');
}

/** Adds new code at an edge, unless it may be a changed line there. */
function edgePatch(merging: Merging, edge: Unit | undefined, unit: Unit, make: () => Patch): Patch {
  if (edge !== undefined && sameStatement(merging, unit, edge) !== 'other') throw new Unplaced(unit.head);
  return make();
}

/** Removes units of the file that are missing between adjacent units of an answer that marks its omissions. */
export function removed(merging: Merging, lists: Lists): readonly Patch[] {
  const { units } = lists;
  const patches: Patch[] = [];
  for (let at = 0; at <= units.length; at += 1) {
    const gap = gapAt(merging, lists, at, at);
    if (gap !== null) patches.push({ ...gap, lines: [] });
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
  if (!isClear && removesNames && isSettings(file)) return null;
  if (!isClear && removesNames) throw new Unplaced(other?.head ?? one?.head ?? 0);
  return { start: removedUnits[0]?.start ?? 0, end: removedUnits.at(-1)?.end ?? 0 };
}
