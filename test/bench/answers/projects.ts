import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Project } from './corpus.ts';
import { ownFolder } from './read.ts';

/** The text of each file of a project, by its path in the workspace. A package is fetched once, into `cache`. */
export function filesOf(project: Project, cache: string): Readonly<Record<string, string>> {
  if (project.package === undefined) {
    const folder = ownFolder(project.name);
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
    return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  }
  const archive = fetched(project.package, cache);
  return Object.fromEntries(
    Object.entries(project.files ?? {}).map(([path, inPackage]) => [path, fileIn(archive, inPackage)]),
  );
}

/** The path of a package's archive. Throws if it is not the one with the recorded SHA-256. */
export function fetched({ name, version, sha256 }: NonNullable<Project['package']>, cache: string): string {
  mkdirSync(cache, { recursive: true });
  const path = join(cache, `${name.replace('/', '-').replace('@', '')}-${version}.tgz`);
  if (!existsSync(path)) {
    console.log(`Fetching ${name} ${version} from the npm registry…`);
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', cache, `${name}@${version}`], {
      encoding: 'utf8',
    });
    const file = packed.trim().split('\n').at(-1) ?? '';
    renameSync(join(cache, file), path);
  }
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found !== sha256) throw new Error(`${name} ${version} has the SHA-256 ${found}, not ${sha256}.`);
  return path;
}

function fileIn(archive: string, path: string): string {
  const output = execFileSync('tar', ['-xzOf', archive, `package/${path}`], { maxBuffer: 64 * 1024 * 1024 });
  return output.toString('utf8').replaceAll('\r\n', '\n');
}
