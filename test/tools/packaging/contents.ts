// Determines the origin of the shipped files with esbuild, so that no list has to be maintained.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { build } from 'esbuild';
import { copiedFiles, shippedBundles } from '../../../esbuild.mjs';

/** A third-party package in the shipped files. */
export interface BundledPackage {
  readonly name: string;
  /** null if its carrier does not state it. */
  readonly version: string | null;
  /** Its SPDX expression. */
  readonly license: string;
  readonly licenseText: string;
  /** The package that contains it in its own file, if it is not installed directly. */
  readonly carriedBy: string | null;
  /** The files of the VSIX that contain a part of it. */
  readonly files: readonly string[];
}

/** undici's parser: WebAssembly, which no source map covers. */
const llhttp = 'node_modules/undici/lib/llhttp/';

/**
 * Every package in the shipped files, sorted by name. The metafile names what esbuild read. A source map also names
 * what a package had been bundled with before it was published.
 */
export async function bundledPackages(): Promise<readonly BundledPackage[]> {
  const found = new Map<string, Found>();
  const note = (name: string, one: Omit<Found, 'files'>, file: string): void => {
    const entry = found.get(name) ?? { ...one, files: new Set() };
    found.set(name, entry);
    entry.files.add(file);
  };
  for (const { file, source, input } of await sources()) {
    const name = packageOf(source);
    if (name === null) continue;
    const reader = packageOf(input);
    note(name, { carriedBy: reader === name ? null : reader, version: versionIn(source) }, file);
    if (source.includes(llhttp)) note('llhttp', { carriedBy: name, version: null }, file);
  }
  return [...found].map(describe).sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Found {
  readonly carriedBy: string | null;
  readonly version: string | null;
  readonly files: Set<string>;
}

interface Source {
  /** The shipped file, with the name of a chunk without its hash. */
  readonly file: string;
  /** Its content by path. */
  readonly source: string;
  /** The file that esbuild read for it. */
  readonly input: string;
}

async function sources(): Promise<readonly Source[]> {
  const all: Source[] = Object.entries(copiedFiles).map(([file, input]) => ({ file, source: input, input }));
  for (const options of shippedBundles) {
    const { metafile, outputFiles } = await build({
      ...options,
      write: false,
      metafile: true,
      sourcemap: 'external',
      sourcesContent: false,
    });
    for (const [path, { inputs }] of Object.entries(metafile.outputs)) {
      if (path.endsWith('.map')) continue;
      const file = withoutHash(path);
      const read = Object.keys(inputs).filter((input) => (inputs[input]?.bytesInOutput ?? 0) > 0);
      for (const input of read) all.push({ file, source: input, input });
      const map = outputFiles.find(({ path: of }) => of.replaceAll('\\', '/').endsWith(`${path}.map`));
      if (map === undefined) throw new Error(`esbuild made no source map of ${path}.`);
      const mapped: readonly string[] = JSON.parse(map.text).sources;
      for (const relative of mapped) {
        const source = posix.join(posix.dirname(path), relative);
        if (!read.includes(source)) all.push({ file, source, input: carrierOf(source, read) });
      }
    }
  }
  return all;
}

/** The names of chunks contain a hash of their content. */
export function withoutHash(path: string): string {
  return path.replace(/-[A-Z0-9]{8}(\.\w+)$/, '-[hash]$1');
}

/** The input file of this source: one of the same package, or the one whose source map names it. */
function carrierOf(source: string, read: readonly string[]): string {
  const name = packageOf(source);
  // A map contains a path of the machine that built it, where scopes need not be folders.
  const folder = `/${name?.split('/').at(-1)}/`;
  const carrier =
    read.find((input) => packageOf(input) === name) ??
    read.find((input) => existsSync(`${input}.map`) && readFileSync(`${input}.map`, 'utf8').includes(folder));
  if (carrier === undefined) throw new Error(`Nothing says where ${source} comes from.`);
  return carrier;
}

function packageOf(path: string): string | null {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? null;
}

/** pnpm's folders, which occur in the paths of maps made with it, contain the version. */
function versionIn(source: string): string | null {
  return /\/\.pnpm\/@?[^@/]+@([^/_(]+)/.exec(source)?.[1] ?? null;
}

/** The licenses of packages that are contained in another package and are not in node_modules. */
const carriedLicenses: Readonly<Record<string, string>> = {
  llhttp: 'llhttp.txt',
  'escape-string-regexp': 'escape-string-regexp.txt',
  '@textlint/regexp-string-matcher': 'regexp-string-matcher.txt',
  'lodash.sortby': 'lodash.txt',
  'lodash.uniq': 'lodash.txt',
  'lodash.uniqwith': 'lodash.txt',
};

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function describe([name, { carriedBy, version, files }]: readonly [string, Found]): BundledPackage {
  const common = { name, carriedBy, files: [...files].sort() };
  if (carriedBy === null) {
    const folder = join('node_modules', name);
    const manifest = manifestOf(folder);
    return { ...common, version: manifest.version, license: manifest.license, licenseText: licenseOf(folder) };
  }
  const file = carriedLicenses[name];
  if (file !== undefined) {
    const licenseText = readFileSync(new URL(`licenses/${file}`, import.meta.url), 'utf8').trim();
    return { ...common, version, license: 'MIT', licenseText };
  }
  // From the same repository as its carrier, and under the same license.
  if (dirname(name) !== dirname(carriedBy)) throw new Error(`${name}: add its license to packaging/licenses.`);
  const folder = join('node_modules', carriedBy);
  const { license, devDependencies = {} } = manifestOf(folder);
  return { ...common, version: devDependencies[name] ?? version, license, licenseText: licenseOf(folder) };
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function licenseOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
  return texts.join('\n\n');
}
