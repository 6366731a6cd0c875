import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { Participant } from '../../../src/features/vscodeChat/vscode/participant/participant.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { openStage, type Stage } from './stage.ts';

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** VS Code lets only the user ask a participant: these tests call it as VS Code does, over a real connection. */
describe('the participant', () => {
  let stage: Stage;
  let parts: OwnParts;
  let participant: Participant;
  let shown: string;

  beforeEach(async () => {
    stage = await openStage();
    parts = new OwnParts();
    shown = '';
    const { dispatch, contextReader } = parts;
    participant = new Participant({
      dispatch,
      refusals: { note: async () => {} },
      contextReader,
      confirmSend: async () => 'send-masked',
    });
  });
  afterEach(async () => {
    await parts.client.dispose();
    await stage.close();
  });

  const answer = async (
    command: string | undefined,
    prompt: string,
    values: readonly unknown[] = [],
    { history = [], token }: { history?: vscode.ChatContext['history']; token?: vscode.CancellationToken } = {},
  ): Promise<vscode.ChatResult> => {
    const model = { vendor: 'svc', id: 'svc/secure-partner-3-5-sonnet' } as vscode.LanguageModelChat;
    const references = values.map((value, index) => ({ id: `reference-${index}`, value }));
    return participant.answer(
      { command, prompt, references, model },
      { history },
      {
        markdown: (text) => {
          shown += typeof text === 'string' ? text : text.value;
        },
        progress: () => undefined,
      },
      token ?? new vscode.CancellationTokenSource().token,
    );
  };
  const body = (index = 0): Body => stage.service.chats[index]?.json as Body;
  const untitled = (content: string): Thenable<vscode.TextDocument> => openUntitled(content, 'typescript');

  it('answers with the selected model, the headers of the settings and a line that states them', async () => {
    await stage.set('svc.compliance.securityLevel', 'high');
    const result = await answer(undefined, 'What can you do?');
    assert.equal(result.errorDetails, undefined);
    assert.equal(body().model, 'svc/secure-partner-3-5-sonnet');
    assert.equal(stage.service.chats[0]?.headers['svc-security-level'], 'high');
    assert.match(
      shown,
      /local service[\s\S]*\n\n---\n\n\*Svc · svc\/secure-partner-3-5-sonnet · high · (Confirmed|Not confirmed) by the service/,
    );
    assert.deepEqual(
      parts.audited.map((entry) => [entry.kind, 'action' in entry ? entry.action : '']),
      [
        ['request-intent', 'chat'],
        ['request-outcome', ''],
      ],
    );
  });

  it('ends an answer that is not complete with an error, below its text and its line', async () => {
    for (const [scenario, words] of [
      ['length', 'The answer reached the maximum length and was cut off'],
      ['network-error', 'The answer ended for another reason: network_error'],
      ['calls-missing', 'The answer announces a tool call, but contains none'],
    ] as const) {
      shown = '';
      stage.service.enqueue(scenario);
      const { errorDetails, metadata } = await answer(undefined, 'What can you do?');
      assert.equal(errorDetails?.message, words);
      assert.ok(shown.includes('local service') && metadata?.line !== undefined && shown.endsWith(metadata.line));
    }
    for (const [scenario, words] of [
      ['refuse-content', /The content filter of the service stopped the answer/],
      ['thinking-only', /The answer is empty/],
    ] as const) {
      stage.service.enqueue(scenario);
      assert.match((await answer(undefined, 'What can you do?')).errorDetails?.message ?? '', words);
    }
  });

  it('sends the request of /explain, /generate and /review, to the models that the settings name', async () => {
    const { uri } = await untitled('export function add(a: number, b: number) {\n  return a + b;\n}\n');
    const lines = new vscode.Location(uri, new vscode.Range(1, 0, 2, 0));
    await answer('explain', '', [lines]);
    await answer('generate', 'a function that adds two numbers');
    await answer('review', 'Mind the types.', [uri]);
    assert.match(body(0).messages[0]?.content ?? '', /^Explain this code[\s\S]*:2\n```typescript\n {2}return a \+ b;/);
    assert.match(body(1).messages[0]?.content ?? '', /^Write code[\s\S]*adds two numbers/);
    assert.match(body(2).messages[0]?.content ?? '', /^Review this code[\s\S]*Mind the types\.[\s\S]*function add/);
    assert.deepEqual(
      [0, 1, 2].map((index) => body(index).model),
      ['svc/auto', 'svc/enterprise-coder-v1', 'svc/compliance-assistant'],
    );
  });

  it('uses the code in the editor for /explain without an attachment', async () => {
    await show(await untitled('const only = 1;\n'));
    await answer('explain', '');
    assert.match(body().messages[0]?.content ?? '', /const only = 1;/);
  });

  it('stops for a file that may not be sent, and for an image', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const secret = vscode.Uri.joinPath(folder, '.env');
    await vscode.workspace.fs.writeFile(secret, Buffer.from('A=1\n'));
    const excluded = await answer(undefined, 'What is in it?', [secret]);
    assert.match(excluded.errorDetails?.message ?? '', /\.env is excluded/);
    const image = await answer(undefined, 'What is it?', [
      { mimeType: 'image/png', data: async () => new Uint8Array() },
    ]);
    assert.match(image.errorDetails?.message ?? '', /image/);
    assert.equal(stage.service.chats.length, 0);
    await vscode.workspace.fs.delete(secret);
  });

  it('continues a thread without earlier attachments that are unreadable now, and reports them', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const files = ['gone.ts', 'kept.ts', 'binary.bin', '.env', 'grown.ts'].map((name) =>
      vscode.Uri.joinPath(folder, name),
    );
    const [gone, kept, binary, excluded, grown] = files;
    assert.ok(gone && kept && binary && excluded && grown);
    await vscode.workspace.fs.writeFile(kept, Buffer.from('const kept = 1;\n'));
    await vscode.workspace.fs.writeFile(binary, new Uint8Array([0, 1, 2, 0, 255, 254]));
    await vscode.workspace.fs.writeFile(excluded, Buffer.from('A=1\n'));
    await vscode.workspace.fs.writeFile(grown, Buffer.alloc(1024 * 1024 + 1, 'x'));
    const image = { mimeType: 'image/png', data: async () => new Uint8Array() };
    const place = new vscode.Location(gone, new vscode.Range(1, 0, 2, 0));
    const references = [image, gone, place, kept, binary, excluded, grown].map((value, index) => ({
      id: `reference-${index}`,
      value,
    }));
    const question = { prompt: 'What are they?', command: undefined, references: references.toReversed() };
    const said = { response: [new vscode.ChatResponseMarkdownPart('Files.')], result: {} };
    const history = [
      Object.assign(Object.create(vscode.ChatRequestTurn.prototype), question),
      Object.assign(Object.create(vscode.ChatResponseTurn.prototype), said),
    ];
    const result = await answer(undefined, 'And now?', [], { history });
    assert.equal(result.errorDetails, undefined);
    assert.deepEqual(
      body().messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    assert.equal(
      body().messages[0]?.content,
      [
        'What are they?',
        '[left out: image]',
        '[left out: gone.ts]',
        '[left out: gone.ts]',
        'kept.ts\n```typescript\nconst kept = 1;\n\n```',
        '[left out: binary.bin]',
        '[left out: .env]',
        '[left out: grown.ts]',
      ].join('\n\n'),
    );
    // In the question itself, each of them stops it.
    for (const value of [image, gone, excluded]) {
      assert.notEqual((await answer(undefined, 'What is it?', [value])).errorDetails, undefined);
    }
    assert.equal(stage.service.chats.length, 1);
    for (const file of [kept, binary, excluded, grown]) await vscode.workspace.fs.delete(file);
  });

  it('is off if an administrator switched it off', async () => {
    parts.policy = { ...openPolicy, disabledFeatures: ['languageModel'] };
    const result = await answer(undefined, 'Hello');
    assert.match(result.errorDetails?.message ?? '', /administrator/);
    assert.equal(stage.service.chats.length, 0);
  });

  it('allows an administrator to switch off each of its commands', async () => {
    await show(await untitled('const only = 1;\n'));
    for (const feature of ['explain', 'generate', 'review'] as const) {
      parts.policy = { ...openPolicy, disabledFeatures: [feature] };
      const result = await answer(feature, 'this');
      assert.match(result.errorDetails?.message ?? '', /administrator/, feature);
    }
    assert.equal(stage.service.chats.length, 0);
    assert.equal((await answer(undefined, 'Hello')).errorDetails, undefined);
    assert.equal(stage.service.chats.length, 1);
  });

  it('closes the socket on a cancellation, and shows nothing', async () => {
    const held = stage.service.holdChunks();
    const source = new vscode.CancellationTokenSource();
    const asked = answer(undefined, 'What can you do?', [], { token: source.token });
    const request = await stage.service.waitFor(({ path }) => path.endsWith('/chat/completions'));
    source.cancel();
    assert.equal(await request.ended, 'cut');
    assert.deepEqual(await asked, {});
    held.release();
  });
});
