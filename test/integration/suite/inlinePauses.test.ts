import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { InlineCompletions } from '../../../src/features/inline/vscode/inlineCompletions.ts';
import { InlineCompletionStatus, resumeInlineCompletions } from '../../../src/features/inline/vscode/status.ts';
import { keepAnswerEnds, requireKnownEnd } from '../../../src/platform/messages/answerEnds.ts';
import { answering } from './dialogs.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { openStage, type Stage } from './stage.ts';

type Item = Pick<vscode.LanguageStatusItem, 'text' | 'detail' | 'command' | 'severity'>;

/** Keeps what is stored, unlike emptyMemento(). */
function memory(): Pick<vscode.Memento, 'get' | 'update'> {
  const values = new Map<string, unknown>();
  const get = (name: string, or?: unknown): unknown => values.get(name) ?? or;
  return { get: get as vscode.Memento['get'], update: async (name, value) => void values.set(name, value) };
}

/** Checks the language status item, for completions that are requested as VS Code requests them. */
describe('inline completions that are paused', () => {
  let stage: Stage;
  let parts: OwnParts;
  let completions: InlineCompletions;
  let status: InlineCompletionStatus;
  let item: Item;

  beforeEach(async () => {
    stage = await openStage();
    await stage.set('svc.inlineCompletions.enabled', true);
    parts = new OwnParts();
    const { dispatch, contextReader } = parts;
    const ignored = { onAccepted: async () => undefined, requireEnd: requireKnownEnd };
    keepAnswerEnds(memory());
    completions = new InlineCompletions({ dispatch, contextReader, ...ignored });
    // VS Code shows such an item, but does not expose its text to tests.
    const { createLanguageStatusItem } = vscode.languages;
    item = { text: '', detail: '', severity: vscode.LanguageStatusSeverity.Information, command: undefined };
    Object.assign(vscode.languages, { createLanguageStatusItem: () => Object.assign(item, { dispose() {} }) });
    status = new InlineCompletionStatus(completions);
    Object.assign(vscode.languages, { createLanguageStatusItem });
  });
  afterEach(async () => {
    status.dispose();
    completions.dispose();
    await parts.client.dispose();
    await stage.close();
  });

  async function open(content: string): Promise<vscode.TextDocument> {
    const document = await openUntitled(content, 'javascript');
    await show(document);
    return document;
  }
  const complete = async (document: vscode.TextDocument): Promise<number> => {
    const context = { triggerKind: vscode.InlineCompletionTriggerKind.Invoke } as vscode.InlineCompletionContext;
    const { token } = new vscode.CancellationTokenSource();
    const end = document.lineAt(document.lineCount - 1).range.end;
    return (await completions.provideInlineCompletionItems(document, end, context, token)).length;
  };

  it('a pause after an error in one document does not affect other documents, and Resume asks again', async () => {
    const first = await open('// first\nexport function factorial');
    stage.service.setScenario('too-large', { times: 1 });
    assert.equal(await complete(first), 0);
    assert.equal(item.text, 'Svc inline suggestions: paused in this file');
    assert.match(item.detail ?? '', /^The request is too large for the service\. Inline suggestions resume at \S/);
    assert.equal(await complete(first), 0);
    assert.equal(stage.service.chats.length, 1);
    const other = await open('// other\nexport function factorial');
    assert.equal(await complete(other), 1);
    await show(first);
    assert.deepEqual(item.command, { command: 'svc.resumeInlineCompletions', title: 'Resume' });
    assert.deepEqual(await resumeInlineCompletions(completions), { ok: true });
    assert.equal(item.text, 'Svc inline suggestions: on');
    assert.equal(await complete(first), 1);
  });

  it('Resume after an answer that may be incomplete asks whether such answers are used', async () => {
    const document = await open('// maybe\nexport function factorial');
    // Enough of an answer is enough: this one is short.
    stage.service.setScenario('no-reason');
    assert.equal(await complete(document), 0);
    assert.match(item.detail ?? '', /^The service did not report whether the answer is complete\./);
    const buttons = async (button?: string) =>
      (await answering(button, () => resumeInlineCompletions(completions))).map((asked) => asked.buttons);
    assert.deepEqual(await buttons(), [['Always Use Them']]);
    assert.notEqual(completions.pauseFor(document), null);
    assert.deepEqual(await buttons('Always Use Them'), [['Always Use Them']]);
    assert.equal(completions.pauseFor(document), null);
    assert.equal(await complete(document), 1);
  });

  it('an error of the service pauses completions in all documents, and the status shows when they resume', async () => {
    stage.service.setScenario('server-error', { times: 1 });
    const document = await open('// one\nexport function factorial');
    assert.equal(await complete(document), 0);
    assert.equal(item.text, 'Svc inline suggestions: paused');
    assert.equal(item.severity, vscode.LanguageStatusSeverity.Warning);
    const pause = completions.pauseFor(document);
    assert.ok(pause !== null && Number.isFinite(pause.until));
    const other = await open('// two\nexport function factorial');
    assert.equal(await complete(other), 0);
    assert.equal(stage.service.chats.length, 1);
    // Also available as a command, for a keybinding.
    assert.deepEqual(await vscode.commands.executeCommand('svc.resumeInlineCompletions'), { ok: true });
    completions.resume();
    assert.equal(await complete(other), 1);
  });
});
