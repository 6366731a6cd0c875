import { addTo } from '../../util/groups.ts';
import type { Span } from '../../util/text/span.ts';
import type { Code, Unit } from '../text/units.ts';
import { isSettings } from './merging.ts';
import { createOverloadFinder } from './parameters.ts';

/** The enclosing declaration of each declaration that was found at any depth. */
export type Parents = Map<Unit, Unit | undefined>;

/**
 * Finds the one declaration of a name in some lines, at any depth; of several, the one with the same first line or
 * parameters.
 */
export function deepFinder(
  { code, file }: { readonly code: Code; readonly file: Code },
  span: Span,
  parents: Parents,
): (unit: Unit) => Unit | undefined | null {
  const names = new Map<string, Unit[]>();
  /** The declarations by name and first line, stored both with and without the indentation. */
  const heads = new Map<string, Unit | null>();
  const add = (key: string, unit: Unit) => heads.set(key, heads.has(key) ? null : unit);
  for (const { unit, around } of file.declared(span)) {
    if (unit.name === undefined) continue;
    parents.set(unit, around.at(-1));
    addTo(names, unit.name, unit);
    const line = file.lines[unit.head] ?? '';
    add(`${unit.name}\n${line.trimEnd()}`, unit);
    add(`${unit.name}\n\n${line.trim()}`, unit);
  }
  const overload = createOverloadFinder(file);
  return (unit) => {
    const all = names.get(unit.name ?? '') ?? [];
    if (all.length < 2) return all[0];
    const line = code.lines[unit.head] ?? '';
    const exact = heads.get(`${unit.name}\n${line.trimEnd()}`);
    if (exact === null && isSettings(file)) return withMembers(code, unit, file, all);
    if (exact !== undefined) return exact;
    const same = heads.get(`${unit.name}\n\n${line.trim()}`);
    return same === undefined ? overload(code, unit, all) : same;
  };
}

/** The maximum number of keys with one name that are compared. */
const maxSameKeys = 50;

/** The only one of some keys with the most keys in it that the answer also has there, or null. */
function withMembers(code: Code, unit: Unit, file: Code, all: readonly Unit[]): Unit | null {
  const namesIn = (of: Code, { inner, holds }: Unit): readonly string[] =>
    holds === null ? [] : of.units(inner, holds).flatMap(({ name }) => name ?? []);
  if (all.length > maxSameKeys) return null;
  const names = new Set(namesIn(code, unit));
  const counts = all.map((each) => namesIn(file, each).filter((name) => names.has(name)).length);
  const most = Math.max(...counts);
  const [only, ...others] = all.filter((_, at) => counts[at] === most && most > 0);
  return only === undefined || others.length > 0 ? null : only;
}
