import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { localFiles } from '../../../../src/features/context/vscode/localFiles.ts';
import { memoryFolder } from '../../../tools/folders.ts';
import { leastCost, turnsOf } from '../../../tools/processorTime.ts';
import { DiskWorkspace, moduleIn } from '../../platform/excludedContent/stage.ts';

/** The longest turn of the event loop that may be needed, in milliseconds of processor time. */
const maxTurnMs = 50;
const { now } = Date;
let folder = '';

function put(path: string, text = ''): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/**
 * Fills a new folder, and checks the list of its files each of `times` times that it is made. The longest turn in all of them is at
 * most `maxTurnMs`: in the best of some such folders, because nothing of a new folder is known.
 */
async function checkList(
  fill: () => void,
  times: number,
  expected: Awaited<ReturnType<typeof localFiles>>,
): Promise<void> {
  const longest = async (): Promise<number> => {
    folder = realpathSync(mkdtempSync(join(memoryFolder(), 'svc-listed-')));
    try {
      fill();
      const workspace = new DiskWorkspace(folder);
      type Module = { readonly localFiles: typeof localFiles };
      const module = await moduleIn<Module>(workspace, 'src/features/context/vscode/localFiles.ts');
      const root = workspace.folder as unknown as Parameters<typeof localFiles>[0];
      let most = 0;
      for (let time = 0; time < times; time += 1) {
        const { value, longestMs } = await turnsOf(() => module.localFiles(root, 10_000));
        assert.deepEqual(value, expected);
        most = Math.max(most, longestMs);
      }
      return most;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const ms = await leastCost(maxTurnMs, longest);
  assert.ok(ms <= maxTurnMs, `${ms} ms`);
}

describe('the list of the files of a large workspace', () => {
  beforeEach(() => {
    // What was just written is treated as written long ago, so that the listings of folders are reused.
    Date.now = () => now() + 60_000;
  });

  afterEach(() => {
    Date.now = now;
  });

  it('is made in short steps, even when all folders are known from before', async () => {
    const fill = (): void => {
      for (let index = 0; index < 3_000; index += 1) {
        mkdirSync(join(folder, `group${index % 50}/part${index}/deep`), { recursive: true });
      }
      put('group49/part2999/deep/file.ts');
    };
    await checkList(fill, 3, { files: ['group49/part2999/deep/file.ts'], isTruncated: false, ignored: [] });
  });

  it('is made in short steps where one folder has many folders, and its rules are slow', async () => {
    const fill = (): void => {
      put('.gitignore', `${Array.from({ length: 20_000 }, (_, index) => `*/wo*rd${index}*/x\n`).join('')}/d/word7x/\n`);
      for (let index = 0; index < 100; index += 1) mkdirSync(join(folder, `d/word${index}x/y`), { recursive: true });
      put('d/word7x/left-out.ts');
      put('d/word70x/kept.ts');
    };
    await checkList(fill, 1, {
      files: ['.gitignore', 'd/word70x/kept.ts'],
      isTruncated: false,
      ignored: ['d/word7x'],
    });
  });
});
