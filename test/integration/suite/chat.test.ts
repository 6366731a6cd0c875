import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { questionFrom } from '../../../src/features/context/vscode/attachments/question.ts';
import { attachRange } from '../../../src/platform/sources/attach.ts';
import { houseRules } from '../../../src/session/prompts/houseRules.ts';
import { aroundWords, summaryPrompt } from '../../../src/session/prompts/prompts.ts';
import { show } from './show.ts';
import { key, nextKey, openStageWithKey, type Stage, storeKey } from './stage.ts';

interface Asked {
  readonly ok: boolean;
  readonly status?: string;
  readonly answer?: string;
  readonly error?: { readonly kind: string; readonly status?: number; readonly code?: string };
}

const ask = (prompt: string): Thenable<Asked> => vscode.commands.executeCommand('svc.openChat', { prompt });

describe('chat', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStageWithKey();
    await vscode.commands.executeCommand('svc.newChat');
    stage.service.clear();
  });
  afterEach(() => stage.close());

  const headers = (): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(stage.service.chats[0]?.headers ?? {}).filter(([name]) => name.startsWith('svc-')),
    );

  it('4.4 streams an answer', async () => {
    const asked = await ask('Hello there');
    assert.equal(asked.status, 'complete');
    assert.ok(asked.answer);
    const body = stage.service.chats[0]?.json as { model: string; stream: boolean; messages: unknown };
    assert.equal(body.stream, true);
    assert.equal(body.model, 'svc/auto');
    assert.deepEqual(body.messages, [{ role: 'user', content: `${houseRules}\n\nHello there` }]);
    assert.deepEqual(headers(), {});
  });

  it('4.4 receives a whole answer if streaming is off, and sends the body that the settings define', async () => {
    await stage.set('svc.request.stream', false);
    await stage.set('svc.request.maxTokens', 321);
    await stage.set('svc.request.temperature', 0.25);
    const asked = await ask('Hello');
    assert.equal(asked.status, 'complete');
    const body = stage.service.chats[0]?.json as Record<string, unknown>;
    assert.deepEqual([body.stream, body.max_tokens, body.temperature], [undefined, 321, 0.25]);
  });

  it('4.5 sends the five headers that user and workspace settings require', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    await stage.set('svc.compliance.securityLevel', 'maximum');
    await stage.set('svc.compliance.securityLevel', 'standard', Workspace);
    await stage.set('svc.compliance.dataResidency', 'eu-west', Workspace);
    await stage.set('svc.compliance.audit', true, Workspace);
    await stage.set('svc.compliance.zeroRetention', false);
    await stage.set('svc.compliance.frameworks', ['gdpr']);
    await stage.set('svc.compliance.frameworks', ['hipaa'], Workspace);
    await ask('Hello');
    assert.deepEqual(headers(), {
      'svc-security-level': 'maximum',
      'svc-data-residency': 'eu-west',
      'svc-audit-enabled': 'true',
      'svc-zero-retention': 'false',
      'svc-compliance-frameworks': 'hipaa,gdpr',
    });
  });

  it('4.5 blocks on an invalid value, and sends nothing', async () => {
    await stage.set('svc.compliance.securityLevel', 'Maximum', vscode.ConfigurationTarget.Workspace);
    const asked = await ask('Hello');
    assert.equal(asked.error?.kind, 'policy');
    assert.deepEqual(stage.service.received, []);
  });

  it('summarizes the earlier turns of a conversation that is too long, if the setting says so', async () => {
    // Before the tests that teach the extension what the models read.
    await stage.set('svc.context.onLimit', 'summarize');
    await stage.set('svc.context.maxTokens', 5000);
    stage.service.setScenario('big', { bigBytes: 7000 });
    for (const question of ['My port is 9000.', 'Second?', 'Third?']) await ask(question);
    stage.service.setScenario('normal');
    stage.service.clear();
    const asked = await ask('And now?');
    const bodies = stage.service.chats.map(({ body }) => body);
    assert.deepEqual([asked.status, bodies.length], ['complete', 2]);
    assert.ok(bodies[0]?.includes(JSON.stringify(summaryPrompt).slice(1, -1)));
    assert.match(bodies[1] ?? '', /word for word:\\n\\nMy port is 9000\.\\n\\nSummary, written by a model:/);
    assert.doesNotMatch(bodies[1] ?? '', /Write down this conversation/);
  });

  it('7 reports a conversation that is too long for the model, sends it once, and keeps the tools', async () => {
    await stage.set('svc.tools.enabled', true);
    const offers = (): readonly boolean[] =>
      stage.service.chats.map(({ json }) => (json as { tools?: unknown }).tools !== undefined);
    // What a model reads is remembered, so each wording has a model of its own.
    const models = {
      openai: 'svc/auto',
      anthropic: 'svc/enterprise-coder-v1',
      tgi: 'svc/secure-partner-3-5-sonnet',
      unnumbered: 'svc/compliance-assistant',
    } as const;
    for (const contextWording of ['openai', 'anthropic', 'tgi', 'unnumbered'] as const) {
      await stage.set('svc.model.chat', models[contextWording]);
      stage.service.clear();
      stage.service.setScenario('context-limit', { contextTokens: 5000, contextWording, times: 1 });
      const asked = await ask(`Explain: ${'pay '.repeat(10_000)}`);
      assert.deepEqual([asked.error?.kind, asked.error?.code], ['request', 'context-length']);
      await ask('Hello');
      assert.deepEqual(offers(), [true, true]);
    }
  });

  it('continues with a conversation that is too long for the model', async () => {
    await stage.set('svc.context.onLimit', 'leaveOut');
    for (const contextWording of ['openai', 'unnumbered'] as const) {
      await vscode.commands.executeCommand('svc.newChat');
      await stage.set('svc.model.chat', contextWording === 'openai' ? 'svc/auto' : 'svc/compliance-assistant');
      stage.service.setScenario('big', { bigBytes: 3000 });
      for (const question of ['First', 'Second', 'Third']) await ask(`${question}?`);
      stage.service.clear();
      stage.service.setScenario('context-limit', { contextTokens: 2000, contextWording });
      const asked = await ask('And now?');
      assert.deepEqual([asked.status, stage.service.chats.length], ['complete', 2], contextWording);
      const [first = '', second = ''] = stage.service.chats.map(({ body }) => body);
      assert.ok(second.length < 0.8 * first.length);
      assert.match(second, /word for word:\\n\\nFirst\?/);
      // The model's window is known now.
      await ask('And then?');
      assert.equal(stage.service.chats.length, 3);
    }
  });

  it('7 reports a forbidden model as a permission error', async () => {
    await stage.set('svc.model.chat', 'svc/restricted');
    const asked = await ask('Hello');
    assert.equal(asked.error?.kind, 'permission');
    assert.equal(asked.error?.status, 403);
  });

  it('7 waits for a rate limit', async () => {
    stage.service.enqueue('rate-limit', 'normal');
    const asked = await ask('Hello');
    assert.equal(asked.status, 'complete');
    assert.equal(stage.service.chats.length, 2);
  });

  it('uses a key that was replaced during a session for the next request', async () => {
    await ask('With the old one');
    await storeKey(nextKey);
    await ask('With the new one');
    assert.deepEqual(
      stage.service.chats.map(({ headers: sent }) => sent.authorization),
      [`Bearer ${key}`, `Bearer ${nextKey}`],
    );
  });

  it('sends a conversation with its earlier turns', async () => {
    const first = await ask('One');
    await ask('Two');
    const body = stage.service.chats[1]?.json as { messages: unknown };
    assert.deepEqual(body.messages, [
      { role: 'user', content: `${houseRules}\n\nOne` },
      { role: 'assistant', content: first.answer },
      { role: 'user', content: 'Two' },
    ]);
  });

  it('sends the selection for explain, and answers in the panel', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: 'const a = 1;\nfunction add(a: number, b: number) {\n  return a + b;\n}\n',
    });
    const editor = await show(document);
    editor.selection = new vscode.Selection(1, 0, 4, 0);
    const asked = await vscode.commands.executeCommand<Asked>('svc.explainCode');
    assert.equal(asked.status, 'complete');
    assert.match(asked.answer ?? '', /add/);
    const body = stage.service.chats[0]?.json as { messages: { content: string }[] };
    assert.match(body.messages[0]?.content ?? '', /^Explain this code[\s\S]*function add/);
    assert.doesNotMatch(body.messages[0]?.content ?? '', /const a = 1/);
  });

  it('sends the imports and the function around a selection for explain, and names them', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder, 'around.ts');
    const text =
      "import { tax } from './tax';\n\nconst a = 1;\n\nfunction pay(sum: number) {\n  const all = tax(sum);\n  return all;\n}\n";
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    try {
      const editor = await show(uri);
      editor.selection = new vscode.Selection(5, 0, 6, 0);
      const parts = [
        'around.ts:6\n```typescript\n  const all = tax(sum);\n\n```',
        "around.ts:1\n```typescript\nimport { tax } from './tax';\n\n```",
        'around.ts:5\n```typescript\nfunction pay(sum: number) {\n\n```',
        'around.ts:7-8\n```typescript\n  return all;\n}\n\n```',
      ];
      await vscode.commands.executeCommand('svc.explainCode');
      const body = stage.service.chats[0]?.json as { messages: { content: string }[] };
      const sent = body.messages[0]?.content ?? '';
      assert.ok(sent.endsWith(`${aroundWords}\n\n${parts.join('\n\n')}`), sent);
      // The slash command, with the code in the editor, and with the selection attached.
      const range = new vscode.Range(editor.selection.start, editor.selection.end);
      const attached = [await attachRange(editor.document, range)];
      for (const read of [async () => [], async () => attached]) {
        const asked = await questionFrom('/explain', { attachments: { keys: [], read } });
        assert.deepEqual(
          asked.attachments.map(({ label }) => label),
          ['around.ts:6', 'around.ts:1', 'around.ts:5', 'around.ts:7-8'],
        );
        assert.ok(asked.command?.text.endsWith(aroundWords));
      }
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(uri);
    }
  });
});
