import type { Span } from '../../util/text/span.ts';
import { joinConditional } from '../text/directives.ts';
import { indentOf } from '../text/lines.ts';
import type { Inside } from '../text/names.ts';
import type { Code, Unit } from '../text/units.ts';
import { added, removed } from './added.ts';
import { mergedAsides } from './asides.ts';
import { headLines, isOnlyHead, lacksBody } from './bodies.ts';
import { deepFinder, type Parents } from './deep.ts';
import { isOmitted } from './elision.ts';
import { indentedLike } from './indent.ts';
import { createFinder, isDistinctiveHead, kindOf, textOf } from './keys.ts';
import { isMark, isSettings, type Lists, type Merging } from './merging.ts';
import type { Patch } from './patch.ts';
import { OtherMembers, Unplaced } from './patch.ts';
import { countText } from './region.ts';
import { renamedMembers } from './renamed.ts';
import { withComma } from './separators.ts';
import { hasOtherMembers, isExcerpt, mayBePart } from './whole.ts';

export interface Merged {
  readonly patches: readonly Patch[];
  /** The number of units of the answer that match units of the file. */
  readonly matched: number;
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
  const order = new Map(fileUnits.map((unit, index) => [unit, index]));
  for (const [index, unit] of units.entries()) {
    if (code.lines.slice(unit.head, unit.end).some(isOmitted))
      places[index] ??= changedHead(merging, { units, places, fileUnits, order }, index);
  }
  checkOnce(units, places);
  checkTogether(units, places, parents);
  const patches: Patch[] = [];
  for (const [index, unit] of units.entries()) {
    if (isMark(code, unit)) continue;
    const place = places[index];
    if (place === undefined) continue;
    for (const patch of replaced(merging, unit, place)) patches.push(patch);
  }
  const lists = { units, places, fileUnits, fileSpan, order, known: new Set(places), inside };
  for (const patch of added(merging, lists)) patches.push(patch);
  if (merging.marksOmissions) for (const patch of removed(merging, lists)) patches.push(patch);
  return { patches, matched: places.filter((place) => place !== undefined).length };
}

/** Whether a match is uncertain: beside a mark, a statement that only begins like one of the file may be a new one. */
function isOpen({ code, file }: Merging, unit: Unit, found: Unit | undefined): boolean {
  if (found === undefined || unit.name !== undefined || textOf(code, unit) === textOf(file, found)) return false;
  return !code.lines.slice(unit.head, unit.end).some(isOmitted) && !isDistinctiveHead(code, unit);
}

/** The only unit of the file between the neighbours of a unit that omits lines, if it is of the same kind: its head changed. */
function changedHead(
  { code, file }: Merging,
  { units, places, fileUnits, order }: Pick<Lists, 'units' | 'places' | 'fileUnits' | 'order'>,
  index: number,
): Unit | undefined {
  const [unit, above, below] = [units[index], places[index - 1], places[index + 1]];
  if (unit === undefined || above === undefined || below === undefined || isMark(code, unit)) return undefined;
  const at = (order.get(above) ?? -2) + 1;
  const one = fileUnits[at];
  if (one === undefined || order.get(below) !== at + 1 || one.name !== unit.name) return undefined;
  return kindOf(code, unit) === kindOf(file, one) ? one : undefined;
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
  if (isOnlyHead(code, unit) && place.inner.end > place.inner.start) return mergedHead(merging, unit, place);
  if (lacksBody(code, unit, file, place) || mayBePart(code, unit, file, place)) throw new Unplaced(unit.head);
  const indent = indentOf(old[0] ?? '');
  // Asides and code are moved together: the head determines how far.
  const moved = indentedLike(lines, file.lines.slice(place.start, place.end), { languageId, step, indent });
  if (moved === null) throw new Unplaced(unit.head);
  const asides = unit.head - unit.start;
  const above = mergedAsides(moved.slice(0, asides), file.lines.slice(place.start, place.head), languageId);
  return [{ start: place.start, end: place.end, lines: [...above, ...withComma(moved.slice(asides), old)] }];
}

/** Replaces the first lines of a declaration whose body an answer leaves out. */
function mergedHead({ code, file, step }: Merging, unit: Unit, place: Unit): readonly Patch[] {
  const lines = headLines(code, unit, { file, place, step });
  const asides = headLines(code, { ...unit, head: unit.start, end: unit.head }, { file, place, step });
  if (lines === null || asides === null) throw new Unplaced(unit.head);
  const above = mergedAsides(asides, file.lines.slice(place.start, place.head), file.languageId);
  return [{ start: place.start, end: place.inner.start, lines: [...above, ...lines] }];
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
