import type { Code, Unit } from '../text/units.ts';
import { familyOf } from './importStatement.ts';
import type { Patch } from './patch.ts';

/** The sort key of an import: its module. In Python, whole modules come first, and in C#, those of the system. */
export function keyOf(statement: readonly string[], languageId: string): string {
  const text = statement.join(' ').replace(/\s+/g, ' ').trim();
  switch (familyOf(languageId)) {
    case 'python': {
      const [, from, module = ''] = /^(?:from (\S+)|import (\S+))/.exec(text) ?? [];
      return from === undefined ? `0 ${module.toLowerCase()}` : `1 ${from.toLowerCase()}`;
    }
    case 'csharp': {
      const name = text.replace(/^(?:global )?using (?:static )?|;.*$/g, '');
      return `${/^System\b/.test(name) ? 0 : 1} ${name.toLowerCase()}`;
    }
    case 'typescript':
      return (/["']([^"']*)["']/.exec(text)?.[1] ?? text).toLowerCase();
    default:
      return text.replace(/^import (?:static )?|;.*$/g, '').toLowerCase();
  }
}

/** An import that the file does not have. */
export interface Added {
  /** The line at which the import goes according to the order of the answer, or undefined if unknown. */
  readonly at: number | undefined;
  readonly lines: readonly string[];
  readonly key: string;
}

/** Adds new imports in sorted order if the imports of the file are sorted, or else after the last one. */
export function sortedPatches(file: Code, fileImports: readonly Unit[], added: readonly Added[]): readonly Patch[] {
  // Groups are separated by a blank line.
  const groups: Unit[][] = [];
  for (const unit of fileImports) {
    const last = groups.at(-1);
    if (last !== undefined && last.at(-1)?.end === unit.start) last.push(unit);
    else groups.push([unit]);
  }
  const keys = (group: readonly Unit[]): readonly string[] =>
    group.map(({ head, end }) => keyOf(file.lines.slice(head, end), file.languageId));
  return added.map(({ lines, key, at: known }) => {
    if (known !== undefined) return { start: known, end: known, lines };
    const group = groupFor(
      groups.map((each) => ({ units: each, keys: keys(each) })),
      key,
      familyOf(file.languageId) === 'python',
    );
    const { units, keys: groupKeys } = group;
    // Few people sort the imports of scripts: if they are in order there, it is by chance.
    const isSorted =
      familyOf(file.languageId) !== 'typescript' &&
      groupKeys.every((each, at) => at === 0 || (groupKeys[at - 1] ?? '') <= each);
    const next = isSorted ? groupKeys.findIndex((each) => each > key) : -1;
    const at = next === -1 ? (units.at(-1)?.end ?? 0) : (units[next]?.start ?? 0);
    return { start: at, end: at, lines };
  });
}

/** The most used modules of Python's standard library. */
const standard =
  /^\d (?:abc|argparse|asyncio|base64|collections|concurrent|contextlib|copy|csv|dataclasses|datetime|decimal|enum|functools|hashlib|io|itertools|json|logging|math|os|pathlib|random|re|shutil|sqlite3|string|subprocess|sys|tempfile|threading|time|typing|unittest|urllib|uuid)\b/;

/** The kind of an import in Python: the standard library, other packages, its own package, or `__future__`. */
function kindOf(key: string): number {
  if (key === '1 __future__') return 3;
  return standard.test(key) ? 0 : /^\d \./.test(key) ? 2 : 1;
}

/** The group with the most imports that begin like this one, or else the last group; in Python, the last of its kind. */
function groupFor<T extends { readonly keys: readonly string[] }>(
  groups: readonly T[],
  key: string,
  isPython: boolean,
): T {
  const isLike = (each: string): boolean => !isPython || kindOf(each) === kindOf(key);
  let best = groups.findLast(({ keys }) => keys.some(isLike)) ?? groups.at(-1);
  let maxCount = 0;
  const first = (text: string): string => text.split(/[./]/, 1)[0] ?? '';
  for (const group of groups) {
    const count = group.keys.filter((each) => first(each) === first(key)).length;
    if (count > maxCount) [best, maxCount] = [group, count];
  }
  if (best === undefined) throw new RangeError('There is no group.');
  return best;
}
