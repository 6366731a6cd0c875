import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { localFiles } from '../../../../src/features/context/vscode/localFiles.ts';
import { memoryFolder } from '../../../tools/folders.ts';
import { turnsOf } from '../../../tools/processorTime.ts';
import { DiskWorkspace, moduleIn } from '../../platform/excludedContent/stage.ts';

/** The longest turn of the event loop that may be needed, in milliseconds of processor time. */
const maxTurnMs = 50;
const { now } = Date;
let folder = '';

function put(path: string, text = ''): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function listed(values: Readonly<Record<string, unknown>> = {}) {
  const workspace = new DiskWorkspace(folder);
  workspace.values = values;
  type Module = { readonly localFiles: typeof localFiles };
  const module = await moduleIn<Module>(workspace, 'src/features/context/vscode/localFiles.ts');
  const root = workspace.folder as unknown as Parameters<typeof localFiles>[0];
  const { value, longestMs } = await turnsOf(() => module.localFiles(root, 10_000));
  assert.ok(longestMs <= maxTurnMs, `${longestMs} ms`);
  return value;
}

describe('the list of the files of a large workspace', () => {
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(memoryFolder(), 'svc-listed-')));
    // What was just written is treated as written long ago, so that the listings of folders are reused.
    Date.now = () => now() + 60_000;
  });

  afterEach(() => {
    Date.now = now;
    rmSync(folder, { recursive: true, force: true });
  });

  it('is made in short steps, even when all folders are known from before', async () => {
    for (let index = 0; index < 3_000; index += 1) {
      mkdirSync(join(folder, `group${index % 50}/part${index}/deep`), { recursive: true });
    }
    put('group49/part2999/deep/file.ts');
    const whole = { files: ['group49/part2999/deep/file.ts'], isTruncated: false, ignored: [] };
    for (let time = 0; time < 3; time += 1) assert.deepEqual(await listed(), whole);
  });

  it('is made in short steps where one folder has many files, and `files.exclude` is slow', async () => {
    for (let index = 0; index < 500; index += 1) put(`d/${'a'.repeat(60)}${index}.ts`);
    put('d/kept.ts');
    const slow = `**/{${Array.from({ length: 300 }, (_, index) => `a*${index}.ts`).join(',')}}`;
    const { files } = (await listed({ exclude: { [slow]: true } })) ?? assert.fail();
    assert.ok(files.includes('d/kept.ts') && !files.includes(`d/${'a'.repeat(60)}7.ts`));
  });

  it('is made in short steps where one folder has many folders, and its rules are slow', async () => {
    put('.gitignore', `${Array.from({ length: 20_000 }, (_, index) => `*/wo*rd${index}*/x\n`).join('')}/d/word7x/\n`);
    for (let index = 0; index < 100; index += 1) mkdirSync(join(folder, `d/word${index}x/y`), { recursive: true });
    put('d/word7x/left-out.ts');
    put('d/word70x/kept.ts');
    assert.deepEqual(await listed(), {
      files: ['.gitignore', 'd/word70x/kept.ts'],
      isTruncated: false,
      ignored: ['d/word7x'],
    });
  });
});
