import type { Span } from '../../util/text/span.ts';
import { type BegunLine, completedLines } from '../begunLine.ts';
import { indentOf, isBlank, trimLines } from '../text/lines.ts';
import { Code } from '../text/units.ts';
import { withoutAround } from './around.ts';
import { isElision } from './elision.ts';
import { importPatches, splitImports } from './imports.ts';
import { indentedLike } from './indent.ts';
import { Unplaced } from './patch.ts';
import { coreOf, type FileText, type Placed } from './region.ts';

/** Places code that was requested at one place of a file, without the lines around it that the answer repeats. */
export function placeInsert(
  file: FileText,
  place: Span & { readonly indent: string; readonly begun?: BegunLine },
  given: readonly string[],
): Placed {
  const { code } = file;
  const known = new Set(code.lines.map((line) => line.trim()));
  const isMark = (line: string, at: number, all: readonly string[]): boolean =>
    !known.has(line.trim()) && isElision(line, all[at - 1]);
  let lines = trimLines(given);
  while (lines.length > 0 && isMark(lines[0] ?? '', 0, lines)) lines = trimLines(lines.slice(1));
  while (lines.length > 0 && isMark(lines.at(-1) ?? '', lines.length - 1, lines)) lines = trimLines(lines.slice(0, -1));
  const omits = lines.findIndex(isMark);
  if (omits !== -1) lines = newInside(code, place, lines, isMark) ?? unplacedAt(omits);
  const core = coreOf(code, { start: 0, end: code.lines.length });
  if (core.start === core.end && place.begun === undefined)
    return { patches: [{ ...place, lines: atEnd(file, place, lines) }], isShown: false };
  const unrepeated = withoutAround(code, place, new Code(lines, code.languageId));
  const split = splitImports(new Code(unrepeated.lines, code.languageId));
  const patches = [...importPatches(code, split.imports)];
  // Imports alone show where they belong; the code is in another block.
  if (split.rest.length === 0) return { patches, isShown: unrepeated.isShown || split.imports.length > 0 };
  refuseRepeated(code, place, split.rest);
  const indent = wantedIndent(file, place, split.rest);
  const whole = place.begun === undefined ? split.rest : completedLines(split.rest, code.languageId, place.begun);
  const moved = indentedLike(whole, [], { languageId: code.languageId, step: file.step, indent });
  if (moved === null) throw new Unplaced(0);
  return {
    patches: [...patches, { start: place.start, end: place.end, lines: atEnd(file, place, moved) }],
    isShown: unrepeated.isShown,
  };
}

/**
 * Returns the new declarations in the code around the place, if the answer marks that it omits the other declarations,
 * or else null.
 */
function newInside(
  code: Code,
  place: Span,
  given: readonly string[],
  isMark: (line: string, at: number, all: readonly string[]) => boolean,
): readonly string[] | null {
  const declared = [...code.declared()].map(({ unit }) => unit);
  const around = new Set(declared.filter(({ inner }) => inner.start <= place.start && place.end <= inner.end));
  const known = new Set(declared.map(({ name }) => name));
  const kept = given.filter((line, at, all) => !isMark(line, at, all));
  const { imports, rest } = splitImports(new Code(kept, code.languageId));
  let lines = rest;
  for (;;) {
    const innerCode = new Code(lines, code.languageId);
    const units = innerCode.units();
    const [only] = units;
    const isOuter = only !== undefined && units.length === 1 && [...around].some(({ name }) => name === only.name);
    if (isOuter && only.inner.end > only.inner.start) {
      lines = trimLines(lines.slice(only.inner.start, only.inner.end));
      continue;
    }
    const isNew = units.length > 0 && units.every(({ name }) => name !== undefined && !known.has(name));
    return isNew ? [...imports.flat(), ...lines] : null;
  }
}

function unplacedAt(line: number): never {
  throw new Unplaced(line);
}

/** Code at the end of a text ends with a line break. */
function atEnd({ code }: FileText, { start, end }: Span, lines: readonly string[]): readonly string[] {
  const isEnd = end >= code.lines.length && code.lines.slice(start, end).every(isBlank);
  return isEnd ? [...lines, ''] : lines;
}

/** Refuses code that begins like the code around the place, because it would be there twice. */
function refuseRepeated(code: Code, place: Span, lines: readonly string[]): void {
  const answerCode = new Code(lines, code.languageId);
  for (const { unit } of code.declared()) {
    const isAround = unit.start <= place.start && unit.end >= place.end && unit.inner.start <= place.start;
    if (!isAround || unit.name === undefined) continue;
    const again = answerCode.units().find(({ name }) => name === unit.name);
    if (again !== undefined) throw new Unplaced(again.head);
  }
}

/** The indentation of the place; on a blank line without indentation, that of the code or of the surrounding lines. */
function wantedIndent(
  { code, step }: FileText,
  { start, end, indent }: Span & { readonly indent: string },
  lines: readonly string[],
): string {
  if (indent !== '') return indent;
  const above = code.lines.slice(0, start).findLast((line) => !isBlank(line)) ?? '';
  const below = code.lines.slice(end).find((line) => !isBlank(line)) ?? '';
  const opened = /[{[(:]\s*$/.test(above) ? indentOf(above) + (step ?? '') : null;
  const codeIndent = indentOf(lines.find((line) => !isBlank(line)) ?? '');
  const around = new Set([indentOf(above), indentOf(below), ...(opened === null ? [] : [opened])]);
  if (codeIndent !== '' && around.has(codeIndent)) return codeIndent;
  if (opened !== null && codeIndent === '') return opened;
  const isInside = code.blocks === 'brackets' && (code.scan.before[start] ?? 0) > 0;
  return isInside && codeIndent === '' ? indentOf(above) : indent;
}
