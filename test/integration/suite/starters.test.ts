import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { StarterOffers } from '../../../src/features/chat/vscode/question/starters.ts';
import { whyFileExcluded } from '../../../src/platform/sources/ignored/exclusions.ts';
import type { NamedText } from '../../../src/protocol/starter.ts';
import { Session } from '../../../src/session/session.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { until } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const shown = ({ text, names }: NamedText): string => text.replace(/\{(\d)\}/g, (_, index) => names[index] ?? '');

describe('the questions that an empty panel offers', () => {
  const root = vscode.Uri.joinPath(folder, 'starters');
  let parts: OwnParts;
  let session: Session;
  let offers: StarterOffers;
  let fired: number;

  before(() => {
    mkdirSync(join(root.fsPath, 'sub'), { recursive: true });
    writeFileSync(join(root.fsPath, 'sub', 'pay.ts'), 'export const rate = 0.19;\nexport const tax = 7;\n');
    writeFileSync(join(root.fsPath, '.env'), 'TOKEN=abc\n');
    writeFileSync(join(root.fsPath, 'empty.ts'), '');
    writeFileSync(join(root.fsPath, 'big.txt'), 'x'.repeat(2_000_000));
  });
  after(() => rmSync(root.fsPath, { recursive: true }));
  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    parts = new OwnParts();
    session = new Session(parts.dispatch);
    offers = new StarterOffers(session, parts.contextReader);
    fired = 0;
    offers.onDidChange(() => {
      fired += 1;
    });
  });
  afterEach(async () => {
    offers.dispose();
    session.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const open = async (name: string): Promise<vscode.TextEditor> =>
    show(await vscode.workspace.openTextDocument(vscode.Uri.joinPath(root, ...name.split('/'))));
  const hintIs = (words: string): Promise<void> =>
    until(offers.onDidChange, () => shown(offers.shown.hint).includes(words));

  it('follow the editor and its selection, once it rests', async () => {
    const editor = await open('sub/pay.ts');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await hintIs('A suggestion sends starters/sub/pay.ts.');
    assert.deepEqual(
      offers.shown.items.map(({ label }) => shown(label)),
      ['Explain pay.ts', 'Write tests for pay.ts', 'Review pay.ts'],
    );
    const before = fired;
    for (const end of [1, 5, 9, 12, 24]) editor.selection = new vscode.Selection(0, 0, 0, end);
    await hintIs('starters/sub/pay.ts:1.');
    assert.equal(shown(offers.shown.items[0]?.label ?? assert.fail()), 'Explain the selection in pay.ts');
    assert.ok(fired - before <= 2, `${fired - before} events for five selections`);
    // A cursor that moves changes nothing.
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await hintIs('starters/sub/pay.ts.');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await hintIs('Open a file');
    assert.deepEqual(offers.shown.items, []);
  });

  it('send what they name, even if the editor changes before the click', async () => {
    const editor = await open('sub/pay.ts');
    editor.selection = new vscode.Selection(1, 0, 1, 20);
    await hintIs('pay.ts:2');
    const [{ id } = assert.fail()] = offers.shown.items;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await hintIs('Open a file');
    const offered = offers.find(id) ?? assert.fail();
    assert.equal(offered.text, '/explain');
    const [attachment] = (await offered.source.read()).attachments;
    assert.deepEqual([attachment?.label, attachment?.text], ['starters/sub/pay.ts:2', 'export const tax = 7']);
    assert.equal(offers.find('9.explain'), undefined);
  });

  it('are none for a file that is excluded, empty or too large', async () => {
    await open('.env');
    await hintIs('starters/.env is not sent: it is excluded by');
    assert.deepEqual(offers.shown.items, []);
    await open('big.txt');
    await hintIs('starters/big.txt is too large to send');
    await open('empty.ts');
    await hintIs('Open a file');
  });

  it('stay with the code while a proposal, a report or a review is in front', async () => {
    await open('sub/pay.ts');
    await hintIs('pay.ts');
    const hints: string[] = [];
    offers.onDidChange(() => hints.push(shown(offers.shown.hint)));
    for (const scheme of ['svc-proposal', 'svc-report', 'svc-review']) {
      const uri = vscode.Uri.joinPath(root, 'sub', `pay.ts.${scheme}`).with({ scheme, query: '1' });
      const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: () => 'text',
      });
      const editor = await show(await vscode.workspace.openTextDocument(uri));
      provider.dispose();
      assert.equal(vscode.window.activeTextEditor, editor);
      // What a panel offers that is opened now.
      const later = new StarterOffers(session, parts.contextReader);
      later.onDidChange(() => hints.push(shown(later.shown.hint)));
      await whyFileExcluded(uri.toString());
      assert.match(shown(later.shown.hint), /^Open a file with code/);
      later.dispose();
    }
    await open('empty.ts');
    await hintIs('Open a file');
    assert.deepEqual(hints, [shown(offers.shown.hint)]);
  });

  it('leave out what an administrator has disabled', async () => {
    parts.policy = { ...openPolicy, disabledFeatures: ['explain', 'generate'] };
    const editor = await open('sub/pay.ts');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await hintIs('pay.ts.');
    assert.deepEqual(
      offers.shown.items.map(({ label }) => shown(label)),
      ['Review pay.ts'],
    );
  });
});
