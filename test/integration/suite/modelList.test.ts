import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { openStage, removeKey, type Stage, storeKey, until } from './stage.ts';

interface UsedInChat {
  readonly ok: boolean;
  readonly models: number;
  readonly elsewhere: readonly string[];
}

/** The exports of test/integration/otherExtension. */
interface Other {
  models(): Promise<readonly { readonly id: string; readonly name: string }[]>;
  ask(question: string): Promise<string>;
}

describe('the list of language models', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({ modelNames: { 'svc/compliance-assistant': 'Compliance Assistant' } });
    await storeKey();
  });
  afterEach(() => stage.close());

  it('returns the last known models to a silent query, without a request to the service', async () => {
    const before = stage.service.seenSockets;
    const models = await vscode.lm.selectChatModels({ vendor: 'svc' });
    assert.ok(models.some(({ id }) => id === 'svc/auto'));
    assert.ok(models.every(({ vendor, family, id }) => vendor === 'svc' && family === id));
    assert.equal(stage.service.seenSockets, before);
  });

  it('is empty without a key', async () => {
    await removeKey();
    assert.deepEqual(await vscode.lm.selectChatModels({ vendor: 'svc' }), []);
  });

  it('4.3 contains those of GET /models, by name, once the user has asked for them', async () => {
    const shown = vscode.commands.executeCommand<UsedInChat>('svc.useInVSCodeChat');
    await stage.service.waitFor(({ path }) => path.endsWith('/models'));
    let models: readonly vscode.LanguageModelChat[] = [];
    while (models.length < 5) models = await vscode.lm.selectChatModels({ vendor: 'svc' });
    assert.deepEqual(models.map(({ id, name }) => `${id}: ${name}`).sort(), [
      'svc/auto: svc/auto',
      'svc/compliance-assistant: Compliance Assistant',
      'svc/enterprise-coder-v1: svc/enterprise-coder-v1',
      'svc/restricted: svc/restricted',
      'svc/secure-partner-3-5-sonnet: svc/secure-partner-3-5-sonnet',
    ]);
    let isShown = true;
    void Promise.resolve(shown).then(() => {
      isShown = false;
    });
    // If the steps are not open yet, this does nothing.
    while (isShown) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    const { ok, models: count, elsewhere } = await shown;
    assert.deepEqual([ok, count], [true, 5]);
    // Versions differ in which settings exist; inline chat has long had its own.
    assert.ok(elsewhere.includes('inlineChat.defaultModel'), elsewhere.join());
  });

  it('is available to another extension, which can use the models', async () => {
    const other = await vscode.extensions.getExtension<Other>('test.other')?.activate();
    assert.ok(other, 'test/integration/otherExtension is not there');
    assert.ok((await other.models()).some(({ id }) => id === 'svc/auto'));
    await stage.set('svc.compliance.frameworks', ['gdpr']);
    assert.match(await other.ask('What can you do?'), /local service/);
    assert.deepEqual(
      stage.service.chats.map(({ headers }) => headers['svc-compliance-frameworks']),
      ['gdpr'],
    );
  });

  it('is empty, and requests fail, if an administrator switched them off', async () => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    const [auto] = await vscode.lm.selectChatModels({ vendor: 'svc', id: 'svc/auto' });
    assert.ok(auto);
    try {
      writeFileSync(file, JSON.stringify({ version: 1, disabledFeatures: ['languageModel'] }));
      await vscode.commands.executeCommand('svc.showPolicy');
      // VS Code no longer knows a model that is not in the list.
      await assert.rejects(async () => auto.sendRequest([vscode.LanguageModelChatMessage.User('Hello')]));
      assert.deepEqual(await vscode.lm.selectChatModels({ vendor: 'svc' }), []);
      assert.equal(stage.service.chats.length, 0);
    } finally {
      rmSync(file, { force: true });
      await vscode.commands.executeCommand('svc.showPolicy');
    }
  });

  it('changes with the address', async () => {
    const changed = until(vscode.lm.onDidChangeChatModels, () => true);
    await stage.set('svc.baseUrl', 'http://127.0.0.1:9/api/v1');
    await changed;
    assert.deepEqual(await vscode.lm.selectChatModels({ vendor: 'svc' }), []);
  });
});
