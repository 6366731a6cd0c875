import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { fileForBlock } from '../../../src/features/edits/vscode/placing/fileForBlock.ts';
import { asMade } from '../../../src/gate/content.ts';
import { Refusal } from '../../../src/platform/pages/callError.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import { answering } from './dialogs.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
/** Of each test: the files of one do not answer for another. */
const folder = join(root, 'named');
const code = 'a();\n';

describe('the file that a block of an answer is for', () => {
  beforeEach(() => {
    for (const name of [
      'src/pay.ts',
      'src/routes/$id.ts',
      'src/[slug]/page.tsx',
      'src/Gebühr.ts',
      'portal/src/only.ts',
    ])
      write(name);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
  });

  const write = (name: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  };
  const attached = (name: string): Attachment => ({
    ...{ label: name, uri: vscode.Uri.file(join(folder, name)).toString(), firstLine: 1, folder: null },
    ...{ languageId: 'typescript', text: asMade(code) },
  });

  interface Asked {
    readonly info?: string;
    /** The words before the block. */
    readonly said?: string;
    readonly text?: string;
    readonly attachments?: readonly Attachment[];
  }

  /** The path below the folder, with `(new)` where there is no file; or why there is none; null if the user chose none. */
  const fileFor = async ({ info = 'ts', said = '', text = code, attachments = [] }: Asked): Promise<string | null> => {
    const nothing = (): void => undefined;
    const answer = `${said}\n\n\`\`\`${info}\n${text}\`\`\`\n`;
    try {
      const found = await fileForBlock({ answer, attachments, info, text }, { insert: nothing, newFile: nothing });
      if (found === null) return null;
      assert.equal(found.read.blocks.length, 1);
      const path = relative(realpathSync(folder), found.file.uri.fsPath);
      return found.file.exists ? path : `${path} (new)`;
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
  };
  /** Nothing is asked on the way. */
  const unasked = async (asked: Asked): Promise<string | null> => {
    let file: string | null = '';
    const questions = await answering(undefined, async () => {
      file = await fileFor(asked);
    });
    assert.deepEqual(questions, []);
    return file;
  };

  for (const info of [
    'ts title="named/src/pay.ts"',
    "ts title='named/src/pay.ts'",
    'ts filename=named/src/pay.ts',
    'ts file=named/src/pay.ts',
    'ts path="named/src/pay.ts"',
    'ts:named/src/pay.ts',
    'ts named/src/pay.ts',
    'named/src/pay.ts',
    'ts title="./named/src/pay.ts"',
    'ts title="named\\src\\pay.ts"',
    'ts title="named/src/pay.ts:10-20"',
    'ts named/src/pay.ts:10',
    'ts title="named/src/pay.ts#L10-L20"',
    `ts title="${join(folder, 'src/pay.ts')}"`,
    `ts title="${vscode.Uri.file(join(folder, 'src/pay.ts'))}"`,
  ]) {
    it(`is named by the opening line \`${info.replace(root, '…')}\``, async () =>
      assert.equal(await unasked({ info }), 'src/pay.ts'));
  }

  for (const text of [
    '// named/src/pay.ts\n',
    '// file: named/src/pay.ts\n',
    '# named/src/pay.ts\n',
    '-- named/src/pay.ts\n',
    '/* named/src/pay.ts */\n',
    '<!-- named/src/pay.ts -->\n',
  ]) {
    it(`is named by the first line ${text.trim()}`, async () =>
      assert.equal(await unasked({ text: `${text}${code}` }), 'src/pay.ts'));
  }

  for (const said of [
    '### named/src/pay.ts',
    '### `named/src/pay.ts`',
    '**named/src/pay.ts**',
    '**`named/src/pay.ts`**',
    '**File: named/src/pay.ts**',
    '1. `named/src/pay.ts`:',
    'named/src/pay.ts:',
    'In `named/src/pay.ts`, change the call:',
    '`named/src/pay.ts` (updated):',
  ]) {
    it(`is named before the block by ${said}`, async () => assert.equal(await unasked({ said }), 'src/pay.ts'));
  }

  it('may have a dollar sign, brackets, or umlauts in its name, in each form of Unicode', async () => {
    for (const name of ['src/routes/$id.ts', 'src/[slug]/page.tsx', 'src/Gebühr.ts'])
      assert.equal(await unasked({ info: `ts title="named/${name}"` }), name);
    assert.equal(await unasked({ info: 'ts title="named/src/[new]/ä (b).ts"' }), 'src/[new]/ä (b).ts (new)');
  });

  it('is the attached one if the block names none, and none of several', async () => {
    assert.equal(await unasked({ attachments: [attached('src/pay.ts')] }), 'src/pay.ts');
    const part = { ...attached('src/pay.ts'), firstLine: 4 };
    assert.equal(await unasked({ attachments: [attached('src/pay.ts'), part] }), 'src/pay.ts');
    const nameless = 'The code does not name a file in the workspace.';
    assert.equal(await unasked({}), nameless);
    assert.equal(await unasked({ attachments: [attached('src/pay.ts'), attached('src/Gebühr.ts')] }), nameless);
    const untitled = { ...attached('a.ts'), uri: 'untitled:Untitled-1' };
    assert.equal(await unasked({ attachments: [untitled, attached('src/pay.ts')] }), 'src/pay.ts');
    assert.equal(await unasked({ attachments: [untitled] }), nameless);
  });

  it('is the only one that the answer mentions, else the only one in the output of a terminal', async () => {
    const output = (text: string): Attachment => ({
      ...{ label: 'terminal', uri: 'untitled:terminal', firstLine: 1, folder: null },
      ...{ languageId: 'text', text: asMade(text) },
    });
    const nameless = 'The code does not name a file in the workspace.';
    const failed = output('named/src/pay.ts:12:19 - error TS2345: no.such/file.ts (see node.js)');
    assert.equal(await unasked({ attachments: [failed] }), 'src/pay.ts');
    assert.equal(
      await unasked({ said: 'A default is missing in line 3 of **named/src/Gebühr.ts**.' }),
      'src/Gebühr.ts',
    );
    const said = 'In line 3 of **named/src/Gebühr.ts**, not in a test.';
    assert.equal(await unasked({ said, attachments: [failed] }), 'src/Gebühr.ts');
    const traced = output(`at f (${join(folder, 'src/pay.ts')}:3:1)\n[ERROR] named/src/pay.ts:[3,1]`);
    assert.equal(await unasked({ attachments: [traced] }), 'src/pay.ts');
    const both = 'See named/src/pay.ts and named/src/Gebühr.ts.';
    assert.equal(await unasked({ said: both, attachments: [failed] }), nameless);
    assert.equal(await unasked({ attachments: [output(both)] }), nameless);
    assert.equal(
      await unasked({ attachments: [{ ...attached('src/x.ts'), uri: 'untitled:Untitled-1', text: failed.text }] }),
      nameless,
    );
    write('.env');
    assert.match((await unasked({ attachments: [output('named/.env: line 3')] })) ?? '', /excluded by/);
    assert.equal(await unasked({ attachments: [output('../named/src/pay.ts, /etc/pay.ts, src/pay.ts')] }), nameless);
  });

  it('is the one attached or open file with this end of its path, before a new one', async () => {
    const info = 'ts title="src/only.ts"';
    assert.equal(await unasked({ info, attachments: [attached('portal/src/only.ts')] }), 'portal/src/only.ts');
    await vscode.window.showTextDocument(vscode.Uri.file(join(folder, 'portal/src/only.ts')));
    assert.equal(await unasked({ info }), 'portal/src/only.ts');
    assert.equal(await unasked({ info: 'ts title="named/my-only.ts"' }), 'my-only.ts (new)');
  });

  it('is another one of the workspace only if the user means it', async () => {
    const asked = { info: 'ts title="src/[slug]/page.tsx"' };
    for (const [button, file] of [
      [undefined, null],
      ['Change This File', 'src/[slug]/page.tsx'],
      ['Create src/[slug]/page.tsx', '../src/[slug]/page.tsx (new)'],
    ] as const) {
      let found: string | null = '';
      const [question, ...more] = await answering(button, async () => {
        found = await fileFor(asked);
      });
      assert.deepEqual([found, question?.message, more], [file, 'Did you mean named/src/[slug]/page.tsx?', []]);
      assert.equal(question?.detail, 'The answer names src/[slug]/page.tsx, which does not exist.');
    }
  });

  it('is in the workspace', async () => {
    symlinkSync('/etc', join(folder, 'out'));
    symlinkSync('nowhere', join(folder, 'dangling.ts'));
    symlinkSync('src', join(folder, 'linked'));
    for (const name of [
      ...['../pay.ts', 'named/../../pay.ts', '/etc/pay.ts', '//host/share/pay.ts', '\\\\host\\share\\pay.ts'],
      ...['C:\\src\\pay.ts', 'C:/src/pay.ts', 'vscode-userdata:/User/pay.ts', 'https://a.example/pay.ts', '~/pay.ts'],
      ...['file:///etc/pay.ts', 'named/src/pay.ts ', 'named/CON:.ts', 'named/%2e%2e/pay.ts', `${'a/'.repeat(250)}b.ts`],
      ...['named/out/pay.ts', 'named/dangling.ts', 'named/src', '$HOME/pay.ts', 'named/src/p\u202eay.ts'],
    ]) {
      const file = await unasked({ info: `ts title="${name}"` });
      const isInside = file === 'src/pay.ts' && name === 'named/src/pay.ts ';
      assert.ok(
        isInside || /^The code (?:does not name a file|cannot be applied)/.test(file ?? ''),
        `${name}: ${file}`,
      );
    }
    assert.equal(await unasked({ info: 'ts title="named/linked/pay.ts"' }), 'src/pay.ts');
  });

  it('is none that is excluded, in any case of its letters, over a link, or as a new file', async () => {
    write('.env');
    symlinkSync('.env', join(folder, 'plain.ts'));
    for (const name of ['.env', '.ENV', '.env.local', 'plain.ts', 'src/.Env'])
      assert.match(
        (await unasked({ info: `ts title="named/${name}"` })) ?? '',
        /^The code cannot be applied: .* is excluded by /,
        name,
      );
  });

  it('is not the file with other letters on a system that tells them apart', async () => {
    write('src/PAY.ts');
    assert.equal(await unasked({ info: 'ts title="named/src/PAY.ts"' }), 'src/PAY.ts');
    assert.equal(await unasked({ info: 'ts title="named/src/pay.ts"' }), 'src/pay.ts');
  });
});
