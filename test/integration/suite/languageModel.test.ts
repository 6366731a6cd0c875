import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { chatRequest } from '../../../src/client/wireRequest.ts';
import { KnownModels } from '../../../src/features/vscodeChat/vscode/knownModels.ts';
import { LanguageModels } from '../../../src/features/vscodeChat/vscode/languageModels.ts';
import { askConfirmation } from '../../../src/platform/confirm/confirmSend.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { emptyMemento, OwnParts } from './ownParts.ts';
import { openStage, type Stage, storeKey } from './stage.ts';

interface AuditLine {
  readonly kind: string;
  readonly action?: string;
  readonly model?: string;
  readonly request?: string;
}

interface Body {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly tool_calls?: readonly { readonly id: string }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly unknown[];
  readonly tool_choice?: string;
}

const readFile: vscode.LanguageModelChatTool = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { filePath: { type: 'string' } }, required: ['filePath'] },
};

/** A PNG of one pixel: VS Code decodes an image before it passes it on. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');

const { User, Assistant } = vscode.LanguageModelChatMessage;

/**
 * VS Code before 1.127 does not report a cancellation to a provider once the request has begun
 * (microsoft/vscode#277872).
 */
const cancels = Number(vscode.version.split('.')[1]) >= 127;

/** Uses models as extensions do: only through vscode.lm. */
describe('language models', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    await storeKey();
  });
  afterEach(() => stage.close());

  const bodies = (): readonly Body[] => stage.service.chats.map(({ json }) => json as Body);

  const model = async (id = 'svc/auto'): Promise<vscode.LanguageModelChat> => {
    const [found] = await vscode.lm.selectChatModels({ vendor: 'svc', id });
    assert.ok(found, `no model ${id}`);
    return found;
  };

  const ask = async (
    messages: vscode.LanguageModelChatMessage[],
    options: vscode.LanguageModelChatRequestOptions = {},
    token?: vscode.CancellationToken,
  ): Promise<unknown[]> => {
    const { stream } = await (await model()).sendRequest(messages, options, token);
    const parts: unknown[] = [];
    for await (const part of stream) parts.push(part);
    return parts;
  };

  const textOf = (parts: readonly unknown[]): string =>
    parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');

  const failure = async (work: Promise<unknown>): Promise<Error & { readonly code?: string }> => {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof Error, String(error));
      return error;
    }
    return assert.fail('nothing was thrown');
  };

  it('receive a system message as such', async () => {
    const system = new vscode.LanguageModelChatMessage(3 as vscode.LanguageModelChatMessageRole, 'Be brief.');
    await ask([system, User('What can you do?')]);
    assert.deepEqual(bodies()[0]?.messages, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What can you do?' },
    ]);
  });

  it('leave an intent and an outcome in the audit log for each request, without content', async () => {
    await stage.set('svc.compliance.audit', true);
    await ask([User('Is this a most peculiar question?')]);
    const target = vscode.Uri.file(join(folder(), 'models-audit.jsonl'));
    await vscode.commands.executeCommand('svc.auditLog.export', { format: 'jsonl', target: target.toString() });
    const text = readFileSync(target.fsPath, 'utf8');
    rmSync(target.fsPath);
    assert.ok(!text.includes('peculiar'));
    const records: AuditLine[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const intent = records.findLast(({ kind }) => kind === 'request-intent');
    const outcome = records.findLast(({ kind }) => kind === 'request-outcome');
    assert.deepEqual([intent?.action, intent?.model], ['languageModel', 'svc/auto']);
    assert.equal(outcome?.request, intent?.request ?? '');
  });

  it('4.5 answer with text, and the request has the Svc headers, and no fields of the caller but the document’s', async () => {
    await stage.set('svc.compliance.securityLevel', 'maximum');
    await stage.set('svc.compliance.zeroRetention', true);
    const parts = await ask([User('What can you do?')], { modelOptions: { temperature: 0.5, top_p: 1, _x: 'y' } });
    assert.match(textOf(parts), /local service/);
    const [request] = stage.service.chats;
    assert.equal(request?.headers['svc-security-level'], 'maximum');
    assert.equal(request?.headers['svc-zero-retention'], 'true');
    assert.deepEqual(Object.keys(bodies()[0] ?? {}), ['model', 'messages', 'stream', 'stream_options', 'temperature']);
  });

  it('call a tool, and answer with its result', async () => {
    const first = await ask([User('Please read the file src/pay.ts')], { tools: [readFile] });
    const [call] = first;
    assert.ok(call instanceof vscode.LanguageModelToolCallPart);
    assert.deepEqual([call.name, call.input], ['read_file', { filePath: 'src/pay.ts' }]);
    const result = new vscode.LanguageModelToolResultPart(call.callId, [
      new vscode.LanguageModelTextPart('const paid = true;'),
    ]);
    const second = await ask([User('Please read the file src/pay.ts'), Assistant([call]), User([result])], {
      tools: [readFile],
      toolMode: vscode.LanguageModelChatToolMode.Auto,
    });
    assert.match(textOf(second), /const paid = true;/);
    const sent = bodies()[1];
    assert.deepEqual(
      sent?.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.equal(sent?.messages[2]?.tool_call_id, sent?.messages[1]?.tool_calls?.[0]?.id);
    assert.equal(sent?.tool_choice, 'auto');
  });

  it('report a call with broken or endless input or for an unknown tool as an error, and run no tool', async () => {
    for (const scenario of ['tool-malformed', 'tool-oversized', 'tool-unknown'] as const) {
      stage.service.enqueue(scenario);
      const error = await failure(ask([User('Please read the file src/pay.ts')], { tools: [readFile] }));
      assert.match(error.message, /contains an invalid tool call/, scenario);
    }
    assert.equal(stage.service.chats.length, 3);
  });

  it('close the socket on a cancellation', async () => {
    const parts = new OwnParts();
    const { dispatch, contextReader, keys, client } = parts;
    const known = new KnownModels(emptyMemento(), parts.keySources, contextReader);
    const models = new LanguageModels({
      ...{ dispatch, contextReader, keys, known },
      confirmSend: async () => 'send-masked',
      client: async () => client,
    });
    const held = stage.service.holdChunks();
    const source = new vscode.CancellationTokenSource();
    const options = { toolMode: vscode.LanguageModelChatToolMode.Auto };
    const asked = models.respond('svc/auto', [User('What?')], options, { report() {} }, source.token);
    const request = await stage.service.waitFor(({ path }) => path.endsWith('/chat/completions'));
    source.cancel();
    await assert.rejects(asked, vscode.CancellationError);
    assert.equal(await request.ended, 'cut');
    held.release();
    known.dispose();
    await client.dispose();
  });

  it('receive a cancellation from VS Code where it reports one to a provider', async () => {
    const held = stage.service.holdChunks();
    const source = new vscode.CancellationTokenSource();
    // Versions of VS Code differ in whether the caller is notified; what counts is that we stop.
    void ask([User('What can you do?')], {}, source.token).catch(() => undefined);
    const request = await stage.service.waitFor(({ path }) => path.endsWith('/chat/completions'));
    source.cancel();
    if (!cancels) held.release();
    assert.equal(await request.ended, cancels ? 'cut' : 'finished');
    held.release();
  });

  it('report errors with VS Code’s type and our message, never the service’s', async () => {
    stage.service.enqueue('unauthorized', 'forbidden', 'quota');
    const [auth, forbidden, quota] = [
      await failure(ask([User('1')])),
      await failure(ask([User('2')])),
      await failure(ask([User('3')])),
    ];
    assert.deepEqual([auth.code, forbidden.code, quota.code], ['NoPermissions', 'NoPermissions', 'Blocked']);
    assert.match(auth.message, /API key was not accepted/);
    assert.match(forbidden.message, /svc\/auto/);
  });

  it('report an answer that is not complete as an error', async () => {
    for (const [scenario, words] of [
      ['length', /reached the maximum length/],
      ['refuse-content', /content filter/],
      ['network-error', /ended for another reason: network_error/],
      ['calls-missing', /announces a tool call, but contains none/],
      ['thinking-only', /answer is empty/],
    ] as const) {
      stage.service.enqueue(scenario);
      assert.match((await failure(ask([User('What can you do?')]))).message, words, scenario);
    }
    stage.service.enqueue('no-reason');
    assert.ok((await ask([User('What can you do?')])).length > 0);
  });

  it('ask about a secret first, and mask one in the definitions of tools without asking', async () => {
    const secret = 'svc_ent_0123456789abcdef0123';
    const tools = [{ ...readFile, description: `Reads a file with ${secret}.` }];
    const asked = ask([User(`Is ${secret} mine?`)], { tools });
    while (stage.service.chats.length === 0) {
      // Send Masked is the first item; if no prompt is open yet, this does nothing.
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    }
    await asked;
    assert.equal(stage.service.chats.length, 1);
    assert.ok(!stage.service.chats[0]?.body.includes(secret));
    assert.equal(stage.service.chats[0]?.body.split('[masked: ').length, 3);
  });

  it('ask no longer once the request is cancelled, even if that was before the question', async () => {
    const confirm = askConfirmation(undefined as never);
    const policy = resolvePolicy([]);
    assert.ok(policy.ok);
    const about = { baseUrl: stage.service.baseUrl, userAgent: 'svc-coder/test', policy: policy.policy };
    const asking = { model: 'svc/auto', messages: [], maxTokens: null, temperature: null, stream: true };
    const recognition = { is: 'complete', files: 0, recognized: 0, others: 0, words: '' } as const;
    const nothing = {
      headers: [],
      files: [],
      masked: [],
      unmasked: [],
      parts: [],
      excluded: [],
      leftOut: [],
      recognition,
    };
    const preview = { request: chatRequest(about, asking), model: 'svc/auto', ...nothing };
    const request = { preview, found: [{ rule: 'svc-key', where: null, line: 1 }], leftOutOfMessage: [] };
    assert.equal(await confirm(request, AbortSignal.abort()), 'cancel');
    const controller = new AbortController();
    const asked = confirm(request, controller.signal);
    controller.abort();
    assert.equal(await asked, 'cancel');
  });

  it('refuse an image before anything is sent', async () => {
    const image = vscode.LanguageModelDataPart.image(Buffer.from(pixel, 'base64'), 'image/png');
    const error = await failure(ask([User([new vscode.LanguageModelTextPart('What is it?'), image])]));
    assert.match(error.message, /image/);
    assert.equal(stage.service.chats.length, 0);
  });

  it('are blocked by a broken setting of the workspace, like the panel', async () => {
    await stage.set('svc.compliance.securityLevel', 'utmost', vscode.ConfigurationTarget.Workspace);
    const error = await failure(ask([User('Hello')]));
    assert.equal(error.code, 'Blocked');
    assert.match(error.message, /svc\.compliance\.securityLevel/);
    assert.equal(stage.service.chats.length, 0);
  });

  it('estimate tokens without a request', async () => {
    const found = await model();
    const before = stage.service.seenSockets;
    assert.equal(await found.countTokens('abcdefgh'), 3);
    assert.equal(await found.countTokens(User('abcdefgh')), 7);
    assert.equal(stage.service.seenSockets, before);
  });
});
