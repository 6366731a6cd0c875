import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Proposals } from '../../../src/features/edits/vscode/proposals.ts';
import type { Target } from '../../../src/features/edits/vscode/target.ts';
import { useCode } from '../../../src/features/edits/vscode/useCode.ts';
import { Refusal } from '../../../src/platform/pages/callError.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { type TurnFields, turnOf } from '../../tools/turns.ts';
import { answering, errorsShown } from './dialogs.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const ways = ['apply', 'insert', 'newFile'] as const;

interface Case {
  readonly text?: string;
  readonly about?: TurnFields;
  /** The file that the block names, and in whose editor the cursor is. */
  readonly file?: string;
}

describe('code of an answer that cannot be used', () => {
  const folder = join(root, 'refusals');
  let outside: string;
  const setReadOnly = (globs: Readonly<Record<string, boolean>> | undefined) =>
    vscode.workspace.getConfiguration('files').update('readonlyInclude', globs, vscode.ConfigurationTarget.Global);
  beforeEach(async () => {
    mkdirSync(join(folder, '.vscode'), { recursive: true });
    outside = mkdtempSync(join(tmpdir(), 'svc-outside-'));
    for (const name of ['pay.js', '.env', 'locked.js', 'fixed.js', '.vscode/tasks.json'])
      writeFileSync(join(folder, name), 'a();\n');
    await setReadOnly({ '**/refusals/fixed.*': true });
    chmodSync(join(folder, 'locked.js'), 0o444);
    writeFileSync(join(outside, 'pay.js'), 'a();\n');
    symlinkSync(join(outside, 'pay.js'), join(folder, 'linked.js'));
    symlinkSync('.env', join(folder, 'hidden.js'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setReadOnly(undefined);
    for (const path of [folder, outside]) rmSync(path, { recursive: true });
  });

  interface Used {
    /** What the user is told, first of all by modal questions, which they dismiss. */
    readonly told: readonly string[];
    /** The files that a change is proposed for. */
    readonly proposed: readonly string[];
    /** Whether a new document was opened. */
    readonly isOpened: boolean;
  }

  const untitled = (): number => vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled).length;

  const use = async (way: (typeof ways)[number], { text = 'b();\n', about, file = 'pay.js' }: Case): Promise<Used> => {
    const path = file.startsWith('/') ? file : join(folder, file);
    await show(vscode.Uri.file(path));
    const proposed: string[] = [];
    const proposals = {
      // It needs no other proposal.
      canChange: (document: vscode.TextDocument) => Proposals.prototype.canChange.call({} as Proposals, document),
      withSecrets: async (_: unknown, codes: readonly string[]) => codes,
      begin: async (target: Target) => {
        proposed.push(target.kind === 'document' ? target.document.uri.fsPath : target.kind);
        return target;
      },
      complete: async () => true,
    };
    const info = `js ${file.startsWith('/') ? file : `refusals/${file}`}`;
    const turn = turnOf({
      ...{ id: 'a', prompt: 'Why?', model: 'm' },
      ...{ answer: `\`\`\`${info}\n${text}\`\`\`\n`, ...about },
    });
    const told: string[] = [];
    const before = untitled();
    const work = async (): Promise<void> => {
      const { contextReader } = new OwnParts();
      await useCode({ proposals: proposals as never, contextReader }, [turn], { turnId: 'a', way, info, text }).catch(
        (error: unknown) => {
          assert.ok(error instanceof Refusal, String(error));
          told.push(error.message);
        },
      );
    };
    let shown: readonly { readonly message: string }[] = [];
    const asked = await answering(undefined, async () => {
      shown = await errorsShown(work);
    });
    return {
      told: [...asked, ...shown].map(({ message }) => message).concat(told),
      proposed,
      isOpened: untitled() > before,
    };
  };

  const always: Readonly<Record<string, readonly [Case, RegExp]>> = {
    'the answer was stopped': [{ about: { status: 'stopped' } }, /incomplete/],
    'the answer broke off': [
      { about: { status: 'interrupted', error: new ServiceError('interrupted', '', { code: 'reset' }) } },
      /incomplete/,
    ],
    'the answer failed': [{ about: { status: 'failed' } as never }, /incomplete/],
    'the answer is still coming': [{ about: { status: 'streaming' } as never }, /incomplete/],
    'the answer is too long': [{ about: { finishReason: 'length' } }, /incomplete/],
    'the answer was filtered': [{ about: { finishReason: 'content_filter' } }, /incomplete/],
    'the block has no end': [{ about: { answer: '```js refusals/pay.js\nb();\n' } }, /incomplete/],
    'the block may end elsewhere': [
      { text: '# Pay\n```sh\nnpm i\n', about: { answer: '```md\n# Pay\n```sh\nnpm i\n```\nThen.\n```\n' } },
      /its end is unclear/,
    ],
    'the block is empty': [{ text: '' }, /has no code/],
    'the block is blank': [{ text: ' \n\t\n' }, /has no code/],
    'the end leaves open whether it is complete': [{ about: { finishReason: 'unknown' } }, /complete/],
  };
  for (const [why, [given, words]] of Object.entries(always)) {
    it(`is refused in each way: ${why}`, async () => {
      for (const way of ways) {
        const { told, proposed, isOpened } = await use(way, given);
        assert.deepEqual([told.length, proposed, isOpened], [1, [], false], `${way}: ${told.join('|')}`);
        assert.match(told[0] ?? '', words, way);
      }
    });
  }

  it('is used otherwise', async () => {
    assert.deepEqual((await use('apply', { text: 'a();\nb();\n' })).proposed, [join(folder, 'pay.js')]);
    assert.deepEqual((await use('insert', {})).proposed, [join(folder, 'pay.js')]);
    assert.equal((await use('newFile', {})).isOpened, true);
  });

  it('is refused by Insert at Cursor and New File where it leaves lines out', async () => {
    for (const way of ['insert', 'newFile'] as const) {
      const { told, proposed, isOpened } = await use(way, { text: 'b();\n// ... existing code ...\nc();\n' });
      assert.match(told.join(), /leaves out other lines/);
      assert.deepEqual([proposed, isOpened], [[], false]);
    }
  });

  const files: Readonly<Record<string, readonly [file: string, words: RegExp]>> = {
    'is excluded': ['.env', /refusals\/\.env is excluded by/],
    'is a link to an excluded one': ['hidden.js', /is excluded by/],
    'is write-protected': ['locked.js', /cannot be changed: the file is write-protected/],
    'is read-only by a setting': [
      'fixed.js',
      /cannot be changed: the setting files\.readonlyInclude makes the file read-only/,
    ],
    'controls what runs on this machine': [
      '.vscode/tasks.json',
      /^Propose a change to refusals\/\.vscode\/tasks\.json\?/,
    ],
  };
  for (const [why, [file, words]] of Object.entries(files)) {
    it(`is proposed neither by Apply nor by Insert at Cursor for a file that ${why}`, async () => {
      for (const way of ['apply', 'insert'] as const) {
        const { told, proposed } = await use(way, { text: 'a();\nb();\n', file });
        assert.deepEqual([told.length, proposed], [1, []], `${way}: ${told.join('|')}`);
        assert.match(told[0] ?? '', words, way);
      }
    });
  }

  it('is proposed for a file outside of the workspace only where the user has the cursor', async () => {
    for (const file of [join(outside, 'pay.js'), 'linked.js']) {
      const applied = await use('apply', { text: 'a();\nb();\n', file });
      assert.deepEqual([applied.told.length, applied.proposed], [1, []], file);
    }
    const inserted = await use('insert', { file: join(outside, 'pay.js') });
    assert.deepEqual([inserted.told, inserted.proposed], [[], [join(outside, 'pay.js')]]);
  });
});
