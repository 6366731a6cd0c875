import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { CurrentFile } from '../../../src/features/context/vscode/attachments/currentFile.ts';
import { NextAttachments } from '../../../src/features/context/vscode/attachments/nextAttachments.ts';
import { PendingAttachments } from '../../../src/features/context/vscode/attachments/pendingAttachments.ts';
import { fileSource } from '../../../src/features/context/vscode/fileSource.ts';
import { defaultLimits } from '../../../src/gate/limits.ts';
import type { SessionEvent } from '../../../src/session/sessionEvent.ts';
import { Emitter } from '../../../src/util/event.ts';
import { show } from './show.ts';
import { openStage, type Stage, until } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const at = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, 'front', name);
const put = (name: string, text: string): vscode.Uri => {
  const uri = at(name);
  mkdirSync(dirname(uri.fsPath), { recursive: true });
  writeFileSync(uri.fsPath, text);
  return uri;
};

/** The current file, of a session that a test changes. */
class Front {
  readonly events = new Emitter<SessionEvent>();
  readonly rules = new Emitter<void>();
  readonly session = { conversation: { id: 'a', createdAt: 0, turns: [] }, onDidChange: this.events.event };
  readonly #pending = { limits: () => defaultLimits, scanner: () => import('../../../src/gate/secrets/scanner.ts') };
  readonly attached = new PendingAttachments(this.#pending);
  readonly current = new CurrentFile({
    ...this.#pending,
    session: this.session,
    attached: this.attached,
    onDidChangeRules: (listener) => new vscode.Disposable(this.rules.event(listener).dispose),
    logger: { warn: (message) => assert.fail(message) },
  });
  readonly along = new NextAttachments(this.current, this.attached);

  async start(): Promise<void> {
    this.current.start();
    await this.current.look();
  }

  /** Waits until the chip has followed. */
  becomes(isSo: () => boolean): Promise<void> {
    return until(this.current.onDidChange, isSo);
  }

  get label(): string | undefined {
    return this.current.chip?.label;
  }

  /** Opens another conversation. */
  async open(id: string): Promise<void> {
    this.session.conversation = { ...this.session.conversation, id };
    this.events.fire({ type: 'conversation-changed' });
    await this.current.look();
  }

  async sent(): Promise<readonly string[]> {
    return (await this.along.read()).map(({ label, text }) => `${label} ${text}`);
  }

  dispose(): void {
    for (const one of [this.current, this.attached, this.events, this.rules]) one.dispose();
  }
}

describe('the current file', () => {
  let stage: Stage;
  let front: Front;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    front = new Front();
  });
  afterEach(async () => {
    front.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(at('').fsPath, { recursive: true, force: true });
  });

  it('is offered, and not sent before the user asks for that', async () => {
    await show(put('pay [ä].ts', 'const rate = 1;\nconst tax = 2;\n'));
    await front.start();
    assert.equal(front.label, 'pay [ä].ts');
    assert.match(front.current.chip?.offer ?? '', /^pay \[ä\]\.ts is not sent\./);
    assert.deepEqual([await front.sent(), front.along.keys, front.along.places], [[], [], []]);
  });

  it('follows the editor and its selection then, in this conversation alone', async () => {
    const editor = await show(put('pay.ts', 'const rate = 1;\nconst tax = 2;\n'));
    await front.start();
    await front.current.follow();
    assert.deepEqual(await front.sent(), ['front/pay.ts const rate = 1;\nconst tax = 2;\n']);
    assert.deepEqual(front.along.places, [folder.toString()]);
    assert.equal(front.along.content.length, 1);
    editor.selection = new vscode.Selection(1, 0, 1, 15);
    await front.becomes(() => front.label === 'front/pay.ts:2');
    assert.deepEqual(await front.sent(), ['front/pay.ts:2 const tax = 2;\n'.trimEnd()]);
    await show(put('tax.ts', 'export {};\n'));
    await front.becomes(() => front.label === 'front/tax.ts');
    assert.deepEqual(await front.sent(), ['front/tax.ts export {};\n']);

    await front.open('b');
    assert.equal(front.label, 'tax.ts');
    assert.deepEqual(await front.sent(), []);
    await front.open('a');
    assert.equal(front.label, 'front/tax.ts');
    assert.equal(front.current.leaveOut('another'), false);
    assert.equal(front.current.leaveOut(front.current.chip?.id ?? ''), true);
    assert.deepEqual([await front.sent(), front.label], [[], 'tax.ts']);
  });

  it('has the unsaved text, read when the question is sent', async () => {
    // A file of its own: VS Code restores the selection of one that was open before.
    const editor = await show(put('unsaved.ts', 'old\n'));
    await front.start();
    await front.current.follow();
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'new '));
    assert.deepEqual(await front.sent(), ['front/unsaved.ts new old\n']);
    await front.becomes(() => front.current.chip?.note?.includes('unsaved') === true);
    await vscode.commands.executeCommand('workbench.action.files.save');
  });

  it('says why a file is not sent: excluded, or outside of the workspace', async () => {
    await show(put('.env', 'TOKEN=abc\n'));
    await front.start();
    assert.match(front.current.chip?.warning ?? '', /^Excluded by a built-in rule.*It is not sent\.$/);
    await front.current.follow();
    assert.match(front.current.chip?.warning ?? '', /It is not sent\.$/);
    assert.equal(front.current.chip?.offer, undefined);
    assert.deepEqual(await front.sent(), []);
    await show(put('pay.ts', 'a\n'));
    await front.becomes(() => front.label === 'front/pay.ts');

    const outside = join(tmpdir(), `svc-outside-${process.pid}.ts`);
    writeFileSync(outside, 'outside\n');
    try {
      await show(vscode.Uri.file(outside));
      await front.becomes(() => front.current.chip?.warning !== undefined);
      assert.match(front.current.chip?.warning ?? '', /workspace/);
      assert.deepEqual(await front.sent(), []);
    } finally {
      rmSync(outside);
    }
  });

  it('is refused by name where a rule excludes it after its chip was shown', async () => {
    await show(put('pay.ts', 'a\n'));
    await front.start();
    await front.current.follow();
    put('.svcignore', 'pay.ts\n');
    const [attachment] = await front.along.read();
    assert.match(attachment?.refused ?? '', /\.svcignore/);
    assert.equal(attachment?.text, '');
    front.rules.fire();
    await front.becomes(() => front.along.keys.length === 0);
    assert.match(front.current.chip?.warning ?? '', /^Excluded by .*\.svcignore/);
    assert.deepEqual(await front.sent(), []);
  });

  it('is not sent twice where the user has attached it, and stays the same for a question that waits', async () => {
    const uri = put('pay.ts', 'a\n');
    await show(uri);
    await front.start();
    await front.current.follow();
    await front.attached.add(fileSource(uri));
    assert.deepEqual([front.current.chip, await front.sent()], [undefined, ['front/pay.ts a\n']]);
    front.attached.clear();
    await front.current.pin();
    assert.deepEqual(
      front.attached.chips.map(({ label }) => label),
      ['front/pay.ts'],
    );
  });

  it('is gone without an editor, even where it was sent', async () => {
    await show(put('pay.ts', 'a\n'));
    await front.start();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await front.becomes(() => front.current.chip === undefined);
    await front.current.follow();
    assert.deepEqual(await front.sent(), []);
  });
});
