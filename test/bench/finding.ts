import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskWorkspace, moduleIn } from '../unit/platform/excludedContent/stage.ts';

const filesInFolder = 200;
/** The hash of an empty file. */
const empty = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

const rounds = 7;

/**
 * The time in milliseconds to find the excluded files in a repository with so many files: git's lists and our loop. The shortest
 * of several rounds is reported, because other load on the machine adds to the time.
 */
export async function findingIn(count: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-finding-'));
  try {
    const excluded = repositoryIn(folder, count);
    const file = 'src/platform/excludedContent/excludedFiles.ts';
    type Module = typeof import('../../src/platform/excludedContent/excludedFiles.ts');
    const { findExcludedFiles } = await moduleIn<Module>(new DiskWorkspace(folder), file);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const from = performance.now();
      const { files } = await findExcludedFiles();
      times.push(performance.now() - from);
      if (files.size !== excluded) throw new Error(`${files.size} of ${excluded} excluded files were found`);
    }
    return Math.min(...times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each folder has one file that git ignores, and each tenth one a file with credentials. Returns the number of both. */
function repositoryIn(folder: string, count: number): number {
  const tracked: string[] = [];
  let excluded = 0;
  writeFileSync(join(folder, '.gitignore'), '*.local\n');
  for (let at = 0; at < count / filesInFolder; at += 1) {
    const inside = `packages/part${at % 40}/folder${at}`;
    mkdirSync(join(folder, inside), { recursive: true });
    const names = Array.from({ length: filesInFolder }, (_, index) => `${inside}/file${index}.ts`);
    const others = [`${inside}/notes.local`, ...(at % 10 === 0 ? [`${inside}/.env`] : [])];
    for (const name of [...names, ...others]) writeFileSync(join(folder, name), '');
    for (const name of names) tracked.push(`100644 ${empty}\t${name}\n`);
    excluded += others.length;
  }
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['update-index', '--index-info'], { cwd: folder, input: tracked.join('') });
  return excluded;
}
