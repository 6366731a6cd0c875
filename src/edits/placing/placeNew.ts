import { indentOf, isBlank, trimLines } from '../text/lines.ts';
import { isStyles } from '../text/names.ts';
import { Code, type Unit } from '../text/units.ts';
import { importPatches, splitImports } from './imports.ts';
import { indentedLike } from './indent.ts';
import type { Patch } from './patch.ts';
import { Unplaced } from './patch.ts';
import { coreOf, type FileText, type Placed, type Region } from './region.ts';

/** New declarations, and the imports that come with them. */
export interface NewCode {
  readonly lines: readonly string[];
  readonly units: readonly Unit[];
  readonly imports: readonly Patch[];
}

/** Returns the new code if every declaration in it has a name that the file does not have, or else null. */
export function newCodeIn({ code }: FileText, given: readonly string[]): NewCode | null {
  const { imports, rest } = splitImports(new Code(trimLines(given), code.languageId));
  const known = new Set([...code.declared()].map(({ unit }) => unit.name));
  const units = new Code(rest, code.languageId).units();
  // A key of an object, a clause of a `switch` or a property of a rule alone belongs inside another declaration.
  const isInner = ({ head, name = '' }: Unit): boolean =>
    /^(?:["']|case |default$)/.test(name) || (isStyles(code.languageId) && !/[{$@]/.test(rest[head] ?? ''));
  const isNew =
    units.length > 0 && units.every((unit) => unit.name !== undefined && !known.has(unit.name) && !isInner(unit));
  return isNew ? { lines: rest, units, imports: importPatches(code, imports) } : null;
}

const side =
  /(?<![\w-])(after|below|beneath|behind|under|before|above|nach|hinter|unter|vor|über|(?:end|bottom|Ende) (?:of|von))(?: (?:the|existing|method|function|class|test|type|property|field|constructor|der|die|das|dem|Methode|Funktion|Klasse)){0,4} (?:\*\*)?`([\w.:#$ ]{1,100})(?:\([^`]{0,60}\))?`/giu;

/**
 * Returns where a text puts code: the side of a declaration, and its name. Returns null if the text names no
 * declaration, or several.
 */
export function namedPlace(intro: string): { readonly side: 'after' | 'before' | 'end'; readonly name: string } | null {
  const found = [...intro.slice(-1_000).matchAll(side)].map(([, word = '', name = '']) => {
    const lower = word.toLowerCase();
    const position = /^(?:before|above|vor|über)$/.test(lower) ? 'before' : / /.test(lower) ? 'end' : 'after';
    return { side: position, name } as const;
  });
  const exact = found.filter((each) => each.side !== 'end');
  const [only, ...others] = exact.length > 0 ? exact : found;
  return only === undefined || others.some(({ name }) => name !== only.name) ? null : only;
}

/** Places new declarations that the text above them puts beside a declaration of the file: "Add this after `load`:". */
export function placeBeside(file: FileText, region: Region, intro: string, given: readonly string[]): Placed | null {
  const beside = namedPlace(intro);
  const newCode = beside === null ? null : newCodeIn(file, given);
  if (beside === null || newCode === null) return null;
  const { code } = file;
  const names = new Set([beside.name, `test ${beside.name}`, `${beside.name}()`]);
  const found = [...code.declared()].filter(
    ({ unit }) => names.has(unit.name ?? '') || unit.name?.split('.').at(-1) === beside.name,
  );
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return null;
  const { unit } = only;
  const anchor = beside.side === 'end' ? lastIn(code, unit) : unit;
  if (anchor === null) return null;
  const placed = added(file, region, newCode, anchor, beside.side === 'before' ? 'before' : 'after');
  // It is clear where the code belongs, but this place was not requested.
  if (placed === null) throw new Unplaced(0);
  return placed;
}

const container =
  /\b(?:to|into|inside|in|zu|zur|in die|in der) (?:(?:the|your|existing|class|interface|struct|der|die|Klasse) ){0,3}(?:\*\*)?`(?:(?:class|impl|interface) )?([\w.]{1,100})`/giu;

/** Places new methods at the end of the one class that the text above them names: "Add this method to `Cart`:". */
export function placeInside(file: FileText, region: Region, intro: string, newCode: NewCode): Placed | null {
  const { code } = file;
  const isMethod = ({ head }: Unit): boolean => {
    const line = newCode.lines[head] ?? '';
    return code.languageId === 'python'
      ? /^\s*(?:async )?def \w+\((?:self|cls)\b/.test(line)
      : !/^\s*(?:export|function|async function|class|interface|type|enum|struct|const|let|var)\b/.test(line);
  };
  if (!newCode.units.every(isMethod)) return null;
  const names = new Set([...intro.matchAll(container)].map(([, name = '']) => name));
  const found = [...code.declared()].filter(
    ({ unit }) =>
      unit.holds === 'members' &&
      names.has(unit.name ?? '') &&
      (code.languageId !== 'rust' || /^\s*impl\b/.test(code.lines[unit.head] ?? '')),
  );
  const [only, ...others] = found;
  const anchor = only === undefined || others.length > 0 ? null : lastIn(code, only.unit);
  return anchor === null ? null : added(file, region, newCode, anchor, 'after');
}

/**
 * Places new declarations in a file that they extend: at its end, or at the end of the class that has the other
 * declarations.
 */
export function placeAtEnd(file: FileText, region: Region, given: readonly string[]): Placed | null {
  const newCode = newCodeIn(file, given);
  if (newCode === null) return null;
  const { code } = file;
  const indent = indentOf(newCode.lines.find((line) => !isBlank(line)) ?? '');
  const isForClass =
    indent === '' && /^(?:java|csharp)$/.test(code.languageId) && newCode.units.every(({ holds }) => holds === null);
  if (indent === '' && !isForClass) {
    const units = code.units();
    const start = startForTypes(code, newCode);
    if (start !== null) return added(file, region, newCode, start, 'after');
    // A method in Go goes below the others of its type.
    const [type] = /^func \(\w* ?\*?\w+/.exec(newCode.lines[newCode.units[0]?.head ?? 0] ?? '') ?? [];
    const last =
      (type === undefined ? undefined : units.findLast(({ head }) => code.lines[head]?.startsWith(`${type})`))) ??
      units.findLast((unit) => !isMain(code, unit));
    return last === undefined ? null : added(file, region, newCode, last, 'after');
  }
  const holders = [...code.declared()].filter(({ unit }) => {
    const member = unit.holds === null ? null : lastIn(code, unit);
    if (member === null || member.name === undefined) return false;
    return isForClass ? member.holds === null : indentOf(code.lines[member.head] ?? '') === indent;
  });
  const [only, ...others] = holders;
  const anchor = only === undefined || others.length > 0 ? null : lastIn(code, only.unit);
  return anchor === null ? null : added(file, region, newCode, anchor, 'after');
}

/**
 * Returns the last import or constant at the beginning of a file in Python, for new classes that use no part of the file: its
 * other code may need them when it is read.
 */
function startForTypes(code: Code, { lines, units }: NewCode): Unit | null {
  const isType = ({ head }: Unit): boolean => /^class (?!Test)/.test(lines[head] ?? '');
  if (code.languageId !== 'python' || !units.every(isType)) return null;
  const all = code.units();
  const first = all.findIndex(({ head }) => /^(?:class|def|async def|if|for|with|try)\b/.test(code.lines[head] ?? ''));
  const known = new Set(all.slice(first).flatMap(({ name }) => name ?? []));
  if (lines.some((line) => (line.match(/\w+/g) ?? []).some((word) => known.has(word)))) return null;
  return all[first - 1] ?? null;
}

/** Whether a unit starts the tests in a Python file. It stays at the end. */
function isMain({ lines }: Code, { head }: Unit): boolean {
  return /^if __name__\b/.test(lines[head] ?? '');
}

function lastIn(code: Code, { inner, holds }: Unit): Unit | null {
  return holds === null ? null : (code.units(inner, holds).at(-1) ?? null);
}

function added(
  { code, step }: FileText,
  region: Region,
  { lines, imports }: NewCode,
  anchor: Unit,
  position: 'after' | 'before',
): Placed | null {
  const at = position === 'after' ? anchor.end : anchor.start;
  const core = coreOf(code, region);
  if (region.isAsked && (at < core.start || at > core.end)) return null;
  const indent = indentOf(code.lines[anchor.head] ?? '');
  const moved = indentedLike(lines, [], { languageId: code.languageId, step, indent });
  if (moved === null) return null;
  const gap = new Array<string>(gapAt(code, anchor, lines)).fill('');
  return {
    patches: [
      ...imports,
      { start: at, end: at, lines: position === 'after' ? [...gap, ...moved] : [...moved, ...gap] },
    ],
    isShown: true,
  };
}

/**
 * The number of blank lines beside new code: as many as the neighbouring declaration has. One-line fields may have
 * none.
 */
function gapAt({ lines, languageId }: Code, { start, end }: Unit, made: readonly string[]): number {
  const count = (from: number, step: number): number => {
    let found = 0;
    while (found < 2 && from + found * step >= 0 && isBlank(lines[from + found * step] ?? 'x')) found += 1;
    return found;
  };
  const above = count(start - 1, -1);
  if (end - start === 1 && made.length === 1) return above;
  const below = lines.findIndex((line, at) => at >= end && !isBlank(line));
  const isLast = below === -1 || indentOf(lines[below] ?? '') !== indentOf(lines[start] ?? '');
  const blankLines = above || (isLast ? 0 : count(end, 1));
  // A class in Python below a constant.
  const least = languageId === 'python' && end - start === 1 && /^(?:class|def|@)/.test(made[0] ?? '') ? 2 : 1;
  return languageId === 'yaml' ? blankLines : Math.max(least, blankLines);
}
