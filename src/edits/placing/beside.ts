import { isDirective } from '../text/directives.ts';
import { isBlank } from '../text/lines.ts';
import type { Code, Unit } from '../text/units.ts';
import type { Patch } from './imports.ts';
import { kindOf, leadOf } from './keys.ts';

/** The line that says how the code beside a unit is indented: that of another one, if this is only directives. */
export function indentedLine({ lines }: Code, units: readonly Unit[], beside: Unit | undefined): number | undefined {
  for (const unit of beside === undefined ? units : [beside, ...units]) {
    for (let at = unit.head; at < unit.end; at += 1) {
      if (!isBlank(lines[at] ?? '') && !isDirective(lines[at] ?? '')) return at;
    }
  }
  return (beside ?? units[0])?.head;
}

/** Whether a statement of the answer is a changed one of the file, which the answer omits otherwise. */
export function sameStatement(
  { code, file }: { readonly code: Code; readonly file: Code },
  unit: Unit,
  other: Unit,
): 'same' | 'other' | 'unclear' {
  if (unit.name !== undefined && other.name !== undefined) return unit.name === other.name ? 'same' : 'other';
  if (kindOf(code, unit) !== kindOf(file, other)) return 'other';
  const lead = leadOf(code, unit);
  return lead !== undefined && lead === leadOf(file, other) ? 'same' : 'unclear';
}

/** A blank line between the new code and its neighbour, as the answer has it, or as the file has between its own. */
export function withGap(
  patch: Patch,
  file: Code,
  code: Code,
  upper: Unit | undefined,
  lower: Unit | undefined,
  side: 'after' | 'before',
): Patch {
  if (upper === undefined || lower === undefined) return patch;
  const hasGap = code.lines.slice(upper.end, lower.start).some(isBlank) || isBlank(code.lines[lower.start - 1] ?? 'x');
  if (!hasGap) return patch;
  if (side === 'after') {
    const isApart = isBlank(file.lines[patch.start - 1] ?? 'x');
    return isApart ? patch : { ...patch, lines: ['', ...patch.lines] };
  }
  return isBlank(file.lines[patch.end] ?? 'x') ? patch : { ...patch, lines: [...patch.lines, ''] };
}
