import type { Span } from '../../util/text/span.ts';
import { Code } from '../text/units.ts';
import { mergedAsides } from './asides.ts';
import { isPackage } from './imports.ts';
import type { Patch } from './patch.ts';
import type { FileText, Region } from './region.ts';

/** Moves the comment directly above the package of an answer, which documents it, above the package of the file. */
export function packageComment({ code }: FileText, region: Region, lines: readonly string[]): readonly Patch[] {
  const given = new Code(lines, code.languageId);
  const own = given.units().find((unit) => isPackage(given, unit));
  const theirs = code.units().find((unit) => isPackage(code, unit));
  if (own === undefined || theirs === undefined || own.start === own.head) return [];
  if (region.isAsked && !holds(region, theirs)) return [];
  const old = code.lines.slice(theirs.start, theirs.head);
  const now = mergedAsides(lines.slice(own.start, own.head), old, code.languageId);
  return now.join('\n') === old.join('\n') ? [] : [{ start: theirs.start, end: theirs.head, lines: now }];
}

function holds({ start, end }: Span, unit: Span): boolean {
  return start <= unit.start && unit.end <= end;
}
