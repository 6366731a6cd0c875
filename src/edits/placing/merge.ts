import type { Span } from '../../util/text/span.ts';
import { joinConditional } from '../text/directives.ts';
import { indentOf, isBlank, trimLines } from '../text/lines.ts';
import type { Inside } from '../text/names.ts';
import type { Code, Unit } from '../text/units.ts';
import { mergedAsides } from './asides.ts';
import { indentedLine, sameStatement, withGap } from './beside.ts';
import { deepFinder, type Parents } from './deep.ts';
import { isOmitted } from './elision.ts';
import { indentedLike, type Step } from './indent.ts';
import { createFinder, isDistinctiveHead, textOf } from './keys.ts';
import type { Patch } from './patch.ts';
import { OtherMembers, Unplaced } from './patch.ts';
import { countText } from './region.ts';
import { renamedMembers } from './renamed.ts';
import { hasOtherMembers, isExcerpt, mayBePart } from './whole.ts';

export interface Merged {
  readonly patches: readonly Patch[];
  /** The number of units of the answer that match units of the file. */
  readonly matched: number;
}

interface Merging {
  readonly code: Code;
  readonly file: Code;
  readonly step: Step | undefined;
  /** Whether declarations that are not found among the others are searched for at any depth. */
  readonly isDeep: boolean;
  /** Whether the answer marks where it omits lines. Elsewhere its lines are consecutive. */
  readonly marksOmissions: boolean;
  /** Whether the code includes the beginning and the end of the block that the units are in. */
  readonly isInner: boolean;
}

/**
 * Replaces units of the file with the same units of the code; new units go beside their neighbours. Lines of the file
 * that the code does not contain stay. Throws Unplaced if a unit does not have exactly one place.
 */
export function merge(merging: Merging, span: Span, fileSpan: Span, inside: Inside = 'top'): Merged {
  const { code, file, isDeep } = merging;
  const units = joinConditional(code, code.units(span, inside));
  const fileUnits = joinConditional(file, file.units(fileSpan, inside));
  const find = createFinder(file, fileUnits);
  const parents: Parents = new Map();
  const deep = isDeep ? deepFinder(merging, fileSpan, parents) : () => undefined;
  const hasMark = units.some((unit) => isMark(code, unit));
  const places = units.map((unit): Unit | undefined => {
    if (isMark(code, unit)) return undefined;
    const found = isDeep && unit.name !== undefined ? deep(unit) : find(code, unit);
    if (found === null || (hasMark && isOpen(merging, unit, found))) throw new Unplaced(unit.head);
    return found;
  });
  checkOnce(units, places);
  checkTogether(units, places, parents);
  const patches: Patch[] = [];
  for (const [index, unit] of units.entries()) {
    if (isMark(code, unit)) continue;
    const place = places[index];
    if (place === undefined) continue;
    for (const patch of replaced(merging, unit, place)) patches.push(patch);
  }
  const order = new Map(fileUnits.map((unit, index) => [unit, index]));
  const lists = { units, places, fileUnits, fileSpan, order, known: new Set(places) };
  for (const patch of added(merging, lists)) patches.push(patch);
  if (merging.marksOmissions) for (const patch of removed(merging, lists)) patches.push(patch);
  return { patches, matched: places.filter((place) => place !== undefined).length };
}

function isMark({ lines }: Code, { head, end }: Unit): boolean {
  return end - head === 1 && isOmitted(lines[head] ?? '');
}

/** Whether a match is uncertain: beside a mark, a statement that only begins like one of the file may be a new one. */
function isOpen({ code, file }: Merging, unit: Unit, found: Unit | undefined): boolean {
  if (found === undefined || unit.name !== undefined || textOf(code, unit) === textOf(file, found)) return false;
  return !code.lines.slice(unit.head, unit.end).some(isOmitted) && !isDistinctiveHead(code, unit);
}

/** Refuses two units for one unit of the file: a draft and its better version, or two that look the same. */
function checkOnce(units: readonly Unit[], places: readonly (Unit | undefined)[]): void {
  const seen = new Set<number>();
  for (const [index, place] of places.entries()) {
    if (place === undefined) continue;
    if (seen.has(place.head)) throw new Unplaced(units[index]?.head ?? 0);
    seen.add(place.head);
  }
}

/** Refuses members of different classes, because consecutive members of an answer belong to one class. */
function checkTogether(units: readonly Unit[], places: readonly (Unit | undefined)[], parents: Parents): void {
  let first: Unit | undefined | null = null;
  for (const [index, place] of places.entries()) {
    const parent = place === undefined ? undefined : parents.get(place);
    if (parent === undefined) continue;
    if (first === null) first = parent;
    else if (first !== parent) throw new Unplaced(units[index]?.head ?? 0);
  }
}

function replaced(merging: Merging, unit: Unit, place: Unit): readonly Patch[] {
  const { code, file, step } = merging;
  const { languageId } = file;
  const old = file.lines.slice(place.head, place.end);
  const lines = code.lines.slice(unit.start, unit.end);
  if (lines.some(isOmitted) || isPartOf(code, unit, file, place)) return mergedInside(merging, unit, place);
  if (mayBePart(code, unit, file, place)) throw new Unplaced(unit.head);
  const indent = indentOf(old[0] ?? '');
  // Asides and code are moved together: the head determines how far.
  const moved = indentedLike(lines, file.lines.slice(place.start, place.end), { languageId, step, indent });
  if (moved === null) throw new Unplaced(unit.head);
  const asides = unit.head - unit.start;
  const above = mergedAsides(moved.slice(0, asides), file.lines.slice(place.start, place.head), languageId);
  return [{ start: place.start, end: place.end, lines: [...above, ...withComma(moved.slice(asides), old)] }];
}

function isSettings({ languageId }: Code): boolean {
  return /^(?:jsonc?|yaml|dockercompose)$/.test(languageId);
}

/** Keeps the comma after an element that replaces another: a part of an answer often ends without it. */
export function withComma(lines: readonly string[], old: readonly string[]): readonly string[] {
  const last = lines.at(-1) ?? '';
  const isElement = old.at(-1)?.trimEnd().endsWith(',') === true && /[\p{L}\p{N}_\])}"'`]$/u.test(last);
  return isElement ? [...lines.slice(0, -1), `${last},`] : lines;
}

/** Whether a class has only some of the members that it has in the file. Its other members stay. */
function isPartOf(code: Code, unit: Unit, file: Code, place: Unit): boolean {
  if (unit.holds === null || place.holds === null || place.inner.end <= place.inner.start) return false;
  if (hasOtherMembers(code, unit, file, place)) {
    // A short part of a settings file adds its keys.
    if (isSettings(file) && 3 * countText(code.lines) <= 2 * countText(file.lines)) return true;
    throw new OtherMembers(unit.head);
  }
  const isNamed = ({ name }: Unit): boolean => name !== undefined;
  const [members, fileMembers] = [
    code.units(unit.inner, unit.holds).filter(isNamed),
    file.units(place.inner, place.holds).filter(isNamed),
  ];
  const answerNames = new Set(members.map(({ name }) => name));
  const missing = fileMembers.filter(({ name }) => !answerNames.has(name));
  if (missing.length === 0 || missing.length === fileMembers.length) return isExcerpt(code, unit, file, place);
  // Keys often have the same values.
  if (place.holds === 'keys') return true;
  const renamed = renamedMembers(code, members, file, fileMembers).length;
  if (renamed === 0) return true;
  // Few members may also be a part, with a new one that is similar.
  if (renamed < missing.length || 3 * renamed > fileMembers.length) throw new Unplaced(unit.head);
  return false;
}

/** Merges a unit that omits some of its lines: its head and its end, and each unit between them by the same rules. */
function mergedInside(merging: Merging, unit: Unit, place: Unit): readonly Patch[] {
  const { code, file, step } = merging;
  const [inner, innerPlace] = [unit.inner, place.inner];
  if (inner.end <= inner.start || innerPlace.end <= innerPlace.start) throw new Unplaced(unit.head);
  const indent = indentOf(file.lines[place.head] ?? '');
  const part = (from: number, to: number, start: number, end: number, space: string): Patch => {
    const lines = code.lines.slice(from, to);
    if (lines.some(isOmitted)) throw new Unplaced(from);
    const old = file.lines.slice(start, end);
    const moved = indentedLike(lines, old, { languageId: file.languageId, step, indent: space });
    if (moved === null) throw new Unplaced(from);
    return { start, end, lines: moved };
  };
  const patches: Patch[] = [];
  const asides = code.lines.slice(unit.start, unit.head).filter((line) => !isOmitted(line));
  const head = part(unit.head, inner.start, place.head, innerPlace.start, indent);
  // Models omit words such as `export` around the code that they change.
  const isHead = head.lines.length === 1 && (file.lines[place.head] ?? '').endsWith(` ${head.lines[0]?.trim()}`);
  if (asides.length > 0) {
    const shift = indentedLike(asides, [], { languageId: file.languageId, step, indent }) ?? asides;
    const above = mergedAsides(shift, file.lines.slice(place.start, place.head), file.languageId);
    patches.push({ start: place.start, end: place.head, lines: above });
  }
  if (!isHead) patches.push(head);
  if (unit.end > inner.end) patches.push(part(inner.end, unit.end, innerPlace.end, place.end, indent));
  // Declarations that the answer does not contain stay, unless it has marks beside the other declarations.
  const hasMark = unit.holds === null || code.units(inner, unit.holds).some((one) => isMark(code, one));
  const marksOmissions =
    code.lines.slice(unit.start, unit.end).some(isOmitted) && (hasMark || !isPartOf(code, unit, file, place));
  const below = merge(
    { ...merging, isDeep: false, marksOmissions, isInner: true },
    inner,
    innerPlace,
    place.holds ?? unit.holds ?? 'top',
  );
  return [...patches, ...below.patches];
}

interface Lists {
  readonly units: readonly Unit[];
  readonly places: readonly (Unit | undefined)[];
  readonly fileUnits: readonly Unit[];
  readonly fileSpan: Span;
  /** The index of each of the file's units. */
  readonly order: ReadonlyMap<Unit, number>;
  /** The units of the file that the answer contains. */
  readonly known: ReadonlySet<Unit | undefined>;
}

/** Adds units that the file does not have: after the unit before them, or else before the unit after them. */
function added(merging: Merging, lists: Lists): readonly Patch[] {
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
function removed(merging: Merging, lists: Lists): readonly Patch[] {
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
