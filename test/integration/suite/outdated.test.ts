import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { attachFile, attachWhole } from '../../../src/platform/sources/attach.ts';
import { outdatedAttachments } from '../../../src/platform/sources/outdated.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import { show } from './show.ts';
import { openStageWithKey } from './stage.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const folder = vscode.Uri.joinPath(root, 'outdated');
const uriOf = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);

/** Each name is used once: VS Code caches the text of a closed file. */
const put = (name: string, text: string): vscode.Uri => {
  const uri = uriOf(name);
  writeFileSync(uri.fsPath, text);
  return uri;
};
/** Changes a file as the user does, without saving it. */
const type = async (uri: vscode.Uri, at: vscode.Position, text: string): Promise<void> => {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, at, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
};
const lines = (first: number, last: number) => () => new vscode.Range(first - 1, 0, last, 0);

describe('attachments of earlier questions', () => {
  before(() => mkdirSync(folder.fsPath));
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  after(() => rmSync(folder.fsPath, { recursive: true }));

  const text = 'one\ntwo\nthree\nfour\n';

  it('are out of date if their text is no longer in the file, also in an editor that is not saved', async () => {
    const uri = put('lines.txt', text);
    await show(uri, { preview: false });
    const whole = await attachWhole(uri);
    const part = await attachFile(uri, lines(2, 3));
    assert.deepEqual(await outdatedAttachments([whole, part]), []);
    // Above the lines: they are still there.
    await type(uri, new vscode.Position(0, 0), 'zero\n');
    assert.deepEqual(await outdatedAttachments([whole, part]), ['outdated/lines.txt']);
    await type(uri, new vscode.Position(2, 0), '2.5\n');
    assert.deepEqual(await outdatedAttachments([whole, part]), ['outdated/lines.txt']);
    await type(uri, new vscode.Position(4, 0), '3.5\n');
    assert.deepEqual(await outdatedAttachments([whole, part]), ['outdated/lines.txt', 'outdated/lines.txt:2-3']);
  });

  it('are out of date if the file is gone, but not if only line endings, masked secrets, or texts about a file differ', async () => {
    const uri = put('ends.txt', text);
    const whole = await attachWhole(uri);
    const as = (change: Partial<Record<keyof Attachment, string>>): Attachment =>
      ({ ...whole, ...change }) as unknown as Attachment;
    assert.deepEqual(
      await outdatedAttachments([
        as({ text: text.replaceAll('\n', '\r\n') }),
        as({ text: 'one [masked: jwt k3f9q]' }),
        as({ text: 'outdated/ends.txt:1:1 error: no', label: 'problems in outdated/ends.txt' }),
        as({ text: 'ls', label: 'bash', uri: 'untitled:terminal' }),
        as({ text: 'x', uri: '1 :// no URI' }),
        as({ text: 'x', label: '/elsewhere/a.txt', uri: 'file:///elsewhere/a.txt' }),
        as({ text: 'x', label: '/a.txt', uri: 'vscode-vfs://host/a.txt' }),
      ]),
      [],
    );
    rmSync(uri.fsPath);
    assert.deepEqual(await outdatedAttachments([whole]), ['outdated/ends.txt']);
  });

  it('an attached notebook is compared by its cells', async () => {
    const cells = (source: string): string =>
      JSON.stringify({ cells: [{ cell_type: 'code', source, outputs: [], metadata: {} }], metadata: {}, nbformat: 4 });
    const whole = await attachWhole(put('a.ipynb', cells('a = 1')));
    assert.deepEqual(await outdatedAttachments([whole]), []);
    const other = await attachWhole(put('b.ipynb', cells('a = 2')));
    const { label, uri } = whole;
    assert.deepEqual(await outdatedAttachments([{ ...other, label, uri }]), ['outdated/a.ipynb']);
  });

  it('are not compared if the file may not be sent now', async () => {
    const uri = put('private.txt', text);
    const whole = await attachWhole(uri);
    writeFileSync(join(folder.fsPath, '.svcignore'), 'private.txt\n');
    await show(uri, { preview: false });
    await type(uri, new vscode.Position(0, 0), 'zero\n');
    assert.deepEqual(await outdatedAttachments([whole]), []);
  });

  it('are named in the next request once their file has changed', async () => {
    const stage = await openStageWithKey();
    try {
      await vscode.commands.executeCommand('svc.newChat');
      const uri = put('asked.txt', text);
      await show(uri, { preview: false });
      const ask = (prompt: string): Thenable<unknown> => vscode.commands.executeCommand('svc.openChat', { prompt });
      const last = (): string | undefined =>
        (stage.service.chats.at(-1)?.json as { messages: { content: string }[] } | undefined)?.messages.at(-1)?.content;
      await vscode.commands.executeCommand('svc.explainCode');
      assert.ok(stage.service.chats[0]?.body.includes('three'));
      await ask('And that?');
      assert.equal(last(), 'And that?');
      await type(uri, new vscode.Position(1, 0), '1.5\n');
      await ask('And now?');
      assert.equal(last(), 'And now?\n\nChanged or removed since they were attached above: outdated/asked.txt.');
    } finally {
      await stage.close();
    }
  });
});
