import type { Span } from '../../util/text/span.ts';
import { Code } from '../text/units.ts';
import { mergedAsides } from './asides.ts';
import { isPackage } from './imports.ts';
import type { Patch } from './patch.ts';
import type { FileText, Region } from './region.ts';

/** Moves the comment directly above the package of an answer, which documents it, above the package of the file. */
export function packageComment({ code }: FileText, region: Region, lines: readonly string[]): readonly Patch[] {
  const given = new Code(lines, code.languageId);
  const answerPackage = given.units().find((unit) => isPackage(given, unit));
  const filePackage = code.units().find((unit) => isPackage(code, unit));
  if (answerPackage === undefined || filePackage === undefined || answerPackage.start === answerPackage.head) return [];
  if (region.isAsked && !holds(region, filePackage)) return [];
  const old = code.lines.slice(filePackage.start, filePackage.head);
  const now = mergedAsides(lines.slice(answerPackage.start, answerPackage.head), old, code.languageId);
  return now.join('\n') === old.join('\n') ? [] : [{ start: filePackage.start, end: filePackage.head, lines: now }];
}

function holds({ start, end }: Span, unit: Span): boolean {
  return start <= unit.start && unit.end <= end;
}
