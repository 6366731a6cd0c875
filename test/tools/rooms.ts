// The rooms of src/ and their allowed imports: read from the table in src/README.md, and written to biome.json.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

export interface Room {
  readonly name: string;
  /** The other rooms that its files may import from, including types. */
  readonly mayImport: readonly string[];
  /** The types in its tsconfig.json besides ECMAScript: `Node`, `VS Code`, `DOM`. */
  readonly knows: readonly string[];
}

/** The files of src/ by path, each with the files of src/ that it imports, including types. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The rows of the table: `| room | what it is for | may import | knows |`. */
export function readRooms(readme: string): readonly Room[] {
  const rows = [...readme.matchAll(/^\| `(\w+)\/` \|[^|\n]*\|([^|\n]*)\|([^|\n]*)\|$/gm)];
  return rows.map(([, name = '', imports = '', knows = '']) => ({
    name,
    mayImport: [...imports.matchAll(/`(\w+)\/`/g)].map(([, room = '']) => room),
    knows: knows.trim() === 'nothing' ? [] : knows.split(',').map((word) => word.trim()),
  }));
}

/** The sources below a folder by path. */
export function readSources(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const sources = paths.filter((path) => /\.tsx?$/.test(path)).toSorted();
  return new Map(sources.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/**
 * Every form that names a file: import and export with `from`, an import for side effects, import(), and import() as a
 * type.
 */
const forms = /\bfrom\s*['"](\.[^'"]*)['"]|\bimport\s*\(\s*['"](\.[^'"]*)['"]|\bimport\s*['"](\.[^'"]*)['"]/g;

export function importGraph(sources: ReadonlyMap<string, string>): ImportGraph {
  const targetsOf = (path: string, text: string): readonly string[] => {
    const named = [...text.matchAll(forms)].map(([, from, dynamic, effect]) => from ?? dynamic ?? effect ?? '');
    return [...new Set(named.map((name) => join(dirname(path), name)).filter((target) => sources.has(target)))];
  };
  return new Map([...sources].map(([path, text]) => [path, targetsOf(path, text)]));
}

/**
 * Imports that the table forbids, each as `a.ts imports b.ts`. Files at the top of src/ may import all rooms except a
 * view.
 */
export function forbiddenImports(graph: ImportGraph, rooms: readonly Room[]): readonly string[] {
  const isForbidden = (from: string, to: string): boolean => {
    const [own, other] = [roomOf(from), roomOf(to)];
    if (own === other) return false;
    if (other === undefined) return true;
    if (own === undefined) return other === 'webview';
    return !rooms.find(({ name }) => name === own)?.mayImport.includes(other);
  };
  return [...graph].flatMap(([from, targets]) =>
    targets.filter((to) => isForbidden(from, to)).map((to) => `${from} imports ${to}`),
  );
}

function roomOf(path: string): string | undefined {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined;
}

/** Groups of files that import each other, in the order in which they are found. */
export function circles(graph: ImportGraph): readonly (readonly string[])[] {
  // A file is in a circle with those that it reaches and that reach it. The tree is small, so a simple search is fast
  // enough.
  const reached = new Map([...graph.keys()].map((path) => [path, reachedFrom(graph, path)]));
  const found: (readonly string[])[] = [];
  for (const path of graph.keys()) {
    if (!reached.get(path)?.has(path) || found.some((circle) => circle.includes(path))) continue;
    found.push([...graph.keys()].filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)));
  }
  return found;
}

function reachedFrom(graph: ImportGraph, path: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(graph.get(path) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return reached;
}

const makers = {
  group: ['**/gate/content.ts'],
  importNamePattern: '(madeContent|asMade)',
  message: 'Only host/sources/ makes content; everything else cuts and joins it.',
};

const ownWords = {
  group: ['**/session/tools/ownText.ts', './ownText.ts'],
  importNamePattern: 'asOwn',
  message: 'Own text is a template of ownText; only the store reads it back.',
};

/** The deepest that a file of src/ may be, in folders; a test compares it with the sources. */
export const maxDepth = 6;

/** The top-level modules as a file at each depth would name them. A room may have its own commands.ts. */
const topFiles = Array.from({ length: maxDepth }, (_, depth) => '../'.repeat(depth + 1)).flatMap((up) =>
  ['extension', 'createServices', 'commands', 'commandArguments'].map((name) => `${up}${name}.ts`),
);

/** The linter's rules for the rooms: the same table, by the names of folders, at any depth. */
export function importRules(rooms: readonly Room[]): readonly object[] {
  return rooms.flatMap(({ name, mayImport, knows }) => {
    const others = rooms.map((room) => room.name).filter((other) => other !== name && !mayImport.includes(other));
    const group = [
      ...(knows.includes('VS Code') ? [] : ['vscode']),
      ...(knows.includes('Node') ? [] : ['node:*', 'node:*/**']),
      ...(name === 'client' ? [] : ['undici', 'undici/**']),
      ...others.map((other) => `**/${other}/**`),
      ...topFiles,
    ];
    const message = `${name}/ may import ${mayImport.length === 0 ? 'no other room' : mayImport.map((room) => `${room}/`).join(', ')}: see src/README.md.`;
    const walls = { group, message };
    const isBeforeStore = name === 'session' || name === 'host';
    return [
      rule(`src/${name}/**`, isBeforeStore ? [walls, makers, ownWords] : [walls]),
      ...(name === 'host' ? [rule('src/host/sources/**', [walls, ownWords])] : []),
    ];
  });
}

function rule(files: string, patterns: readonly object[]): object {
  const options = { level: 'error', options: { patterns } };
  return { includes: [files], linter: { rules: { style: { noRestrictedImports: options } } } };
}

interface Biome {
  readonly overrides: readonly { readonly includes: readonly string[] }[];
}

/** biome.json with the rules of the rooms from the table. */
export function withImportRules(biome: Biome, rooms: readonly Room[]): Biome {
  const rest = biome.overrides.filter(({ includes }) => !includes.every((files) => /^src\/[\w/]+\/\*\*$/.test(files)));
  return { ...biome, overrides: [...(importRules(rooms) as Biome['overrides']), ...rest] };
}

if (import.meta.main) {
  const rooms = readRooms(readFileSync('src/README.md', 'utf8'));
  const biome = withImportRules(JSON.parse(readFileSync('biome.json', 'utf8')), rooms);
  writeFileSync('biome.json', `${JSON.stringify(biome, null, 2)}\n`);
}
