import type { AnswerBlock } from '../reading/answer.ts';
import { trimLines } from '../text/lines.ts';
import type { Code } from '../text/units.ts';
import { isImport } from './imports.ts';
import type { Patch } from './patch.ts';
import { newCodeIn, placeAtEnd } from './placeNew.ts';
import { coreOf, type FileText, type Placed, type Region } from './region.ts';

const mentionsTop = /\b(?:imports?|top of (?:the|this|your) (?:file|module)|at the top|am Anfang)\b/i;
const mentionsEnd =
  /\b(?:at|to) the (?:very )?(?:end|bottom) of (?:(?:the|this|your) (?:test )?file\b|`[^`\n]+\.\w+`)|\bappend\b|\b(?:below|after|under) the (?:existing|last|other) (?:test|case|one|function)s?\b|\bam Ende\b/i;

/**
 * Places a block of new constants or declarations that the text before it assigns to the top of the file, below the
 * imports, or to its end. Returns null for any other block.
 */
export function placeHeader(
  file: FileText,
  region: Region,
  { intro }: AnswerBlock,
  lines: readonly string[],
): Placed | null {
  const { code } = file;
  const core = coreOf(code, { start: 0, end: code.lines.length });
  const isWhole = region.start <= core.start && region.end >= core.end;
  const newCode = newCodeIn(file, lines);
  if (mentionsEnd.test(intro) && (!region.isAsked || isWhole)) {
    if (newCode !== null) return placeAtEnd(file, region, lines);
    const document = trimLines(lines);
    const isDocument = code.languageId === 'yaml' && document[0]?.trim() === '---';
    if (isDocument) return { patches: [{ start: core.end, end: core.end, lines: document }], isShown: true };
  }
  if (newCode === null || !mentionsTop.test(intro) || newCode.units.some(({ head, end }) => end - head > 1))
    return null;
  const after = endOfImports(code);
  if (after === null || (region.isAsked && region.start > core.start && after > region.start)) return null;
  const patch: Patch = { start: after, end: after, lines: ['', ...newCode.lines] };
  return { patches: [...newCode.imports, patch], isShown: true };
}

/** The line after the last import, or null if there is none. */
export function endOfImports(code: Code): number | null {
  return code.units().findLast((unit) => isImport(code, unit))?.end ?? null;
}
