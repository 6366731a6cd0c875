import type { Span } from '../../util/text/span.ts';
import type { AnswerBlock } from '../reading/answer.ts';
import { trimLines } from '../text/lines.ts';
import { Code, type Unit } from '../text/units.ts';
import { isElision } from './elision.ts';
import { isImport } from './imports.ts';
import type { Patch } from './patch.ts';
import { type NewCode, newCodeIn, placeAtEnd, placeInside } from './placeNew.ts';
import { coreOf, type FileText, type Placed, type Region } from './region.ts';
import { wholePatch } from './whole.ts';

const mentionsTop = /\b(?:imports?|top of (?:the|this|your) (?:file|module)|at the top|am Anfang)\b/i;
const mentionsEnd =
  /\b(?:at|to) the (?:very )?(?:end|bottom) of (?:(?:the|this|your) (?:test )?file\b|`[^`\n]+\.\w+`)|\bappend\b|\b(?:below|after|under) the (?:existing|last|other) (?:test|case|one|function)s?\b|\bam Ende\b/i;

const mentionsWhole = /\b(?:complete|full|entire|whole|vollständige|ganze)\b[^.\n]{0,40}\b(?:file|script|datei)\b/i;
const mentionsAddition = /\b(?:add(?:ing)?|füge|ergänze|hinzu\w*)\b(?!.*\btests?\b)/i;

/**
 * Places a block of new constants or declarations that the text before it assigns to the top of the file, below the
 * imports, or to its end, or that it announces as the whole file or as an addition. Returns null for any other block.
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
  const words = intro.slice(-300);
  const table = region.isAsked ? null : placeTables(code, core, lines);
  if (table !== null) return table;
  const all = !region.isAsked && mentionsWhole.test(words) ? placeAll(file, core, lines) : null;
  if (all !== null) return all;
  if (newCode === null) return null;
  if (!mentionsTop.test(intro) || newCode.units.some(({ head, end }) => end - head > 1)) {
    if (region.isAsked) return null;
    const isAdded = mentionsAddition.test(words) && isForFile(newCode, code.languageId);
    const inside = mentionsAddition.test(words) ? placeInside(file, region, words, newCode) : null;
    return (
      inside ??
      (isAdded || areTests(file.code, newCode) || areMethods(file.code, newCode)
        ? placeAtEnd(file, region, lines)
        : null)
    );
  }
  const after = endOfImports(code);
  if (after === null || (region.isAsked && region.start > core.start && after > region.start)) return null;
  const patch: Patch = { start: after, end: after, lines: ['', ...newCode.lines] };
  return { patches: [...newCode.imports, patch], isShown: true };
}

/** Places tables in TOML that the file does not have at its end. */
function placeTables({ lines: fileLines, languageId }: Code, core: Span, lines: readonly string[]): Placed | null {
  const tables = lines.filter((line) => /^\[.*\]\s*$/.test(line));
  const isNew =
    languageId === 'toml' && tables.length > 0 && tables[0] === lines.find((line) => !/^\s*(?:#|$)/.test(line));
  if (!isNew || tables.some((table) => fileLines.includes(table)) || lines.some((line) => isElision(line))) return null;
  return { patches: [{ start: core.end, end: core.end, lines: ['', ...trimLines(lines)] }], isShown: true };
}

/** Places code that is announced as the whole file, if it contains each name that the file declares. */
function placeAll(file: FileText, core: Span, lines: readonly string[]): Placed | null {
  const namesIn = (code: Code): readonly string[] => [...code.declared()].flatMap(({ unit: { name } }) => name ?? []);
  const names = new Set(namesIn(new Code(lines, file.code.languageId)));
  const declared = namesIn(file.code);
  const isAll =
    declared.length > 0 && declared.every((name) => names.has(name)) && !lines.some((line) => isElision(line));
  const patch = isAll ? wholePatch(file, core, lines) : null;
  return patch === null ? null : { patches: [patch], isShown: true };
}

/** Whether new code consists of functions and types, not of methods without their class. */
function isForFile({ lines, units }: NewCode, languageId: string): boolean {
  return units.every(({ head }) => {
    const line = lines[head] ?? '';
    return (
      /^(?:java|csharp)$/.test(languageId) ||
      (/^(?:terraform|hcl)$/.test(languageId) && /\{$/.test(line)) ||
      (/^(?:\w+ )*(?:func|def|fn|function|class|interface|type|struct|enum)\b/.test(line) && !/\bself\b/.test(line))
    );
  });
}

/** Whether new code is tests in Python, and the file has other ones beside them. */
function areTests(code: Code, { units, lines }: NewCode): boolean {
  const isTest = (of: readonly string[], { head }: Unit): boolean =>
    /^(?:class Test|(?:async )?def test_)\w/.test(of[head] ?? '');
  if (code.languageId !== 'python' || !units.every((unit) => isTest(lines, unit))) return false;
  return code.units().some((unit) => isTest(code.lines, unit));
}

/** Whether new code is methods in Go of types that have other methods in the file. */
function areMethods(code: Code, { units }: NewCode): boolean {
  if (code.languageId !== 'go') return false;
  const typeOf = ({ name = '' }: Unit): string => (name.includes('.') ? (name.split('.', 1)[0] ?? '') : '');
  const types = new Set(code.units().map(typeOf));
  return units.every((unit) => typeOf(unit) !== '' && types.has(typeOf(unit)));
}

/** The line after the last import, or null if there is none. */
export function endOfImports(code: Code): number | null {
  return code.units().findLast((unit) => isImport(code, unit))?.end ?? null;
}
