import type { Span } from '../../util/text/span.ts';
import { indentOf, isBlank, trimLines } from '../text/lines.ts';
import { Code, type Unit } from '../text/units.ts';
import { anchoredPatch } from './anchored.ts';
import { withoutAround } from './around.ts';
import { holdsElision, isElision, isOmitted, omitted } from './elision.ts';
import { importPatches, isImport, splitImports } from './imports.ts';
import { merge } from './merge.ts';
import { packageComment } from './packageComment.ts';
import type { Patch } from './patch.ts';
import { OtherMembers, Unplaced } from './patch.ts';
import { placeComment } from './placeComment.ts';
import { endOfImports } from './placeHeader.ts';
import { placeOne } from './placeOne.ts';
import { placeStatement, statementFor } from './placeStatement.ts';
import { coreOf, type FileText, type Placed, type Region } from './region.ts';
import { isRenaming } from './renamed.ts';
import { hasAll, haveFewerMembers, isFramed, isShort, wholePatch } from './whole.ts';

/**
 * Places one block of code in a region: as the whole region, if its first and last lines are those of the region, or if
 * it contains each of the region's declarations; or else by replacing each declaration with the same name; or else
 * between lines that occur exactly once. Throws Unplaced if it does not have exactly one place.
 */
export function placeCode(file: FileText, region: Region, given: readonly string[]): Placed {
  const placed = placeBlock(file, region, given);
  // A mark is never code: if one remains, the lines that it represents were not found.
  if (placed.patches.some(({ lines }) => lines.some((line) => line.includes(omitted)))) throw new Unplaced(0);
  return placed;
}

function placeBlock(file: FileText, region: Region, given: readonly string[]): Placed {
  const { code: text } = file;
  const lines = withMarks(trimLines(given), text);
  const core = coreOf(text, region);
  const old = text.lines.slice(core.start, core.end);
  if (old.length === 0) return placeInBlank(file, region, lines);
  if (region.isAsked) refuseMore(text, core, new Code(lines, text.languageId));
  if (lines.some(isOmitted)) return placeOmitting(file, region, lines);
  // Code in the middle of a file contains no imports, so those of the answer go to the file's other imports.
  const isWholeFile = coreOf(text, { start: 0, end: text.lines.length }).start === core.start;
  const whole = isWholeFile ? placeWhole(file, region, lines, old) : null;
  if (whole !== null) return whole;
  const split = splitImports(new Code(lines, text.languageId));
  if (split.rest.length === 0) return onlyImports(file, region, split.imports, lines);
  const head = region.isAsked && !isWholeFile && split.imports.length > 0 ? headOf(file, region, split.rest) : 0;
  const body = trimLines(split.rest.slice(head));
  const rest = region.isAsked && !isWholeFile ? withoutRepeated(file, region, body, old) : body;
  const parts = placeParts(file, region, rest, isWholeFile);
  const after = endOfImports(text) ?? 0;
  const constants =
    head === 0 ? [] : [{ start: after, end: after, lines: ['', ...trimLines(split.rest.slice(0, head))] }];
  const header = packageComment(file, region, lines);
  return { ...parts, patches: [...header, ...importPatches(text, split.imports), ...constants, ...parts.patches] };
}

/** The number of lines below the imports of an answer that are new constants. They go below the imports of the file. */
function headOf({ code }: FileText, region: Region, lines: readonly string[]): number {
  const after = endOfImports(code);
  if (after === null || after > region.start) return 0;
  const answerCode = new Code(lines, code.languageId);
  const names = new Set([...code.declared()].map(({ unit }) => unit.name));
  let end = 0;
  const units = answerCode.units();
  for (const unit of units.slice(0, -1)) {
    const isConstant = unit.name !== undefined && !names.has(unit.name) && unit.end - unit.head === 1;
    if (!isConstant || indentOf(lines[unit.head] ?? '') !== '') break;
    end = unit.end;
  }
  return end;
}

/** Returns the lines without those around the place that the answer repeats, up to the whole file. */
function withoutRepeated(
  { code }: FileText,
  region: Region,
  lines: readonly string[],
  old: readonly string[],
): readonly string[] {
  if (lines[0]?.trim() === old[0]?.trim()) return lines;
  const core = coreOf(code, region);
  const above = splitImports(new Code(code.lines.slice(0, core.start), code.languageId)).rest;
  const around = new Code([...above, ...code.lines.slice(core.end)], code.languageId);
  const place = { start: above.length, end: above.length };
  const { lines: inside, isShown } = withoutAround(around, place, new Code(lines, code.languageId));
  return isShown && inside.length > 0 ? inside : lines;
}

function withMarks(lines: readonly string[], { lines: fileLines }: Code): readonly string[] {
  const known = new Set(fileLines.map((line) => line.trim()));
  const isMark = lines.map(
    (line, at) => !known.has(line.trim()) && isElision(line, lines[at - 1], lines[at + 1] ?? ''),
  );
  // Models write marks without indentation in code that is indented as a whole.
  const indents = lines.flatMap((line, at) => (isMark[at] === true || isBlank(line) ? [] : [indentOf(line)]));
  const [smallest = ''] = indents.sort((one, other) => one.length - other.length);
  return lines.map((line, at) => {
    if (known.has(line.trim())) return line;
    if (isMark[at] === true) return (indentOf(line) || smallest) + omitted;
    if (holdsElision(line)) throw new Unplaced(at);
    return line;
  });
}

function placeInBlank(file: FileText, region: Region, lines: readonly string[]): Placed {
  if (lines.some(isOmitted)) throw new Unplaced(lines.findIndex(isOmitted));
  return { patches: [{ start: region.start, end: region.end, lines: ended(file, region, lines) }], isShown: false };
}

/** Keeps the last line break of a text. */
function ended({ code }: FileText, { end }: Span, lines: readonly string[]): readonly string[] {
  return end === code.lines.length && code.lines.at(-1) === '' ? [...lines, ''] : lines;
}

function placeWhole(file: FileText, region: Region, lines: readonly string[], old: readonly string[]): Placed | null {
  const answerCode = new Code(lines, file.code.languageId);
  const framed = isFramed(lines, old);
  const all = hasAll(answerCode, file, region);
  if (!(region.isAsked ? framed : framed && (all || hasNothingDeclared(file, region))) && !all) return null;
  if (!all && framed && !region.isAsked) return null;
  const patch = wholePatch(file, region, lines);
  if (patch === null) throw new Unplaced(0);
  // A paragraph of a text is identified by its first line alone.
  const isText = file.code.language.blocks === 'markup';
  if ((isText || !all) && isShort(lines, old)) {
    return { patches: [patch], isShown: true, mayOmit: { ...coreOf(file.code, region), keep: null } };
  }
  return { patches: [patch], isShown: true };
}

function hasNothingDeclared({ code }: FileText, region: Span): boolean {
  return code.units(region).every((unit) => unit.name === undefined || isImport(code, unit));
}

function onlyImports(
  file: FileText,
  region: Region,
  imports: readonly (readonly string[])[],
  lines: readonly string[],
): Placed {
  const { code } = file;
  const isForImports = region.isAsked && code.units(region).every((unit) => isImport(code, unit));
  if (isForImports) {
    const patch = wholePatch(file, region, lines);
    if (patch === null) throw new Unplaced(0);
    return { patches: [patch], isShown: false };
  }
  return { patches: importPatches(code, imports), isShown: true, imports };
}

/** Places code without its imports that is not known from its first and last lines to be the whole. */
function placeParts(file: FileText, region: Region, lines: readonly string[], isWholeFile: boolean): Placed {
  const { code } = file;
  const core = coreOf(code, region);
  const old = code.lines.slice(core.start, core.end);
  const answerCode = new Code(lines, code.languageId);
  const units = answerCode.units();
  const fileUnits = code.units(core);
  const comment = region.isAsked ? placeComment(file, answerCode, units, fileUnits) : null;
  if (comment !== null) return comment;
  const [only] = fileUnits;
  if (region.isAsked && fileUnits.length === 1 && only !== undefined) {
    const one = placeOne(file, region, { answerCode, units, only });
    if (one !== null) return one;
  }
  const whole = isWholeFile ? null : placeWhole(file, region, lines, old);
  if (whole !== null) return whole;
  if (region.isAsked && isRenaming(lines, old)) {
    const patch = wholePatch(file, region, lines);
    if (patch !== null) return { patches: [patch], isShown: false };
  }
  const between = anchoredPatch(file, core, lines);
  try {
    const merged = merge(
      { code: answerCode, file: code, step: file.step, isDeep: true, marksOmissions: false, isInner: false },
      { start: 0, end: lines.length },
      core,
    );
    // Between statements without names, the lines of an answer are consecutive.
    const isRun = between !== null && units.every(({ name }) => name === undefined);
    if (merged.matched > 0 && !isRun) return { patches: merged.patches, isShown: true };
  } catch (error) {
    if (!(error instanceof Unplaced) || error instanceof OtherMembers) throw error;
    if (haveFewerMembers(answerCode, units, code)) throw error;
    const isElsewhere = placeStatement(file, region, answerCode, units) !== null;
    if (between === null && !isElsewhere && !isAllNew(file, region, answerCode, units)) throw error;
  }
  if (between !== null) return { patches: [between], isShown: true };
  const statement = placeStatement(file, region, answerCode, units);
  if (statement !== null) return statement;
  if (!region.isAsked || !isAllNew(file, region, answerCode, units)) throw new Unplaced(0);
  const patch = wholePatch(file, region, lines);
  if (patch === null) throw new Unplaced(0);
  if (isShort(lines, old)) return { patches: [patch], isShown: false, mayOmit: { ...core, keep: null } };
  return { patches: [patch], isShown: false };
}

/**
 * Refuses the statement itself if only the comment above it was asked for, because the statement would then be there
 * twice.
 */
function refuseMore(code: Code, core: Span, answerCode: Code): void {
  let below: Unit | undefined;
  for (const { unit } of code.declared()) if (unit.start <= core.start && core.end <= unit.head) below = unit;
  if (below === undefined) return;
  const again = answerCode
    .units()
    .find(
      (unit) =>
        (unit.name !== undefined && unit.name === below?.name) ||
        (answerCode.lines[unit.head] ?? '').trim() === (code.lines[below?.head ?? 0] ?? '').trim(),
    );
  if (again !== undefined) throw new Unplaced(again.head);
}

/**
 * Whether code that was asked for can be all of it: statements of the place, with none of its declarations missing, and
 * nothing that occurs elsewhere in the file.
 */
function isAllNew({ code }: FileText, region: Span, answerCode: Code, units: readonly Unit[]): boolean {
  const core = coreOf(code, region);
  const fileUnits = code.units(core);
  const named = fileUnits.filter(({ name }) => name !== undefined);
  const names = new Set(units.map(({ name }) => name));
  const outside = new Set(
    code.lines
      .filter((line, at) => (at < core.start || at >= core.end) && line.trim().length > 3)
      .map((line) => line.trim()),
  );
  const first = answerCode.lines[units[0]?.head ?? 0]?.trim() ?? '';
  const last = answerCode.lines.at(-1)?.trim() ?? '';
  const isElsewhere = outside.has(first) && outside.has(last) && answerCode.lines.length > 1;
  if (isElsewhere) return false;
  return named.every(({ name }) => names.has(name)) || fileUnits.length === 1 || code.blocks === 'markup';
}

/** Places code that marks where it omits lines. */
function placeOmitting(file: FileText, region: Region, lines: readonly string[]): Placed {
  const { code } = file;
  const core = coreOf(code, region);
  const answerCode = new Code(lines, code.languageId);
  const split = splitImports(answerCode);
  const rest = new Code(split.rest, code.languageId);
  // Names that an import omits are already there.
  const imports = split.imports.map((lines) => lines.filter((line) => !isOmitted(line)));
  const patches: Patch[] = [...packageComment(file, region, lines), ...importPatches(code, imports)];
  const isOnlyMarks = split.rest.every((line) => isBlank(line) || isOmitted(line));
  if (isOnlyMarks) {
    if (patches.length === 0) throw new Unplaced(lines.findIndex(isOmitted));
    return { patches, isShown: true };
  }
  const merged = merge(
    { code: rest, file: code, step: file.step, isDeep: true, marksOmissions: true, isInner: false },
    { start: 0, end: rest.lines.length },
    statementFor(code, rest) ?? core,
  );
  return { patches: [...patches, ...merged.patches], isShown: true };
}
