import { execFileSync } from 'node:child_process';
import { fetched } from '../answers/projects.ts';
import { readProjects } from '../answers/read.ts';

/** The packages of the tasks: a TypeScript library and a set of React components. Their versions are those of the corpus of answers. */
const names = { library: 'query-core', components: 'elements' } as const;

/** The sources of each package, by their paths. */
export function filesOfPackages(cache: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, sourcesOf(name, cache)]));
}

function sourcesOf(name: string, cache: string): Readonly<Record<string, string>> {
  const found = readProjects().find((project) => project.name === name)?.package;
  if (found === undefined) throw new Error(`There is no package ${name}.`);
  const archive = fetched(found, cache);
  const paths = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).split('\n');
  const sources = paths.filter((path) => /^package\/src\/.*\.tsx?$/.test(path));
  return Object.fromEntries(
    sources.map((path) => [
      path.replace(/^package\//, ''),
      execFileSync('tar', ['-xzOf', archive, path], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
    ]),
  );
}
