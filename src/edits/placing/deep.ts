import type { Span } from '../../util/text/span.ts';
import type { Code, Unit } from '../text/units.ts';

/** What each declaration that was found at any depth stands in. */
export type Parents = Map<Unit, Unit | undefined>;

/** The one declaration of a name in some lines, at any depth; of several, the one with the same first line. */
export function deepFinder(
  { code, file }: { readonly code: Code; readonly file: Code },
  span: Span,
  parents: Parents,
): (unit: Unit) => Unit | undefined | null {
  const names = new Map<string, Unit[]>();
  for (const { unit, around } of file.declared(span)) {
    if (unit.name === undefined) continue;
    parents.set(unit, around.at(-1));
    const same = names.get(unit.name);
    if (same === undefined) names.set(unit.name, [unit]);
    else same.push(unit);
  }
  return ({ name, head }) => {
    const all = names.get(name ?? '') ?? [];
    if (all.length < 2) return all[0];
    const line = code.lines[head] ?? '';
    const exact = all.filter((each) => (file.lines[each.head] ?? '').trimEnd() === line.trimEnd());
    const same = exact.length > 0 ? exact : all.filter((each) => (file.lines[each.head] ?? '').trim() === line.trim());
    return same.length === 1 ? same[0] : null;
  };
}
