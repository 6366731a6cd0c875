import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { bundledPackages } from './contents.ts';
import { thirdPartyNotices } from './notices.ts';
import { readmeForVsix } from './readme.ts';
import { sbom } from './sbom.ts';

/** Where the files of the VSIX are put together, with the same rights whoever checked them out. */
const stage = 'dist/vsix';

/** Zip files know no time before it. */
const firstOfTime = '315532800';

/**
 * The files of the repository and of dist/ that the allow-list in .vscodeignore names. `vsce ls` says the same, after
 * it has walked through every other file here.
 */
export function listedFiles(): readonly string[] {
  const lines = readFileSync('.vscodeignore', 'utf8').split('\n');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).trim());
  const files = globSync(allowed, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative('.', join(parentPath, name)).replaceAll('\\', '/'));
}

/** What is made for the VSIX alone, by its path in it. */
export async function madeFiles(): Promise<Readonly<Record<string, string>>> {
  const packages = await bundledPackages();
  const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const nls: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  const integrityOf = (of: string): string | undefined => lock.packages[`node_modules/${of}`]?.integrity;
  return {
    'README.md': readmeForVsix(readFileSync('README.md', 'utf8')),
    'THIRD-PARTY-NOTICES.txt': thirdPartyNotices(packages),
    'sbom.cdx.json': sbom({ name, version, license, description: nls.description ?? '' }, packages, integrityOf),
  };
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

/**
 * Writes the VSIX: the same bytes from the same sources, whatever the time, the zone, the language and the umask.
 * (With another Node they may differ: its zlib compresses.)
 */
export async function writeVsix(vsix: string, listed: readonly string[]): Promise<readonly string[]> {
  rmSync(stage, { recursive: true, force: true });
  const made = await madeFiles();
  const files = [...new Set([...listed, ...Object.keys(made)])].sort();
  for (const file of files) {
    const target = join(stage, file);
    mkdirSync(dirname(target), { recursive: true });
    const text = made[file];
    if (text === undefined) copyFileSync(file, target);
    else writeFileSync(target, text);
    chmodSync(target, 0o644);
  }
  writeFileSync(join(stage, '.vscodeignore'), '# All of this is shipped.\n');
  const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  execFileSync('vsce', ['package', ...options, '--out', resolve(vsix)], {
    cwd: stage,
    stdio: 'inherit',
    // vsce sorts and dates by this one alone; its zip has local time, its order is that of the language.
    env: { ...process.env, SOURCE_DATE_EPOCH: firstOfTime, TZ: 'UTC', LC_ALL: 'C' },
  });
  return files;
}
