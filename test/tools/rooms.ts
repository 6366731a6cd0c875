// The rooms of src/ and their allowed imports: read from the tables in src/README.md.
import { readdirSync, readFileSync } from 'node:fs';
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

/** Folders of a room, from the bottom: each may import those before it. By room. */
export type Orders = ReadonlyMap<string, readonly string[]>;

/** The rows of the table of orders: `| room | folders, from the bottom |`. */
export function readOrders(readme: string): Orders {
  const rows = [...readme.matchAll(/^\| `(\w+)\/` \| (`\w+\/`(?:, `\w+\/`)*) \|$/gm)];
  return new Map(
    rows.map(([, room = '', folders = '']) => [room, [...folders.matchAll(/`(\w+)\/`/g)].map(([, name = '']) => name)]),
  );
}

/** The folders of features that a folder of a feature may import, including itself, by the name of the folder. */
const layers: Readonly<Record<string, readonly string[]>> = {
  common: ['common'],
  node: ['common', 'node'],
  vscode: ['common', 'node', 'vscode'],
  page: ['common', 'page'],
};

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
/** The same of a module from outside. */
const moduleForms =
  /\bfrom\s*['"]([^'".][^'"]*)['"]|\bimport\s*\(\s*['"]([^'".][^'"]*)['"]|\bimport\s*['"]([^'".][^'"]*)['"]/g;

export function importGraph(sources: ReadonlyMap<string, string>): ImportGraph {
  const targetsOf = (path: string, text: string): readonly string[] => {
    const named = [...text.matchAll(forms)].map(([, from, dynamic, effect]) => from ?? dynamic ?? effect ?? '');
    return [...new Set(named.map((name) => join(dirname(path), name)).filter((target) => sources.has(target)))];
  };
  return new Map([...sources].map(([path, text]) => [path, targetsOf(path, text)]));
}

/**
 * Imports that the tables forbid, each as `a.ts imports b.ts`. Files at the top of src/ may import all rooms except a
 * view.
 */
export function forbiddenImports(graph: ImportGraph, rooms: readonly Room[], orders: Orders): readonly string[] {
  const isForbidden = (from: string, to: string): boolean => {
    const [own, other] = [roomOf(from), roomOf(to)];
    if (own === other) return own !== undefined && (runsBack(from, to, orders.get(own)) || skipsLayer(from, to));
    if (other === undefined) return true;
    if (own === undefined) return other === 'webview';
    return !rooms.find(({ name }) => name === own)?.mayImport.includes(other);
  };
  return [...graph].flatMap(([from, targets]) =>
    targets.filter((to) => isForbidden(from, to)).map((to) => `${from} imports ${to}`),
  );
}

/**
 * Whether a folder imports one that its room's order has after it. A folder that the order does not name is treated as one of
 * them.
 */
function runsBack(from: string, to: string, order: readonly string[] | undefined): boolean {
  const [own = '', other = ''] = [from.split('/')[1], to.split('/')[1]];
  if (order === undefined || own === other) return false;
  return !order.includes(own) || !order.slice(0, order.indexOf(own)).includes(other);
}

/** Whether a file of a feature imports a layer above its own. The first folder with the name of a layer is the layer. */
function skipsLayer(from: string, to: string): boolean {
  if (roomOf(from) !== 'features') return false;
  const [own, other] = [layerOf(from), layerOf(to)];
  return own === undefined || other === undefined || !layers[own]?.includes(other);
}

function layerOf(path: string): string | undefined {
  return path.split('/').find((folder) => folder in layers);
}

/** Imports of modules from outside of src/ that a room must not know, each as `a.ts imports name`. */
export function forbiddenModules(sources: ReadonlyMap<string, string>, rooms: readonly Room[]): readonly string[] {
  const isForbidden = (path: string, name: string): boolean => {
    const room = rooms.find((each) => each.name === roomOf(path));
    if (room === undefined) return name.startsWith('undici');
    if (name === 'vscode') return !room.knows.includes('VS Code');
    if (name.startsWith('node:')) return !room.knows.includes('Node');
    return /^undici(\/|$)/.test(name) && room.name !== 'client';
  };
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(moduleForms)]
      .map(([, from, dynamic, effect]) => from ?? dynamic ?? effect ?? '')
      .filter((name) => isForbidden(path, name))
      .map((name) => `${path} imports ${name}`),
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
