import type { Span } from '../../util/text/span.ts';
import { Code, type Unit } from './units.ts';

/**
 * The name of the class or other container whose whole members some lines are, or undefined if they are not whole
 * members.
 */
export function ownerOf(lines: readonly string[], languageId: string, { start, end }: Span): string | undefined {
  const code = new Code(lines, languageId);
  let owner: Unit | undefined;
  for (const { unit } of code.declared()) {
    if (unit.holds === 'members' && unit.inner.start <= start && end <= unit.inner.end) owner = unit;
  }
  if (owner === undefined) return undefined;
  const members = code.units(owner.inner, 'members').filter((member) => member.end > start && member.start < end);
  return members.length > 0 && members.every((member) => start <= member.head && member.end <= end)
    ? owner.name
    : undefined;
}
