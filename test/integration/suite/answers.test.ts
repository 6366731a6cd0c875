import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { withSecretsBack } from '../../../src/features/edits/vscode/secretKeeper.ts';
import { useCode } from '../../../src/features/edits/vscode/useCode.ts';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { asMade } from '../../../src/gate/content.ts';
import { tagOf } from '../../../src/gate/secrets/marks/tags.ts';
import { Refusal } from '../../../src/platform/pages/callError.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import type { AnswerRequest } from '../../service/answer.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { turnOf } from '../../tools/turns.ts';
import { type AskedInModal, answering, errorsShown, hidePanel, pressing, told } from './dialogs.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

const run = <T = Result>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

interface Result {
  readonly ok: boolean;
  readonly error?: { readonly kind: string; readonly code?: string };
}

const lines = Array.from({ length: 201 }, (_, line) => `const value${line} = ${line};`);
const file = `${lines.join('\n')}\n`;
const changed = file.replace('const value3 = 3;', 'const value3 = "three";');
const fenced = (code: string, fence = '```'): string => `${fence}js\n${code}${fence}\n`;

describe('answers', () => {
  let stage: Stage;
  let answer: (request: AnswerRequest) => string;
  beforeEach(async () => {
    stage = await openStageWithKey({ answer: (request) => answer(request) });
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
  });

  const open = async (content: string, languageId = 'plaintext'): Promise<vscode.TextDocument> => {
    const document = await openUntitled(content, languageId);
    await show(document);
    return document;
  };
  /** Asks for an edit of the whole document; a prompt on the way is answered with `button`. */
  const edit = async (
    button?: string,
  ): Promise<{ readonly result: Result; readonly asked: readonly AskedInModal[] }> => {
    let result: Result | undefined;
    const asked = await answering(button, async () => {
      result = await run('svc.editCode', { instruction: 'spell three' });
    });
    assert.ok(result !== undefined);
    return { result, asked };
  };
  const isProposed = (): boolean =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'svc-proposal'),
    );

  describe('that are cut off', () => {
    it('produce no proposal at the maximum length, inside or after a code block, or without a fence', async () => {
      const document = await open(file);
      // The service stops after half of the answer.
      const words = `Then:\n${'And more. '.repeat(changed.length)}`;
      for (const whole of [fenced(changed), fenced(changed) + words, changed]) {
        answer = () => whole;
        stage.service.enqueue('length');
        const { result, asked } = await edit();
        assert.deepEqual([result.ok, result.error?.kind, isProposed()], [false, 'aborted', false]);
        assert.deepEqual(
          asked.map(({ message, buttons }) => [message, buttons]),
          [['The answer reached the maximum length and was cut off.', ['Continue']]],
        );
        assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'none' });
        assert.equal(document.getText(), file);
      }
    });

    it('continue if the user wants the rest, and are proposed when they are complete', async () => {
      const document = await open(file);
      answer = ({ messages }) => {
        const said = messages.find(({ role }) => role === 'assistant')?.content ?? '';
        return fenced(changed).slice(said.length);
      };
      stage.service.enqueue('length');
      const { result, asked } = await edit('Continue');
      assert.deepEqual([result.ok, asked.length, stage.service.chats.length], [true, 1, 2]);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), changed);
    });

    it('inside their code produce no proposal, regardless of the finish reason', async () => {
      const document = await open(file);
      answer = () => fenced(changed).slice(0, 1_000);
      const { result, asked } = await edit();
      assert.deepEqual([result.ok, isProposed(), asked[0]?.buttons], [false, false, ['Continue']]);
      assert.equal(document.getText(), file);
    });

    it('answers that the content filter cut off are refused', async () => {
      await open(file);
      stage.service.enqueue('refuse-content');
      answer = () => fenced(changed);
      const { result } = await edit();
      assert.deepEqual([result.error?.code, isProposed()], ['filtered', false]);
    });
  });

  describe('whose end leaves it open whether they are complete', () => {
    const words = `Then:\n${'And more. '.repeat(changed.length)}`;
    const buttons = ['Use It', 'Always Use Them'];

    it('are proposed only if the user confirms', async () => {
      await open(file);
      for (const [scenario, message] of [
        ['network-error', 'The answer ended for another reason: network_error'],
        ['no-reason', 'The service did not report whether the answer is complete'],
        ['no-reason-no-done', 'The answer ended before the service reported that it is complete'],
        ['calls-missing', 'The answer announces a tool call, but contains none'],
      ] as const) {
        answer = () => (scenario === 'network-error' ? fenced(changed) + words : fenced(changed));
        stage.service.enqueue(scenario);
        const declined = await edit();
        assert.deepEqual(
          declined.asked.map((one) => [one.message, one.buttons]),
          [[message, buttons]],
        );
        assert.deepEqual([declined.result.ok, declined.result.error?.kind, isProposed()], [false, 'aborted', false]);
        stage.service.enqueue(scenario);
        const used = await edit('Use It');
        assert.deepEqual([used.result.ok, used.asked.length, isProposed()], [true, 1, true], scenario);
        await run('svc.rejectProposal');
      }
    });

    it('are used without a question from then on, if the user wants that, for this end only', async () => {
      await open(file);
      answer = () => fenced(changed);
      // Another model: other tests must not find the decision.
      await stage.set('svc.model.code', 'svc/compliance-assistant');
      const ask = async (scenario: 'no-reason' | 'no-reason-no-done', button?: string): Promise<number> => {
        stage.service.enqueue(scenario);
        const { asked } = await edit(button);
        await run('svc.rejectProposal');
        return asked.length;
      };
      assert.equal(await ask('no-reason', 'Always Use Them'), 1);
      assert.equal(await ask('no-reason'), 0);
      assert.equal(await ask('no-reason-no-done'), 1);
      await stage.set('svc.model.code', 'svc/auto');
      assert.equal(await ask('no-reason'), 1);
    });
  });

  it('may contain code with fences', async () => {
    const readme = '# Pay\n\n```sh\nnpm i\n```\n\nThen:\n\n```ts\npay();\n```\n\nDone.\n';
    const longer = readme.replace('npm i', 'npm install');
    for (const fence of ['````', '```']) {
      const document = await open(readme);
      answer = () => fenced(longer, fence);
      assert.equal((await edit()).result.ok, true, fence);
      assert.match(stage.service.chats.at(-1)?.body ?? '', /between fences of 4 backticks/);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), longer);
    }
  });

  it('an answer with a block of commands changes only what its other block changes', async () => {
    const document = await open(file);
    answer = () => `${fenced('npm i\n')}and\n${fenced(changed)}`;
    const { result, asked } = await edit();
    assert.deepEqual([result.ok, asked.length], [true, 0]);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.equal(document.getText(), changed);
  });

  describe('with masked secrets', () => {
    const part = (...parts: readonly string[]): string => parts.join('');
    const tokens = ['a1B2', 'c3D4', 'e5F6', 'g7H8'].map((each) => part('gh', 'p_', each.repeat(9)));
    const pem = `${part('-----BEGIN PRIV', 'ATE KEY-----')}\n${'MIIEvQIBADANBgkq\n'.repeat(4)}${part('-----END PRIV', 'ATE KEY-----')}`;
    const config = `${tokens.map((token, index) => `token${index}: ${token}`).join('\n')}\nkey: |\n${pem}\nretries: 1\n`;
    /** The code as the model receives it. */
    const seen = ({ messages }: AnswerRequest): string =>
      /```+\w*\n(token0[\s\S]*?)\n```/.exec(messages.at(-1)?.content ?? '')?.[1] ?? '';

    /** Sends it masked, which is the first item of the prompt; if none is open yet, this does nothing. */
    const editMasked = async (instruction: string): Promise<void> => {
      const edited = run('svc.editCode', { instruction });
      while (stage.service.chats.length === 0) await run('workbench.action.acceptSelectedQuickOpenItem');
      assert.equal((await edited).ok, true);
    };

    it('keep every secret unchanged', async () => {
      const document = await open(config);
      answer = (request) => fenced(`${seen(request).replace('retries: 1', 'retries: 2').trimEnd()}\n`);
      await editMasked('retry twice');
      const sent = stage.service.chats.at(-1)?.body ?? '';
      assert.ok(!tokens.some((token) => sent.includes(token)) && !sent.includes('MIIEvQ'));
      assert.equal(sent.match(/\[masked: github-token [a-z2-7]{5}\]/g)?.length, 4);
      assert.deepEqual(await answering(undefined, () => run('svc.acceptProposal')), []);
      assert.equal(document.getText(), config.replace('retries: 1', 'retries: 2'));
    });

    it('the user is told which masks of an answer cannot be replaced, and confirms before it is written', async () => {
      const document = await open(config);
      answer = (request) => {
        const code = seen(request)
          .replace(/token0: \[.*\]/, 'first: [masked: github-token]')
          .trimEnd();
        return fenced(`${code}\n`);
      };
      await editMasked('rename token0');
      const asked = await answering(undefined, async () => {
        assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'cancelled' });
      });
      assert.match(asked[0]?.message ?? '', /changes secrets/);
      assert.match(
        asked[0]?.detail ?? '',
        /^Line 1: \[masked: github-token\] is not a known secret and would be written as text/,
      );
      assert.equal(document.getText(), config);
    });

    it('get them back in code of the panel that is applied to their file', async () => {
      const name = 'applied-secrets.yaml';
      const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), name);
      const [token = ''] = tokens;
      await vscode.workspace.fs.writeFile(file, Buffer.from(`token: ${token}\nretries: 1\n`));
      const text = `token: [masked: github-token ${tagOf(token)}]\nretries: 2\n`;
      const turn = turnOf({
        ...{ id: 'a', prompt: 'Twice', model: 'm' },
        answer: `\`\`\`yaml ${name}\n${text}\`\`\`\n`,
      });
      let proposed: readonly unknown[] = [];
      const proposals = {
        canChange: async () => true,
        withSecrets: async (...of: Parameters<typeof withSecretsBack>) => (await withSecretsBack(...of)).whole,
        begin: async () => undefined,
        complete: async (_: unknown, codes: readonly unknown[]) => {
          proposed = codes;
        },
      };
      try {
        const asked = { turnId: 'a', way: 'apply', info: `yaml ${name}`, text } as const;
        await useCode({ proposals: proposals as never, contextReader: new OwnParts().contextReader }, [turn], asked);
        assert.deepEqual(proposed, [`token: ${token}`, 'retries: 2', '']);
      } finally {
        await vscode.workspace.fs.delete(file);
      }
    });

    it('keep their masks in a new document, and are written only after confirmation', async () => {
      const code = 'token: [masked: github-token ab2cd]\n';
      answer = () => fenced(code);
      // No text editor is in front.
      await run('workbench.action.openSettings2');
      await until(vscode.window.onDidChangeActiveTextEditor, () => vscode.window.activeTextEditor === undefined);
      try {
        assert.equal((await run('svc.generateCode', { instruction: 'a configuration' })).ok, true);
        const written = (): boolean =>
          vscode.workspace.textDocuments.some(
            (document) => document.uri.scheme === 'untitled' && document.getText().trimEnd() === code.trimEnd(),
          );
        const asked = await answering(undefined, async () => {
          assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'cancelled' });
        });
        assert.match(asked[0]?.message ?? '', /changes secrets/);
        assert.match(asked[0]?.detail ?? '', /^Line 1: \[masked: github-token ab2cd\] is not a known secret/);
        assert.equal(written(), false);
        await answering('Accept Anyway', async () => {
          assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
        });
        assert.equal(written(), true);
      } finally {
        const others = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
        await vscode.window.tabGroups.close(others.filter(({ input }) => input === undefined));
      }
    });
  });

  it('an answer with code for another file offers that file, and opens its diff only on request', async () => {
    const name = 'offered-other.js';
    const other = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), name);
    await vscode.workspace.fs.writeFile(other, Buffer.from('const a = 1;\n'));
    const proposed = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.flatMap(({ input }) =>
          input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'svc-proposal' ? [input.modified] : [],
        ),
      );
    try {
      await open(file, 'javascript');
      answer = () => `${fenced(changed)}\n\`\`\`js title="${name}"\nconst a = 2;\n\`\`\`\n`;
      await hidePanel();
      assert.equal((await edit()).result.ok, true);
      assert.equal(proposed().length, 1);
      await run('svc.rejectProposal');
      await pressing('Show Changes', async () => {
        assert.equal((await edit()).result.ok, true);
        await until(vscode.window.tabGroups.onDidChangeTabs, () => proposed().some(({ path }) => path.includes(name)));
      });
      await until(vscode.workspace.onDidChangeTextDocument, () =>
        vscode.workspace.textDocuments.some(
          (each) => each.uri.path.includes(name) && each.getText() === 'const a = 2;\n',
        ),
      );
      // It is complete when its button works: none is opened after the end of the test.
      const [shown] = proposed().filter(({ path }) => path.includes(name));
      assert.deepEqual(await run('svc.rejectProposal', shown), { ok: true, left: 0 });
      assert.equal(Buffer.from(await vscode.workspace.fs.readFile(other)).toString(), 'const a = 1;\n');
    } finally {
      await run('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(other);
    }
  });

  describe('that contain a part of the code', () => {
    it('change only that part', async () => {
      const document = await open(file, 'javascript');
      answer = () => fenced(`${changed.split('\n').slice(0, 62).join('\n')}\n// ... existing code ...\n`);
      const { result, asked } = await edit();
      assert.deepEqual([result.ok, asked.length], [true, 0]);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), changed);
    });

    it('an answer that is short for all the lines that it would replace requires confirmation', async () => {
      const document = await open(file, 'javascript');
      answer = () => fenced(`${lines[0]}\n${lines[1]}\n${lines[200]}\n`);
      const { result, asked } = await edit();
      assert.deepEqual([result.error?.kind, isProposed()], ['aborted', false]);
      const [question, ...others] = asked;
      assert.match(
        question?.message ?? '',
        /^The answer may omit some of lines 1 to 201 of Untitled-\d+\. Should it replace all of them\?$/,
      );
      assert.deepEqual([question?.buttons, others.length], [['Replace All These Lines'], 0]);
      await edit('Replace All These Lines');
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), `${lines[0]}\n${lines[1]}\n${lines[200]}\n`);
    });

    it('an answer that begins and ends with changed lines is refused', async () => {
      const document = await open(file, 'javascript');
      answer = () => fenced(`one();\n${lines.slice(101, 103).join('\n')}\ntwo();\n`);
      const { result } = await edit();
      assert.deepEqual([result.error?.code, isProposed()], ['misplaced-code', false]);
      assert.equal(document.getText(), file);
    });
  });

  describe('whose code belongs nowhere', () => {
    const nowhere = fenced('// ... existing code ...\nfunction other() {}\n// ... existing code ...\n');
    const short = `${lines.slice(0, 20).join('\n')}\n`;
    /** The messages of each request. */
    const sent = () => stage.service.chats.map(({ json }) => (json as Pick<AnswerRequest, 'messages'>).messages);

    it('are asked for whole, once, in the same conversation', async () => {
      const document = await open(short, 'javascript');
      const whole = short.replace('const value3 = 3;', 'const value3 = "three";');
      answer = ({ messages }) => (messages.length === 1 ? `<think>Where?</think>\n${nowhere}` : fenced(whole));
      const { result, asked } = await edit();
      assert.deepEqual([result.ok, asked.length], [true, 0]);
      const [first, second, ...others] = sent();
      assert.deepEqual([others.length, second?.length], [0, 3]);
      assert.deepEqual(second?.[0], first?.[0]);
      assert.deepEqual([second?.[1]?.role, second?.[1]?.content.trim()], ['assistant', nowhere.trim()]);
      assert.match(
        second?.[2]?.content ?? '',
        /^The code could not be placed: [\s\S]*\n```\n[\s\S]*function other\(\) \{\}\n[\s\S]*```\nGive the whole of the changed code again in one fenced block/,
      );
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), whole);
    });

    it('are asked for in pieces if the place is long', async () => {
      const document = await open(file, 'javascript');
      answer = ({ messages }) =>
        messages.length === 1
          ? nowhere
          : fenced('<<<<<<< SEARCH\nconst value3 = 3;\n=======\nconst value3 = "three";\n>>>>>>> REPLACE\n');
      assert.equal((await edit()).result.ok, true);
      assert.match(sent()[1]?.[2]?.content ?? '', /\nGive each change in the form below\. /);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), changed);
    });

    it('are refused with the words of the model if there is only text', async () => {
      const document = await open(short, 'javascript');
      const words = 'I need more context:\n- Which value?\n\n[Run it](command:svc.newChat)';
      answer = () => `<think>What do they mean?</think>\n${words}\n`;
      const shown = await errorsShown(async () => assert.equal((await edit()).result.error?.code, 'no-code'));
      assert.deepEqual(
        shown.map(({ message }) => message.replaceAll('\u2060', '')),
        [`The answer contains no usable code. Nothing was changed. The model answered: ${words.replace(/\s+/g, ' ')}`],
      );
      assert.doesNotMatch(shown[0]?.message ?? '', /\]\(/);
      assert.deepEqual([isProposed(), document.getText(), stage.service.chats.length], [false, short, 1]);
    });

    it('are refused if the second answer belongs nowhere, too, or has no code', async () => {
      const document = await open(short, 'javascript');
      for (const [second, code] of [
        [nowhere, 'misplaced-code'],
        ['I need to see more of the file to do this.', 'no-code'],
      ] as const) {
        stage.service.clear();
        answer = ({ messages }) => (messages.length === 1 ? nowhere : second);
        const { result } = await edit();
        assert.deepEqual([result.error?.code, isProposed(), stage.service.chats.length], [code, false, 2]);
        assert.equal(document.getText(), short);
      }
    });

    it('are asked for only if the user wants it, where each request is previewed', async () => {
      await stage.set('svc.gate.preview', true);
      await open(short, 'javascript');
      answer = () => nowhere;
      let result: Result | undefined;
      const asked = await answering(undefined, async () => {
        const editing = run('svc.editCode', { instruction: 'spell three' }).then((ended) => {
          result = ended;
        });
        // The preview of the first request; nothing happens while it is not open yet.
        while (stage.service.chats.length === 0) await run('workbench.action.acceptSelectedQuickOpenItem');
        await editing;
      });
      assert.deepEqual(
        asked.map(({ message, buttons }) => [message, buttons]),
        [['The place of the code in the answer is unclear.', ['Ask for the Whole Code']]],
      );
      assert.deepEqual([result?.error?.code, isProposed(), stage.service.chats.length], ['misplaced-code', false, 1]);
    });

    it('are not asked for after the user has rejected the diff', async () => {
      const document = await open(short, 'javascript');
      answer = ({ messages }) => {
        if (messages.length === 3) stage.service.holdChunks();
        return nowhere;
      };
      const edited = run('svc.editCode', { instruction: 'spell three' });
      await stage.service.waitFor(({ json }) => (json as AnswerRequest).messages.length === 3);
      await run('svc.rejectProposal');
      const result = await edited;
      assert.equal(await stage.service.chats[1]?.ended, 'cut');
      assert.deepEqual([result.error?.kind, isProposed(), document.getText()], ['aborted', false, short]);
    });

    it('do not tell the secrets of the file that are put back into them', async () => {
      const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
      await open(`token: ${token}\nretries: 1\nname: a\nport: 1\n`, 'yaml');
      answer = ({ messages }) => {
        const [mark = ''] = /\[masked: [^\]]*\]/.exec(messages[0]?.content ?? '') ?? [];
        return fenced(`# ...\nother: ${mark}\n# ...\n`);
      };
      const editing = run('svc.editCode', { instruction: 'retry twice' });
      while (stage.service.chats.length === 0) await run('workbench.action.acceptSelectedQuickOpenItem');
      assert.equal((await editing).error?.code, 'misplaced-code');
      assert.equal(stage.service.chats.length, 2);
      assert.ok(!stage.service.chats.some(({ body }) => body.includes(token)));
    });

    describe('and are applied to a file from the panel', () => {
      const name = 'applied-whole.js';
      const uri = (): vscode.Uri =>
        vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), name);
      beforeEach(() => vscode.workspace.fs.writeFile(uri(), Buffer.from(short)));
      afterEach(() => vscode.workspace.fs.delete(uri()));

      const text = nowhere.replace(/^```js\n|```\n$/g, '');
      const turn = turnOf({
        ...{ id: 'a', prompt: 'Three' },
        ...{ model: 'svc/secure-partner-3-5-sonnet', answer: `\`\`\`js title="${name}"\n${text}\`\`\`\n` },
      });
      /** Applies the block of the turn; what is proposed. */
      const apply = async (own: OwnParts, about = turn): Promise<readonly unknown[]> => {
        const proposed: unknown[] = [];
        const proposals = {
          canChange: async () => true,
          withSecrets: async (_: unknown, codes: readonly string[]) => codes,
          begin: async () => undefined,
          complete: async (_: unknown, lines: readonly string[], source: unknown) =>
            void proposed.push(lines.join('\n'), source),
        };
        const sending = { dispatch: own.dispatch, confirmSend: async () => assert.fail('asked') };
        const parts = { proposals: proposals as never, contextReader: own.contextReader, sending };
        await useCode(parts, [about], { turnId: 'a', way: 'apply', info: `js title="${name}"`, text });
        return proposed;
      };
      const intents = ({ audited }: OwnParts) => audited.filter(({ kind }) => kind === 'request-intent');

      it('they are asked for whole, from the model of the answer, and the request is recorded', async () => {
        const whole = short.replace('const value3 = 3;', 'const value3 = "three";');
        answer = () => fenced(`${whole}more();\n`);
        const own = new OwnParts();
        const [lines, source] = await apply(own);
        const [intent, ...others] = intents(own);
        assert.ok(intent?.kind === 'request-intent');
        assert.deepEqual([lines, others.length], [`${whole}more();\n`, 0]);
        assert.deepEqual([intent.action, intent.model, intent.files], ['chat', turn.lastRequest?.model, 1]);
        assert.deepEqual(source, { model: turn.lastRequest?.model, request: intent.request });
        const [content = ''] = sent()[0]?.map((message) => message.content) ?? [];
        assert.match(content, /^This code changes applied-whole\.js:\n```js title=[^\n]*\n\/\/ \.\.\. existing code/);
        assert.match(content, /Give the whole text of applied-whole\.js with this change in one fenced block/);
        assert.ok(content.includes(short.trimEnd()));
      });

      it('the user is told if the file has changed since it was attached', async () => {
        answer = () => fenced(short);
        const attached = (text: string, lines = '', label = name, at = uri()): Attachment => ({
          ...{ label: label + lines, uri: at.toString(), firstLine: 1, languageId: 'javascript', folder: null },
          text: asMade(text),
        });
        const other = vscode.Uri.joinPath(uri(), '../other.js');
        for (const [attachments, isTold] of [
          [[attached(short)], false],
          [[attached(short.replaceAll('\n', '\r\n')), attached(`${lines[4]}\n${lines[5]}\n`, ':5-6')], false],
          [[attached(short.replace('= 3', '= 4'))], true],
          [[attached('a();', '', `problems in ${name}`)], false],
          [[attached('a();', '', 'other.js', other)], false],
        ] as const) {
          const said = await told('Information', () =>
            apply(new OwnParts(), { ...turn, question: { ...turn.question, attachments } }),
          );
          assert.equal(
            said.includes(`${name} has changed since it was attached. Compare the diff with your changes.`),
            isTold,
          );
        }
      });

      it('they are refused if the second answer belongs nowhere, too, or the request may not be sent', async () => {
        answer = () => nowhere;
        for (const [policy, requests] of [
          [openPolicy, 1],
          [{ ...openPolicy, allowedModels: ['svc/auto'] }, 0],
        ] as const) {
          const own = new OwnParts();
          own.policy = policy;
          await assert.rejects(apply(own), (error) => {
            assert.ok(error instanceof Refusal);
            assert.match(error.message, /^The answer contains only a part of the code, and its place is unclear\. /);
            assert.deepEqual(
              error.offers.map(({ label }) => label),
              ['Ask for the Whole Code', 'Open File'],
            );
            return true;
          });
          assert.equal(intents(own).length, requests);
        }
      });
    });
  });
});
