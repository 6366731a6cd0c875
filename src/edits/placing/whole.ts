import type { Span } from '../../util/text/span.ts';
import { indentOf, isBlank, isDistinctive } from '../text/lines.ts';
import { isStyles } from '../text/names.ts';
import { Code, type Unit } from '../text/units.ts';
import { asidesAbove, mergedAsides } from './asides.ts';
import { isComment, lacksBody } from './bodies.ts';
import { isImport, splitImports } from './imports.ts';
import { indentedLike } from './indent.ts';
import { createFinder, textOf } from './keys.ts';
import type { Patch } from './patch.ts';
import { coreOf, countText, type FileText, indentAt } from './region.ts';
import { Renamings } from './renamed.ts';

/** Whether the first and the last line of the code are those of the place. */
export function isFramed(code: readonly string[], old: readonly string[]): boolean {
  const [first, last] = [code[0]?.trim(), code.at(-1)?.trim()];
  return (
    first === old[0]?.trim() && last === old.at(-1)?.trim() && (isDistinctive(first ?? '') || isDistinctive(last ?? ''))
  );
}

/** Replaces the place with the code, including the comments and decorators above the place that the code repeats. */
export function wholePatch(file: FileText, span: Span, lines: readonly string[]): Patch | null {
  const core = coreOf(file.code, span);
  const old = file.code.lines.slice(core.start, core.end);
  const { languageId } = file.code;
  const answerCode = new Code(lines, languageId);
  const [first] = answerCode.units();
  const [theirs] = file.code.units(core);
  const asides = first === undefined ? 0 : first.head - first.start;
  const hasOwn = theirs !== undefined && theirs.head > theirs.start;
  const above = asides > 0 && !hasOwn ? asidesAbove(file.code, core.start) : core.start;
  const context = file.code.lines.slice(above, core.end);
  const indent = indentAt(file.code, core.start);
  const moved = indentedLike(lines, above < core.start ? context : old, { languageId, step: file.step, indent });
  if (moved === null) return null;
  if (above === core.start) return { ...core, lines: moved };
  const merged = mergedAsides(moved.slice(0, asides), file.code.lines.slice(above, core.start), languageId);
  return { start: above, end: core.end, lines: [...merged, ...moved.slice(asides)] };
}

/** Whether the code contains each unit of the place, perhaps under a new name, so that it omits nothing. */
export function hasAll(code: Code, file: FileText, span: Span): boolean {
  const { start, end } = coreOf(file.code, span);
  const renamings = new Renamings(code, file.code);
  if (renamings.isWhole(file.code.lines.slice(start, end))) return true;
  if (!hasHead(code, file, span, renamings)) return false;
  const theirs = declaredIn(file.code, file.code.units(span));
  const find = createFinder(code, code.units());
  const seen = new Set<Unit>();
  return (
    theirs.length > 0 &&
    theirs.every((unit) => {
      if (isComment(file.code, unit)) return true;
      const found = find(file.code, unit);
      const same = found === undefined ? renamings.of(unit) : found;
      if (same === null || seen.has(same)) return false;
      seen.add(same);
      return !(
        hasOtherMembers(code, same, file.code, unit) ||
        isExcerpt(code, same, file.code, unit) ||
        lacksBody(code, same, file.code, unit)
      );
    })
  );
}

/**
 * Whether a class of the answer has members, but none of the members in the file. It is then unclear whether they are
 * new or replacements.
 */
export function hasOtherMembers(code: Code, unit: Unit, file: Code, place: Unit): boolean {
  if (unit.holds === null || place.holds === null) return false;
  const namesIn = (of: Code, { inner, holds }: Unit): readonly string[] =>
    of.units(inner, holds ?? 'top').flatMap(({ name }) => name ?? []);
  const answerNames = new Set(namesIn(code, unit));
  const fileNames = namesIn(file, place);
  return answerNames.size > 0 && fileNames.length > 0 && !fileNames.some((name) => answerNames.has(name));
}

/** Whether some class or object of the answer has some of the members in the file, and fewer than there. */
export function haveFewerMembers(code: Code, units: readonly Unit[], file: Code): boolean {
  const namesIn = (of: Code, { inner, holds }: Unit): readonly string[] =>
    holds === null ? [] : [...new Set(of.units(inner, holds).flatMap(({ name }) => name ?? []))];
  const keyOf = (of: Code, { name, head }: Unit, member: string): string => `${name ?? of.lines[head]}\n${member}`;
  /** The number of members of the largest declaration in the file with this name and this member. */
  const counts = new Map<string, number>();
  for (const { unit } of file.declared()) {
    const names = namesIn(file, unit);
    for (const name of names) {
      const key = keyOf(file, unit, name);
      counts.set(key, Math.max(counts.get(key) ?? 0, names.length));
    }
  }
  return units.some((unit) => {
    const names = namesIn(code, unit);
    return names.some((name) => (counts.get(keyOf(code, unit, name)) ?? 0) > names.length);
  });
}

/**
 * Whether a class or an object is only a part of the one in the file: much shorter, without some of the members at any depth, and
 * with another change. An answer that only removes members contains no other lines.
 */
export function isExcerpt(code: Code, unit: Unit, file: Code, place: Unit): boolean {
  if (unit.holds === null || place.holds === null) return false;
  const [lines, old] = [code.lines.slice(unit.head, unit.end), file.lines.slice(place.head, place.end)];
  if (3 * countText(lines) > 2 * countText(old)) return false;
  const texts = new Set(old.map((line) => line.trim()));
  const names = new Set([...code.declared(unit.inner, unit.holds)].map(({ unit: { name } }) => name));
  return (
    lines.some((line) => !isBlank(line) && !texts.has(line.trim())) &&
    [...file.declared(place.inner, place.holds)].some(({ unit: { name } }) => name !== undefined && !names.has(name))
  );
}

/** Whether it is unclear if a unit of an answer is all of the unit in the file, which it would replace. */
export function mayBePart(code: Code, unit: Unit, file: Code, place: Unit): boolean {
  const [lines, old] = [code.lines.slice(unit.head, unit.end), file.lines.slice(place.head, place.end)];
  if (isUnclearPart(file.languageId, lines, old)) return true;
  if (unit.holds !== null || unit.inner.end <= unit.inner.start || !isShort(lines, old)) return false;
  // A function that ended by returning still does.
  const returns = (of: Code, { inner }: Unit): boolean =>
    of.lines[of.units(inner).at(-1)?.head ?? -1]?.trim().startsWith('return') === true;
  return returns(file, place) && !returns(code, unit);
}

/**
 * Whether it is unclear if a block of data, a rule of a style sheet, or the beginning of a class in Ruby is complete: it has new
 * lines, but is much shorter than in the file, or has none of the lines there. Parts of a page must also end with the same line.
 */
function isUnclearPart(languageId: string, lines: readonly string[], old: readonly string[]): boolean {
  const textsIn = (of: readonly string[]) => new Set(of.flatMap((line) => (/\w/.test(line) ? [line.trim()] : [])));
  const [texts, oldTexts] = [textsIn(lines), textsIn(old)];
  const added = [...texts].filter((text) => !oldTexts.has(text)).length;
  if (added === 0) return false;
  const keptCount = texts.size - added;
  // Most short rules are replaced as a whole.
  const slack = isStyles(languageId) ? 1 : 0;
  const isShorter =
    3 * countText(lines) <= 2 * countText(old) || (keptCount === 1 && oldTexts.size - keptCount > added + slack);
  const isMarkup = /^(?:html|xml)$/.test(languageId);
  if (isMarkup && lines.findLast((line) => !isBlank(line))?.trim() !== old.findLast((line) => !isBlank(line))?.trim())
    return true;
  const [head = ''] = lines;
  if (languageId !== 'ruby') return isShorter && (isMarkup || isData(languageId, head.trim()));
  const hasEnd = (of: readonly string[]): boolean =>
    of.some((line) => line.trimEnd() === `${indentOf(of[0] ?? '')}end`);
  return /^\s*(?:class|module)\b/.test(head) && (isShorter || hasEnd(lines) !== hasEnd(old));
}

/** Whether a block has only data: in a language for data, or in a build script. */
function isData(languageId: string, head: string): boolean {
  if (/^(?:groovy|gradle|kotlin)$/.test(languageId)) return /^(?!init\b)\w+ \{$/.test(head);
  if (languageId === 'toml') return head.startsWith('[');
  return /^(?:css|scss|less|proto3?|prisma|graphql|terraform|hcl|bicep|nginx)$/.test(languageId);
}

/** Whether the code contains the beginning of the file: its imports, and a comment about the whole file. */
function hasHead(code: Code, file: FileText, span: Span, renamings: Renamings): boolean {
  const theirs = file.code.units(span);
  const [first] = theirs;
  const imports = theirs.filter((unit) => isImport(file.code, unit));
  const answerTexts = new Set(code.units().map((unit) => textOf(code, unit)));
  const isThere = (unit: Unit): boolean => answerTexts.has(textOf(file.code, unit)) || renamings.of(unit) !== null;
  if (imports.length > 0 && !imports.some(isThere)) return false;
  if (first === undefined || !isComment(file.code, first)) return true;
  return code.lines.some((line) => line.trim() === (file.code.lines[first.start] ?? '').trim());
}

function declaredIn(file: Code, units: readonly Unit[]): readonly Unit[] {
  const { imports } = splitImports(file);
  const heads = new Set(imports.map((lines) => lines.find((line) => !isBlank(line))?.trim()));
  return units.filter(({ head }) => !heads.has((file.lines[head] ?? '').trim()));
}

/**
 * Whether code has fewer than half as many lines as the lines it would replace. It may then omit some of them without a
 * mark.
 */
export function isShort(code: readonly string[], old: readonly string[]): boolean {
  const [newCount, oldCount] = [countText(code), countText(old)];
  return oldCount > 12 && 2 * newCount < oldCount;
}

/** The smallest indentation of some units. */
export function outermost(code: Code, units: readonly Unit[]): number {
  return Math.min(...units.map(({ head }) => indentOf(code.lines[head] ?? '').length));
}
