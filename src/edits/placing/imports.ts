import { isBlank, trimLines } from '../text/lines.ts';
import { Code, type Unit } from '../text/units.ts';
import { type Added, keyOf, sortedPatches } from './importOrder.ts';
import { familyOf, parsed, withNames } from './importStatement.ts';
import type { Patch } from './patch.ts';

const forms: Readonly<Record<string, RegExp>> = {
  typescript: /^import\b(?!\s*[.(])|^(?:const|let|var)\b[^=]{0,300}=\s*require\(/,
  python: /^(?:import|from\s+\S+\s+import)\b/,
  java: /^import\b/,
  go: /^import\b/,
  csharp: /^(?:global\s+)?using\s+(?:static\s+)?[\w.]+\s*(?:=[\w.<>,\s]+)?;/,
  rust: /^(?:pub\s+)?use\b/,
  php: /^use\b/,
  c: /^#\s*include\b/,
};
/** Whether a unit at the top of a file is an import. */
export function isImport({ lines, languageId }: Code, { head, end }: Unit): boolean {
  const form = forms[familyOf(languageId)];
  if (form === undefined) return false;
  return form.test(
    lines
      .slice(head, Math.min(end, head + 30))
      .join(' ')
      .slice(0, 600),
  );
}

/** Whether a unit is another statement at the beginning of a file, which a part of the file does not need again. */
export function isPackage({ lines, languageId }: Code, { head, end }: Unit): boolean {
  if (end - head !== 1) return false;
  const text = lines[head] ?? '';
  switch (familyOf(languageId)) {
    case 'java':
    case 'go':
      return /^package\b/.test(text);
    case 'csharp':
      return /^namespace\s+[\w.]+\s*;/.test(text);
    default:
      return false;
  }
}

/**
 * Splits code into its imports, each a statement below a blank line if one precedes it, its package statements, and the
 * rest.
 */
export function splitImports(code: Code): {
  readonly imports: readonly (readonly string[])[];
  readonly packages: readonly string[];
  readonly rest: readonly string[];
} {
  const imports: (readonly string[])[] = [];
  const packages: string[] = [];
  const rest: string[] = [];
  let at = 0;
  for (const unit of code.units()) {
    const isImportUnit = isImport(code, unit);
    if (!isImportUnit && !isPackage(code, unit)) continue;
    for (let line = at; line < unit.start; line += 1) rest.push(code.lines[line] ?? '');
    // A comment above the first import belongs to the file.
    const isApart = imports.length > 0 && isBlank(code.lines[unit.start - 1] ?? 'x');
    if (isImportUnit) imports.push([...(isApart ? [''] : []), ...code.lines.slice(unit.head, unit.end)]);
    else packages.push((code.lines[unit.head] ?? '').trim());
    at = unit.end;
    while (at < code.lines.length && isBlank(code.lines[at] ?? '')) at += 1;
  }
  for (; at < code.lines.length; at += 1) rest.push(code.lines[at] ?? '');
  return { imports, packages, rest: trimLines(rest) };
}

/** Puts imports into a file: once, after the last import, in the file's style. */
export function importPatches(file: Code, wanted: readonly (readonly string[])[]): readonly Patch[] {
  const units = file.units();
  const fileImports = units.filter((unit) => isImport(file, unit));
  if (familyOf(file.languageId) === 'go') return goPatches(file, fileImports, wanted);
  const known = fileImports.map((unit) => ({
    unit,
    parsed: parsed(file.lines.slice(unit.head, unit.end), file.languageId),
  }));
  const knownTexts = new Set(known.map(({ parsed: { text } }) => text));
  const patches = new Map<Unit, Patch>();
  const added: Added[] = [];
  const unitOf = (statement: readonly string[] | undefined): Unit | undefined => {
    if (statement === undefined) return undefined;
    const { text, from } = parsed(statement, file.languageId);
    return known.find((each) => each.parsed.text === text || (from !== null && each.parsed.from === from))?.unit;
  };
  /** The line for the imports of the answer that follow an import of the file. */
  let above: number | undefined;
  for (const [index, given] of wanted.entries()) {
    const statement = trimLines(given);
    const one = parsed(statement, file.languageId);
    if (knownTexts.has(one.text)) continue;
    knownTexts.add(one.text);
    const same = known.find(
      ({ parsed: { from, names, lead } }) =>
        from === one.from && names !== null && one.names !== null && lead === one.lead,
    );
    if (same === undefined || one.names === null) {
      // Between imports that the file has, the new ones keep the order of the answer.
      above = unitOf(wanted[index - 1])?.end ?? above;
      const below = unitOf(wanted[index + 1])?.start;
      const isWithNext = isApart(given) && !isApart(wanted[index + 1]);
      const at = above === undefined || (isWithNext && below !== undefined) ? below : above;
      const lines = [
        ...(at !== undefined && at === above && isApart(given) ? [''] : []),
        ...styled(statement, file, fileImports),
        ...(at !== undefined && at !== above && isApart(wanted[index + 1]) ? [''] : []),
      ];
      added.push({ lines, key: keyOf(statement, file.languageId), at });
      continue;
    }
    const before = patches.get(same.unit)?.lines ?? file.lines.slice(same.unit.head, same.unit.end);
    const existing = new Set(parsed(before, file.languageId).names ?? []);
    const missing = one.names.filter((name) => !existing.has(name));
    if (missing.length === 0) continue;
    const isAll = [...existing].every((name) => one.names?.includes(name) === true);
    const lines = isAll ? styled(statement, file, fileImports) : withNames(before, missing);
    patches.set(same.unit, { start: same.unit.head, end: same.unit.end, lines });
  }
  if (added.length === 0) return [...patches.values()];
  if (fileImports.length === 0)
    return [
      addedPatch(
        file,
        units,
        fileImports,
        added.flatMap(({ lines }) => lines),
      ),
    ];
  const sorted = sortedPatches(file, fileImports, added);
  return [...patches.values(), ...sorted];
}

function isApart([first = 'x']: readonly string[] = []): boolean {
  return isBlank(first);
}

/** A statement with the quotation marks and the line ending style of the file's own imports. */
function styled(
  statement: readonly string[],
  { lines, languageId }: Code,
  fileImports: readonly Unit[],
): readonly string[] {
  if (familyOf(languageId) !== 'typescript' || fileImports.length === 0) return statement;
  const ends = fileImports.map(({ end }) => lines[end - 1] ?? '');
  const all = (test: (line: string) => boolean): boolean => ends.every(test);
  return statement.map((line, at) => {
    let text = line;
    if (all((end) => !end.includes("'")) && !line.includes('"')) text = text.replaceAll("'", '"');
    else if (all((end) => !end.includes('"')) && !line.includes("'")) text = text.replaceAll('"', "'");
    if (at < statement.length - 1) return text;
    if (all((end) => !/;\s*$/.test(end))) return text.replace(/;\s*$/, '');
    return all((end) => /;\s*$/.test(end)) && !/;\s*$/.test(text) ? `${text.trimEnd()};` : text;
  });
}

/** Adds imports after the last import; in a file without imports, after the lines that must come first. */
function addedPatch(file: Code, units: readonly Unit[], fileImports: readonly Unit[], added: readonly string[]): Patch {
  const last = fileImports.at(-1);
  if (last !== undefined) return { start: last.end, end: last.end, lines: added };
  const first = units.find((unit) => !isHeader(file, unit));
  const before = units.filter((unit) => first === undefined || unit.start < first.start).at(-1);
  let at = before?.end ?? 0;
  // A comment above the first declaration may belong to the file: a licence, a shebang.
  if (before === undefined && /^#!/.test(file.lines[0] ?? '')) at = 1;
  const isFollowed = !isBlank(file.lines[at] ?? '') && at < file.lines.length;
  return { start: at, end: at, lines: [...(at > 0 ? [''] : []), ...added, ...(isFollowed ? [''] : [])] };
}

function isHeader(file: Code, unit: Unit): boolean {
  const text = (file.lines[unit.head] ?? '').trim();
  if (isPackage(file, unit)) return true;
  return (
    /^(?:["']use \w+["'];?|\/\*|\*|\/\/|#!|<\?php)/.test(text) ||
    (file.languageId === 'python' && /^(?:[rRuU]?"""|[rRuU]?'''|#)/.test(text))
  );
}

function goPatches(file: Code, fileImports: readonly Unit[], wanted: readonly (readonly string[])[]): readonly Patch[] {
  const specs = (lines: readonly string[]): readonly string[] =>
    lines
      .map((line) =>
        line
          .replace(/^\s*import\b\s*\(?/, '')
          .replace(/\)\s*$/, '')
          .trim(),
      )
      .filter((line) => /"/.test(line));
  const known = new Set(fileImports.flatMap((unit) => specs(file.lines.slice(unit.head, unit.end))));
  const missing = [...new Set(wanted.flatMap(specs))].filter((spec) => !known.has(spec));
  if (missing.length === 0) return [];
  const group = fileImports.findLast(
    ({ head, end }) => /\($/.test((file.lines[head] ?? '').trimEnd()) && end - head > 1,
  );
  if (group === undefined) {
    const lines =
      missing.length === 1 || fileImports.length > 0
        ? missing.map((spec) => `import ${spec}`)
        : ['import (', ...missing.map((spec) => `\t${spec}`), ')'];
    return [addedPatch(file, file.units(), fileImports, lines)];
  }
  // The standard library comes first, in a group of its own.
  const isOwn = (line: string): boolean => !/"[^"/]*\./.test(line);
  const key = (line: string): string => /"([^"]*)"/.exec(line)?.[1] ?? '';
  return missing.map((spec) => {
    const lines = Array.from({ length: group.end - 2 - group.head }, (_, index) => group.head + 1 + index);
    const same = lines.filter((line) => {
      const text = file.lines[line] ?? '';
      return text.includes('"') && isOwn(text) === isOwn(spec);
    });
    const next = same.find((line) => key(file.lines[line] ?? '') > key(spec));
    const last = same.at(-1);
    const at = next ?? (last === undefined ? (isOwn(spec) ? group.head + 1 : group.end - 1) : last + 1);
    return { start: at, end: at, lines: [`\t${spec}`] };
  });
}

/** Returns import statements that sentences name: `import math`, and in Go the name of a package. */
export function namedImports(codes: readonly string[], languageId: string): readonly (readonly string[])[] {
  return codes.flatMap((code): readonly (readonly string[])[] => {
    const isPackage = languageId === 'go' && /^"[\w./-]+"$/.test(code);
    const { imports, rest } = splitImports(new Code([isPackage ? `import ${code}` : code], languageId));
    return rest.length === 0 ? imports : [];
  });
}
