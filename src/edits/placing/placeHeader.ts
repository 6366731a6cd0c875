import type { AnswerBlock } from '../reading/answer.ts';
import { trimLines } from '../text/lines.ts';
import { Code } from '../text/units.ts';
import { importPatches, isImport, type Patch, splitImports } from './imports.ts';
import { placeAtEnd } from './placeNew.ts';
import { coreOf, type FileText, type Placed, type Region } from './region.ts';

const saysTop = /\b(?:imports?|top of (?:the|this|your) (?:file|module)|at the top|am Anfang)\b/i;
const saysEnd =
  /\b(?:at|to) the (?:very )?(?:end|bottom) of (?:(?:the|this|your) (?:test )?file\b|`[^`\n]+\.\w+`)|\bappend\b|\b(?:below|after|under) the (?:existing|last|other) (?:test|case|one|function)s?\b|\bam Ende\b/i;

/**
 * A block that the words before it put at the top of the file, below its imports, or at its end: new constants, or new
 * declarations. Null where it is no such block.
 */
export function placeHeader(
  file: FileText,
  region: Region,
  { said }: AnswerBlock,
  lines: readonly string[],
): Placed | null {
  const { code } = file;
  const own = new Code(trimLines(lines), code.languageId);
  const { imports, rest } = splitImports(own);
  const body = new Code(rest, code.languageId);
  const names = new Set([...code.declared()].map(({ unit }) => unit.name));
  const units = body.units();
  const isNew = units.length > 0 && units.every(({ name }) => name !== undefined && !names.has(name));
  const core = coreOf(code, { start: 0, end: code.lines.length });
  const isDocument = code.languageId === 'yaml' && rest[0]?.trim() === '---';
  const isWhole = region.start <= core.start && region.end >= core.end;
  if (saysEnd.test(said) && (!region.isAsked || isWhole)) {
    if (isNew) return placeAtEnd(file, region, lines);
    if (isDocument) return { patches: [{ start: core.end, end: core.end, lines: rest }], isShown: true };
  }
  const isShort = units.every(({ head, end }) => end - head === 1);
  if (!isNew || !isShort || !saysTop.test(said)) return null;
  const after = endOfImports(code);
  if (after === null || (region.isAsked && region.start > core.start && after > region.start)) return null;
  const added = importPatches(code, imports);
  const patch: Patch = { start: after, end: after, lines: ['', ...rest] };
  return { patches: [...added, patch], isShown: true };
}

/** After the last import; null where there is none. */
export function endOfImports(code: Code): number | null {
  return code.units().findLast((unit) => isImport(code, unit))?.end ?? null;
}
