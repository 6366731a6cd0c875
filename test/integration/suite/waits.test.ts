import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { KnownModels } from '../../../src/features/vscodeChat/vscode/knownModels.ts';
import { LanguageModels } from '../../../src/features/vscodeChat/vscode/languageModels.ts';
import { Participant } from '../../../src/features/vscodeChat/vscode/participant/participant.ts';
import { retryNow } from '../../../src/platform/messages/waits.ts';
import { hidePanel } from './dialogs.ts';
import { emptyMemento, OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { openStage, openStageWithKey, type Stage } from './stage.ts';
import { stagedIn } from './staged.ts';

type Show = typeof vscode.window.withProgress;

const counting =
  /^Too many requests\. Retrying in \d+ s · \[Retry Now\]\(command:svc\.retryNow\)$|^The service asked to wait/;

/**
 * Records the progress messages while work runs, and can cancel all of it. VS Code shows a test none of its
 * notifications.
 */
class Progresses {
  readonly said: string[] = [];
  readonly #cancel = new vscode.EventEmitter<void>();
  #heard: (() => void) | undefined;

  async during<T>(work: () => PromiseLike<T>): Promise<T> {
    await hidePanel();
    const show = async (_options: unknown, run: Parameters<Show>[1]) => {
      const source = new vscode.CancellationTokenSource();
      const listening = this.#cancel.event(() => source.cancel());
      try {
        return await run({ report: ({ message }) => this.#say(message ?? '') }, source.token);
      } finally {
        listening.dispose();
      }
    };
    // In VS Code 1.110, ES modules have their own API object.
    const windows = new Set([vscode.window, (await import('vscode')).window]);
    const before = [...windows].map((window) => ({ window, withProgress: window.withProgress }));
    for (const { window } of before) Object.assign(window, { withProgress: show });
    try {
      return await work();
    } finally {
      for (const { window, withProgress } of before) Object.assign(window, { withProgress });
    }
  }

  cancel(): void {
    this.#cancel.fire();
  }

  /** Resolves when a countdown is shown. */
  countdown(): Promise<string> {
    return this.line(/command:svc\.retryNow/);
  }

  /** Resolves when such a line is shown. */
  async line(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = this.said.find((said) => pattern.test(said));
      if (line !== undefined) return line;
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  #say(line: string): void {
    this.said.push(line);
    this.#heard?.();
  }
}

describe('an edit that takes over 10 s', () => {
  it('says about how long, by its own speed, and ends with Cancel', async () => {
    const code = Array.from({ length: 60 }, (_, index) => `const value${index} = compute(${index});\n`).join('');
    // 20 tokens a second are half a minute.
    const stage = await openStageWithKey({ tokensPerSecond: 20, answer: () => `\`\`\`javascript\n${code}\`\`\`\n` });
    const progresses = new Progresses();
    try {
      const document = await openUntitled(code.replace('value5', 'other'), 'javascript');
      await show(document);
      await progresses.during(async () => {
        const edited = vscode.commands.executeCommand<{ ok: boolean }>('svc.editCode', { instruction: 'rename it' });
        assert.match(await progresses.line(/left/), /^About (?:20|25|30|35|40) s left…$/);
        progresses.cancel();
        assert.equal((await edited).ok, false);
      });
      assert.equal(await stage.service.chats[0]?.ended, 'cut');
    } finally {
      await stage.close();
    }
  });
});

describe('a wait before a retry', () => {
  let stage: Stage;
  let progresses: Progresses;
  const token = () => new vscode.CancellationTokenSource().token;
  const slowDown = () => stage.service.setScenario('rate-limit', { retryAfterSeconds: 30, times: 1 });

  beforeEach(() => {
    progresses = new Progresses();
  });
  afterEach(() => stage.close());

  it('is counted down while an edit is written, and Retry Now ends it', async () => {
    stage = await openStageWithKey();
    slowDown();
    const document = await openUntitled('a(1);\n', 'javascript');
    await show(document);
    await progresses.during(async () => {
      const edit = vscode.commands.executeCommand<{ ok: boolean }>('svc.editCode', {
        instruction: 'rename a to total',
      });
      assert.match(await progresses.countdown(), counting);
      assert.deepEqual(await vscode.commands.executeCommand('svc.retryNow'), { ok: true });
      assert.equal((await edit).ok, true);
    });
    assert.equal(stage.service.chats.length, 2);
    // After the wait, no message remains, and there is nothing to skip.
    assert.equal(progresses.said.at(-1), '');
    assert.deepEqual(await vscode.commands.executeCommand('svc.retryNow'), { ok: false });
    await vscode.commands.executeCommand('svc.rejectProposal');
  });

  it('is counted down while a commit message is written', async () => {
    stage = await openStageWithKey();
    slowDown();
    const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'waits');
    mkdirSync(folder, { recursive: true });
    try {
      const { rootUri, inputBox } = await stagedIn(folder);
      await progresses.during(async () => {
        const generate = vscode.commands.executeCommand<{ ok: boolean; message: string }>('svc.generateCommitMessage', {
          rootUri,
        });
        assert.match(await progresses.countdown(), counting);
        assert.equal(inputBox.value, '');
        await vscode.commands.executeCommand('svc.retryNow');
        const { ok, message } = await generate;
        assert.deepEqual([ok, inputBox.value], [true, message]);
      });
      assert.deepEqual([stage.service.chats.length, progresses.said.at(-1)], [2, '']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is counted down while code is reviewed', async () => {
    stage = await openStageWithKey();
    await stage.set('svc.compliance.frameworks', ['gdpr']);
    slowDown();
    const document = await openUntitled('eval(text);\n', 'javascript');
    await show(document);
    await progresses.during(async () => {
      const review = vscode.commands.executeCommand<{ ok: boolean }>('svc.reviewFile', { confirmed: true });
      assert.match(await progresses.countdown(), counting);
      await vscode.commands.executeCommand('svc.retryNow');
      assert.equal((await review).ok, true);
    });
    assert.equal(progresses.said.at(-1), '');
    await vscode.commands.executeCommand('svc.clearReview');
  });

  it('is ended by Cancel in each of them, and nothing is sent again', async () => {
    stage = await openStageWithKey();
    await stage.set('svc.compliance.frameworks', ['gdpr']);
    slowDown();
    const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'waits');
    mkdirSync(folder, { recursive: true });
    try {
      const { rootUri, inputBox } = await stagedIn(folder);
      await show(await openUntitled('a(1);\n', 'javascript'));
      const run = (command: string, options: object) =>
        vscode.commands.executeCommand<{ ok: boolean; complete?: boolean }>(command, options);
      const edit = { instruction: 'rename a to total' };
      // The service's delay applies to the others, too.
      for (const [command, options] of [
        ['svc.editCode', edit],
        ['svc.reviewFile', { confirmed: true }],
        ['svc.generateCommitMessage', { rootUri }],
      ] as const) {
        progresses.said.length = 0;
        await progresses.during(async () => {
          const asked = run(command, options);
          assert.match(await progresses.countdown(), counting);
          progresses.cancel();
          const { ok, complete } = await asked;
          assert.equal(ok && complete !== false, false, command);
        });
        assert.equal(stage.service.chats.length, 1, command);
      }
      assert.equal(inputBox.value, '');
      progresses.said.length = 0;
      await progresses.during(async () => {
        const asked = run('svc.editCode', edit);
        await progresses.countdown();
        await vscode.commands.executeCommand('svc.retryNow');
        assert.equal((await asked).ok, true);
      });
      await vscode.commands.executeCommand('svc.rejectProposal');
      await vscode.commands.executeCommand('svc.clearReview');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  describe('in VS Code’s own chat', () => {
    let parts: OwnParts;
    beforeEach(async () => {
      stage = await openStage();
      parts = new OwnParts();
      slowDown();
    });
    afterEach(() => parts.client.dispose());

    const ask = async (): Promise<vscode.ChatResult> => {
      const { dispatch, contextReader } = parts;
      const participant = new Participant({
        dispatch,
        refusals: { note: async () => {} },
        contextReader,
        confirmSend: async () => 'send-masked',
      });
      const model = { vendor: 'svc', id: 'svc/auto' } as vscode.LanguageModelChat;
      const request = { command: undefined, prompt: 'Hello', references: [], model };
      return participant.answer(request, { history: [] }, { markdown() {}, progress() {} }, token());
    };

    it('has a separate notification for the participant', async () => {
      await progresses.during(async () => {
        const asked = ask();
        await progresses.countdown();
        assert.deepEqual(retryNow(), { ok: true });
        assert.deepEqual(Object.keys(await asked), ['metadata']);
      });
      assert.equal(stage.service.chats.length, 2);
    });

    it('is ended by Cancel of its notification, and nothing is sent again', async () => {
      await progresses.during(async () => {
        const asked = ask();
        await progresses.countdown();
        progresses.cancel();
        assert.deepEqual(await asked, {});
      });
      assert.equal(stage.service.chats.length, 1);
      assert.deepEqual(retryNow(), { ok: false });
    });

    it('has a notification for the language model, too', async () => {
      const known = new KnownModels(emptyMemento(), parts.keySources, parts.contextReader);
      const { dispatch, contextReader, keys } = parts;
      const confirmSend = async () => 'send-masked' as const;
      const models = new LanguageModels({
        dispatch,
        contextReader,
        keys,
        known,
        confirmSend,
        client: async () => parts.client,
      });
      let text = '';
      const report = (part: vscode.LanguageModelResponsePart) => {
        if (part instanceof vscode.LanguageModelTextPart) text += part.value;
      };
      const options = {
        toolMode: vscode.LanguageModelChatToolMode.Auto,
      } as vscode.ProvideLanguageModelChatResponseOptions;
      await progresses.during(async () => {
        const messages = [vscode.LanguageModelChatMessage.User('Hello')] as never;
        const asked = models.respond('svc/auto', messages, options, { report }, token());
        await progresses.countdown();
        retryNow();
        await asked;
      });
      assert.match(text, /local service/);
    });
  });
});
