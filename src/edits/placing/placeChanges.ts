import type { FileChanges } from '../reading/changes.ts';
import { indentOf, isBlank } from '../text/lines.ts';
import { Code } from '../text/units.ts';
import { asidesAbove } from './asides.ts';
import { isComment } from './bodies.ts';
import { changesIn } from './changesIn.ts';
import { isElision } from './elision.ts';
import { type Change, exactFit } from './exactFit.ts';
import { importPatches, isImport, isPackage, splitImports } from './imports.ts';
import type { Patch } from './patch.ts';
import { Unplaced } from './patch.ts';
import { coreOf, type FileText, type Placed, type Region } from './region.ts';
import { isShort, wholePatch } from './whole.ts';

/** Places the changes of a diff or of search and replace blocks, each where its old lines occur exactly once. */
export function placeChanges(file: FileText, region: Region, { changes, otherwise }: FileChanges): Placed {
  if (otherwise === undefined) return placeAll(file, region, changes, true);
  // The reading that needs no other indentation wins, because a missing mark looks like another indentation.
  const attempts = [() => placeAll(file, region, changes, false), () => placeAll(file, region, otherwise, false)];
  for (const place of attempts) {
    try {
      return place();
    } catch (error) {
      if (!(error instanceof Unplaced)) throw error;
    }
  }
  return placeAll(file, region, changes, true);
}

/** The maximum number of changes, because a user cannot review more, and each is searched for in the whole file. */
const maxChanges = 300;

function placeAll(file: FileText, region: Region, changes: readonly Change[], mayMove: boolean): Placed {
  if (changes.length > maxChanges) throw new Unplaced(0);
  const patches: Patch[] = [];
  for (const [index, change] of changes.entries()) {
    for (const patch of patchesOf(file, region, change, { index, mayMove })) {
      const isOverlap = patches.some(({ start, end }) => start < patch.end && patch.start < end);
      if (isOverlap) throw new Unplaced(index);
      patches.push(patch);
    }
  }
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0 && endsEarly(file.code, patches[0]?.end ?? 0, only))
    throw new Unplaced(0);
  return { patches, isShown: true };
}

/** Whether only the new lines contain the end of a block that the old lines begin: the rest of the old block would stay below it. */
function endsEarly({ lines, scan, languageId, blocks }: Code, end: number, { old, replacement }: Change): boolean {
  if (replacement.length <= old.length) return false;
  const depthAfter = (of: readonly string[]): number => new Code(of, languageId).scan.after.at(-1) ?? 0;
  if (blocks === 'brackets') return depthAfter(old) > 0 && depthAfter(replacement) <= 0 && scan.after.at(-1) === 0;
  const [last, next] = [
    replacement.findLast((line) => !isBlank(line)),
    lines.slice(end).find((line) => !isBlank(line)),
  ];
  if (languageId !== 'python' || last === undefined || next === undefined || /[:\\]\s*(?:#.*)?$/.test(last))
    return false;
  const isCode = scan.inText[end] !== true && scan.before[end] === 0 && depthAfter(replacement) === 0;
  return isCode && indentOf(next).length > indentOf(last).length;
}

function patchesOf(
  file: FileText,
  region: Region,
  change: Change,
  { index, mayMove }: { readonly index: number; readonly mayMove: boolean },
): readonly Patch[] {
  const { code } = file;
  const { lines } = code;
  const known = new Set(lines.map((line) => line.trim()));
  const omits = [...change.old, ...change.replacement].some(
    (line, at, all) => !known.has(line.trim()) && isElision(line, all[at - 1]),
  );
  if (omits) throw new Unplaced(index);
  if (change.old.every(isBlank)) {
    const isEmpty = lines.every(isBlank);
    if (isEmpty) return [{ start: 0, end: lines.length, lines: [...change.replacement, ''] }];
    const added = onlyImports(code, change);
    if (added === null) throw new Unplaced(index);
    return importPatches(code, added);
  }
  const core = coreOf(code, region);
  const start = asidesAbove(code, core.start);
  const inText = (of: readonly string[]): readonly boolean[] => new Code(of, code.languageId).scan.inText;
  const inside = exactFit(lines.slice(start, core.end), change, mayMove, inText);
  if (inside.is === 'fit') {
    const patch = { start: start + inside.start, end: start + inside.end, lines: inside.lines };
    return [wholeAround(file, patch.start, change, index) ?? patch];
  }
  if (inside.is === 'ambiguous') throw new Unplaced(index);
  const around = exactFit(lines, change, mayMove, inText);
  const hunks = around.is === 'fit' ? changesIn(lines, around) : [];
  const isFine = ({ start: from, end, lines: put }: Patch): boolean =>
    (from >= start && end <= core.end) || isInImports(code, from, end, put);
  if (hunks.length > 0 && hunks.every(isFine)) return hunks;
  const added = onlyImports(code, change);
  if (added !== null) return importPatches(code, added);
  throw new Unplaced(index);
}

/**
 * Returns the patch of the whole declaration around a place if the new lines are that declaration, although the old lines are
 * only a part of it: they never go inside it.
 */
function wholeAround(file: FileText, at: number, { old, replacement }: Change, index: number): Patch | null {
  const { code } = file;
  const now = new Code(replacement, code.languageId);
  const firstWord = (line = ''): string | undefined => /^[\w@#]+/.exec(line.trim())?.[0];
  for (const { unit, around } of code.declared()) {
    if (unit.name === undefined || at <= unit.head || at >= unit.end) continue;
    const [only, ...others] = now.units(undefined, around.at(-1)?.holds ?? 'top');
    const isIt = only?.name === unit.name && only.end - only.head > 1 && others.length === 0;
    const line = code.lines[unit.head];
    if (!isIt || firstWord(now.lines[only.head]) !== firstWord(line) || old.includes(now.lines[only.head] ?? ''))
      continue;
    const span = { start: unit.head, end: unit.end };
    const patch = isShort(replacement, code.lines.slice(unit.head, unit.end))
      ? null
      : wholePatch(file, span, replacement);
    if (patch === null) throw new Unplaced(index);
    return patch;
  }
  return null;
}

/** Whether lines are only added to the imports of a file. */
function isInImports(code: Code, start: number, end: number, lines: readonly string[]): boolean {
  if (start !== end) return false;
  const imports = code.units().filter((unit) => isImport(code, unit));
  const inside = imports.some((unit) => start > unit.head && end < unit.end);
  const addedCode = new Code(lines, code.languageId);
  const beside = imports.some((unit) => start === unit.end || start === unit.start);
  return inside
    ? lines.every((line) => /^\s*[\w.]*\s*["']?[\w./@-]+["']?,?$/.test(line))
    : beside && addedCode.units().every((unit) => isImport(addedCode, unit));
}

/** The imports that a change adds, or null if it changes anything else. */
function onlyImports({ languageId }: Code, { old, replacement }: Change): readonly (readonly string[])[] | null {
  const [before, after] = [new Code(old, languageId), new Code(replacement, languageId)];
  const isAbout = (code: Code): boolean =>
    code.units().every((unit) => isImport(code, unit) || isPackage(code, unit) || isComment(code, unit));
  if (!isAbout(before) || !isAbout(after)) return null;
  const { imports } = splitImports(after);
  if (imports.length === 0) return null;
  const oldImports = splitImports(before).imports.map((each) => each.join('\n').trim());
  // Imports that the change removes stay, because they may be used elsewhere.
  return imports.filter((each) => !oldImports.includes(each.join('\n').trim()));
}
