import { readFileSync } from 'node:fs';

/** The folders of the TypeScript projects that `npm run types` checks, in its order. */
export function typeProjects(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return String(scripts.types)
    .split(' && ')
    .map((command) => {
      const [, folder] = /^tsc -p (\S+)$/.exec(command) ?? [];
      if (folder === undefined) throw new Error(`Not the check of a project: ${command}`);
      return folder;
    });
}
