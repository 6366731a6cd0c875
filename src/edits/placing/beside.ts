import { isDirective } from '../text/directives.ts';
import { isBlank } from '../text/lines.ts';
import type { Code, Unit } from '../text/units.ts';
import { headOf, kindOf, leadOf } from './keys.ts';
import type { Patch } from './patch.ts';

/**
 * The line that shows how the code beside a unit is indented: a line of another unit, if this one has only directives.
 */
export function indentedLine({ lines }: Code, units: readonly Unit[], beside: Unit | undefined): number | undefined {
  for (const unit of beside === undefined ? units : [beside, ...units]) {
    for (let at = unit.head; at < unit.end; at += 1) {
      if (!isBlank(lines[at] ?? '') && !isDirective(lines[at] ?? '')) return at;
    }
  }
  return (beside ?? units[0])?.head;
}

/**
 * Whether a statement of the answer is a changed version of a statement of the file that the answer otherwise omits.
 */
export function sameStatement(
  { code, file }: { readonly code: Code; readonly file: Code },
  unit: Unit,
  other: Unit,
): 'same' | 'other' | 'unclear' {
  if (unit.name !== undefined && other.name !== undefined) return unit.name === other.name ? 'same' : 'other';
  if (kindOf(code, unit) !== kindOf(file, other)) return 'other';
  const opens = (text: string): boolean => text.endsWith('{');
  if (kindOf(code, unit) === 'other' && opens(headOf(code, unit)) !== opens(headOf(file, other))) return 'other';
  if (isOtherElement(headOf(code, unit), headOf(file, other))) return 'other';
  const lead = leadOf(code, unit);
  return lead !== undefined && lead === leadOf(file, other) ? 'same' : 'unclear';
}

const branch = /^[^=(){}]*(?:\([^()]*\)|\{[^{}]*\})? (?:=>|->) /;
const text = /^(["'`]).*\1,?$/;
const callWithValue = /^([\w$.]+)\(((["'`]).*?\3|\d+)(?=[,)])/;

/**
 * Whether two lines are branches of different patterns, different strings of a list, or calls that differ in their first values, and
 * outside a list also in their names.
 */
function isOtherElement(one: string, other: string): boolean {
  for (const form of [branch, text]) {
    const [first, second] = [form.exec(one)?.[0], form.exec(other)?.[0]];
    if (first !== undefined && second !== undefined) return first !== second;
  }
  const [, name, value] = callWithValue.exec(one) ?? [];
  const [, otherName, otherValue] = callWithValue.exec(other) ?? [];
  const isList = one.endsWith(',') && other.endsWith(',');
  return name !== undefined && otherName !== undefined && value !== otherValue && (isList || name !== otherName);
}

/** Adds blank lines between the new code and its neighbour, up to the number in the answer, if the file has fewer. */
export function withGap(
  patch: Patch,
  file: Code,
  code: Code,
  upper: Unit | undefined,
  lower: Unit | undefined,
  side: 'after' | 'before',
): Patch {
  if (upper === undefined || lower === undefined) return patch;
  let from = Math.min(upper.end, lower.start);
  while (from > 0 && isBlank(code.lines[from - 1] ?? '')) from -= 1;
  const wantedBlanks = code.lines.slice(from, lower.start).filter(isBlank).length;
  const at = side === 'after' ? patch.start - 1 : patch.end;
  const step = side === 'after' ? -1 : 1;
  let existing = 0;
  while (existing < maxBlankLines && isBlank(file.lines[at + existing * step] ?? 'x')) existing += 1;
  const gap = new Array<string>(Math.max(0, Math.min(wantedBlanks, maxBlankLines) - existing)).fill('');
  return { ...patch, lines: side === 'after' ? [...gap, ...patch.lines] : [...patch.lines, ...gap] };
}

/** The number of blank lines between declarations in Python. */
const maxBlankLines = 2;
