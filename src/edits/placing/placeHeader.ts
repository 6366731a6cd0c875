import type { AnswerBlock } from '../reading/answer.ts';
import { trimLines } from '../text/lines.ts';
import type { Code } from '../text/units.ts';
import { isImport } from './imports.ts';
import type { Patch } from './patch.ts';
import { newCodeIn, placeAtEnd } from './placeNew.ts';
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
  const core = coreOf(code, { start: 0, end: code.lines.length });
  const isWhole = region.start <= core.start && region.end >= core.end;
  const made = newCodeIn(file, lines);
  if (saysEnd.test(said) && (!region.isAsked || isWhole)) {
    if (made !== null) return placeAtEnd(file, region, lines);
    const document = trimLines(lines);
    const isDocument = code.languageId === 'yaml' && document[0]?.trim() === '---';
    if (isDocument) return { patches: [{ start: core.end, end: core.end, lines: document }], isShown: true };
  }
  if (made === null || !saysTop.test(said) || made.units.some(({ head, end }) => end - head > 1)) return null;
  const after = endOfImports(code);
  if (after === null || (region.isAsked && region.start > core.start && after > region.start)) return null;
  const patch: Patch = { start: after, end: after, lines: ['', ...made.lines] };
  return { patches: [...made.imports, patch], isShown: true };
}

/** After the last import; null where there is none. */
export function endOfImports(code: Code): number | null {
  return code.units().findLast((unit) => isImport(code, unit))?.end ?? null;
}
