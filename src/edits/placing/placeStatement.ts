import type { Span } from '../../util/text/span.ts';
import { indentOf } from '../text/lines.ts';
import type { Code, Unit } from '../text/units.ts';
import { asidesAbove, mergedAsides } from './asides.ts';
import { indentedLike } from './indent.ts';
import { Unplaced } from './patch.ts';
import type { FileText, Placed, Region } from './region.ts';
import { withComma } from './separators.ts';
import { mayBePart } from './whole.ts';

/**
 * Places one multi-line statement over the statement with the same last line and the same first line, which occurs
 * once.
 */
export function placeStatement(
  { code, step }: FileText,
  region: Region,
  answerCode: Code,
  units: readonly Unit[],
): Placed | null {
  const [only] = units;
  if (only === undefined || units.length > 1) return null;
  if (only.end - only.head === 1) return placeLine(code, region, answerCode.lines.slice(only.start, only.end));
  if (only.end - only.head < 3) return null;
  const head = (answerCode.lines[only.head] ?? '').trim();
  const found = code.lines.flatMap((line, at) => (line.trim() === head ? [at] : []));
  const [at] = found;
  if (at === undefined || found.length > 1 || at < region.start || at >= region.end) return null;
  const [place] = code.units({ start: at, end: region.end });
  if (place === undefined || code.lines[place.end - 1]?.trim() !== answerCode.lines[only.end - 1]?.trim()) return null;
  const old = code.lines.slice(place.head, place.end);
  const lines = answerCode.lines.slice(only.head, only.end);
  if (mayBePart(answerCode, only, code, place)) throw new Unplaced(0);
  const moved = indentedLike(lines, old, { languageId: code.languageId, step, indent: indentOf(old[0] ?? '') });
  return moved === null ? null : { patches: [{ start: place.head, end: place.end, lines: moved }], isShown: true };
}

/** Places a line over the only one of the file that sets the same name, or calls the same with the same first value. */
function placeLine(code: Code, region: Region, given: readonly string[]): Placed | null {
  const [line = ''] = given.slice(-1);
  const lead = /^[\w$.]+(?:\(| )(?:(["'`])[^"'`]+\1|:\w+)(?=[,)])|^(?:[A-Za-z]+ )?[\w.-]+(?: ?=(?![=>])|: )/.exec(
    line.trim(),
  )?.[0];
  if (lead === undefined) return null;
  const [at, ...others] = code.lines.flatMap((each, index) => (each.trim().startsWith(lead) ? [index] : []));
  if (at === undefined || others.length > 0 || at < region.start || at >= region.end) return null;
  const old = code.lines[at] ?? '';
  if (code.units({ start: at, end: code.lines.length })[0]?.end !== at + 1) return null;
  const above = asidesAbove(code, at);
  const own = indentOf(line);
  const asides = given
    .slice(0, -1)
    .map((each) => indentOf(old) + (each.startsWith(own) ? each.slice(own.length) : each));
  const lines = [
    ...mergedAsides(asides, code.lines.slice(above, at), code.languageId),
    ...withComma([indentOf(old) + line.trim()], [old]),
  ];
  return { patches: [{ start: above, end: at + 1, lines }], isShown: true };
}

/** Returns the one statement without a name at any depth of a file that an answer with one statement shows in parts. */
export function statementFor(code: Code, answerCode: Code): Span | null {
  const [only, ...others] = answerCode.units();
  if (only === undefined || others.length > 0 || only.name !== undefined) return null;
  const head = answerCode.lines[only.head]?.trim();
  const [at, ...more] = code.lines.flatMap((line, index) => (line.trim() === head ? [index] : []));
  if (at === undefined || more.length > 0 || code.scan.inText[at] === true) return null;
  return code.units({ start: at, end: code.lines.length })[0] ?? null;
}
