import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { transform } from 'esbuild';
import { bundledPackages } from './contents.ts';
import { denseZip } from './denseZip.ts';
import { thirdPartyNotices } from './notices.ts';
import { pageForVsix } from './pages.ts';
import { sbom } from './sbom.ts';
import { shortNames, withShortNames } from './shortNames.ts';

/** The staging folder for the files of the VSIX, with the same permissions for every checkout. */
const stage = 'dist/vsix';

/** The earliest time in a zip file. */
const firstOfTime = '315532800';

/**
 * The files of the repository and of dist/ that the allow-list in .vscodeignore names. `vsce ls` returns the same, but
 * walks through every other file here first.
 */
export function listedFiles(): readonly string[] {
  const lines = readFileSync('.vscodeignore', 'utf8').split('\n');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).trim());
  const files = globSync(allowed, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative('.', join(parentPath, name)).replaceAll('\\', '/'));
}

/**
 * README.md and the pages of docs/, without what needs files outside of the VSIX. With a repository, vsce makes links to
 * it of those in README.md.
 */
export function madePages(): Readonly<Record<string, string>> {
  const shipped = new Set(listedFiles());
  const pages = [...shipped].filter(
    (file) => /^docs\/.*\.md$/.test(file) || (file === 'README.md' && !hasRepository()),
  );
  return Object.fromEntries(pages.map((page) => [page, pageForVsix(page, readFileSync(page, 'utf8'), shipped)]));
}

/** The style sheets without comments and white space. */
async function madeStyles(): Promise<Readonly<Record<string, string>>> {
  const styles = listedFiles().filter((file) => /^media\/.*\.css$/.test(file));
  const short = async (file: string) =>
    (await transform(readFileSync(file, 'utf8'), { loader: 'css', minifyWhitespace: true, logLevel: 'error' })).code;
  return Object.fromEntries(await Promise.all(styles.map(async (file) => [file, await short(file)])));
}

/** The texts and the schema without white space, and the manifest without what only the repository uses. */
function madeData(): Readonly<Record<string, string>> {
  const { scripts: _, devDependencies: __, allowScripts: ___, ...manifest } = readJson('package.json');
  const texts = listedFiles().filter((file) => /^(package\.nls[^/]*|(l10n|media)\/.*)\.json$/.test(file));
  const data = { ...Object.fromEntries(texts.map((file) => [file, readJson(file)])), 'package.json': manifest };
  return Object.fromEntries(Object.entries(data).map(([file, value]) => [file, JSON.stringify(value)]));
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function hasRepository(): boolean {
  return JSON.parse(readFileSync('package.json', 'utf8')).repository !== undefined;
}

/** The files generated only for the VSIX, by path. */
export async function madeFiles(): Promise<Readonly<Record<string, string>>> {
  const packages = await bundledPackages();
  const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const nls: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  const integrityOf = (of: string): string | undefined => lock.packages[`node_modules/${of}`]?.integrity;
  return {
    ...madePages(),
    ...(await madeStyles()),
    ...madeData(),
    'THIRD-PARTY-NOTICES.txt': thirdPartyNotices(packages),
    'sbom.cdx.json': sbom({ name, version, license, description: nls.description ?? '' }, packages, integrityOf),
  };
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** Writes the VSIX: the same bytes from the same sources, for any time, time zone, language, umask and version of Node. */
export async function writeVsix(vsix: string, listed: readonly string[]): Promise<readonly string[]> {
  rmSync(stage, { recursive: true, force: true });
  const made = await madeFiles();
  const files = [...new Set([...listed, ...Object.keys(made)])].sort();
  const names = shortNames(files);
  for (const file of files) {
    const target = join(stage, withShortNames(file, names));
    mkdirSync(dirname(target), { recursive: true });
    const isScript = /^dist\/.*\.js$/.test(file);
    const text = isScript ? withShortNames(readFileSync(file, 'utf8'), names) : made[file];
    if (text === undefined) copyFileSync(file, target);
    else writeFileSync(target, text);
    chmodSync(target, 0o644);
  }
  writeFileSync(join(stage, '.vscodeignore'), '# All of this is shipped.\n');
  const withoutRepository = ['--allow-missing-repository', '--no-rewrite-relative-links'];
  const options = ['--no-dependencies', ...(hasRepository() ? [] : withoutRepository)];
  execFileSync('vsce', ['package', ...options, '--out', resolve(vsix)], {
    cwd: stage,
    stdio: 'inherit',
    // vsce sorts and dates only by this entry. Its zip has local time, and its order depends on the language.
    env: { ...process.env, SOURCE_DATE_EPOCH: firstOfTime, TZ: 'UTC', LC_ALL: 'C' },
  });
  writeFileSync(vsix, await denseZip(readFileSync(vsix)));
  return files;
}
