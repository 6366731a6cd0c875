import { Code } from '../text/units.ts';
import { importPatches } from './imports.ts';
import type { Patch } from './patch.ts';
import { Unplaced } from './patch.ts';
import type { FileText, Placed } from './region.ts';
import { withSeparators } from './separators.ts';

/**
 * Returns the file with the code of an answer and with its imports, including the ones that its sentences name
 * (`named`). If code replaces the imports of the file, the missing ones are added afterwards.
 */
export function withImports(
  file: FileText,
  placed: readonly Placed[],
  named: readonly (readonly string[])[],
): readonly string[] {
  const { lines, languageId } = file.code;
  const patches = placed.flatMap((each) => each.patches);
  const presentTexts = new Set(patches.flatMap((patch) => patch.lines.map((line) => line.trim())));
  const missing = named.filter(([line = '']) => !presentTexts.has(line.trim().replace(/^import (?=")/, '')));
  const all = [...patches, ...importPatches(file.code, missing)];
  if (!areApart(all)) {
    const code = applied(
      lines,
      placed.flatMap((each) => (each.imports === undefined ? each.patches : [])),
    );
    const statements = [...placed.flatMap(({ imports = [] }) => imports), ...missing];
    return applied(code, importPatches(new Code(code, languageId), statements));
  }
  const result = applied(lines, all);
  return languageId.startsWith('json') ? withSeparators(result, inOrder(all), languageId) : result;
}

function areApart(patches: readonly Patch[]): boolean {
  const sorted = inOrder(patches);
  return sorted.every(({ start }, at) => start >= (sorted[at - 1]?.end ?? 0));
}

/** Returns the file with these changes. Throws Unplaced if two changes are for the same lines. */
export function applied(lines: readonly string[], patches: readonly Patch[]): readonly string[] {
  const pieces: (readonly string[])[] = [];
  let at = 0;
  for (const patch of inOrder(patches)) {
    if (patch.start < at) throw new Unplaced(0);
    pieces.push(lines.slice(at, patch.start), patch.lines);
    at = patch.end;
  }
  return [...pieces, lines.slice(at)].flat();
}

/** Sorts patches by their places. The order of patches at one place stays. */
function inOrder(patches: readonly Patch[]): readonly Patch[] {
  return patches.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
