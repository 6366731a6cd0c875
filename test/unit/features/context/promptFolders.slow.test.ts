import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskWorkspace, moduleIn } from '../../platform/excludedContent/stage.ts';

type Prompts = typeof import('../../../../src/features/context/vscode/attachments/promptFiles.ts');

describe('the folder of the prompts', () => {
  let top = '';
  const at = (...names: readonly string[]): string => join(top, ...names);
  const read = async () => {
    const workspace = new DiskWorkspace(at('one'), 'git', [at('two')]);
    const { readPrompts } = await moduleIn<Prompts>(
      workspace,
      'src/features/context/vscode/attachments/promptFiles.ts',
    );
    return (await readPrompts()).map(({ prompt, problem }) => prompt?.text ?? problem);
  };

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-prompts-')));
    for (const name of ['one/docs', 'two/prompts', 'far/prompts']) mkdirSync(at(name), { recursive: true });
    for (const name of ['one/docs', 'two/prompts', 'far/prompts'])
      writeFileSync(at(name, 'audit.md'), `Look at ${name}.`);
  });

  afterEach(() => rmSync(top, { recursive: true, force: true }));

  it('may be a link within the workspace folder', async () => {
    mkdirSync(at('one/.svc'));
    symlinkSync(at('one/docs'), at('one/.svc/prompts'));
    assert.deepEqual(await read(), ['Look at one/docs.']);
  });

  it('is not read if it is a link to another workspace folder, whose settings would not apply', async () => {
    mkdirSync(at('one/.svc'));
    symlinkSync(at('two/prompts'), at('one/.svc/prompts'));
    assert.deepEqual(await read(), ['it is a link, and links are not followed']);
  });

  it('is not read if a folder above it is such a link', async () => {
    symlinkSync(at('two'), at('one/.svc'));
    assert.deepEqual(await read(), ['it is a link, and links are not followed']);
  });

  it('is not read if it is a link out of the workspace', async () => {
    mkdirSync(at('one/.svc'));
    symlinkSync(at('far/prompts'), at('one/.svc/prompts'));
    assert.match((await read()).join(), /outside the workspace/);
  });
});
