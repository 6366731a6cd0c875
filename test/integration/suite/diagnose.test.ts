import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { key, openStageWithKey, removeKey, type Stage, until } from './stage.ts';

interface Result {
  readonly ok: boolean;
  readonly cause?: string;
  readonly steps?: readonly { readonly step: string; readonly ok: boolean }[];
  readonly error?: { readonly kind: string; readonly code?: string };
}

const diagnose = (): Thenable<Result> => vscode.commands.executeCommand('svc.diagnoseConnection');

/** The report, once its rendered page is in front and it has this text: a page that is open gets a new one. */
async function shown(text: RegExp): Promise<vscode.TextDocument> {
  const { tabGroups } = vscode.window;
  const isInFront = (): boolean => {
    const input = tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview');
  };
  await until(tabGroups.onDidChangeTabs, isInFront);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('svc-report:/Connection Report.md'));
  await until(vscode.workspace.onDidChangeTextDocument, () => text.test(document.getText()));
  return document;
}

describe('diagnose', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStageWithKey();
  });
  afterEach(() => stage.close());

  it('opens a report with each step, the headers and versions, and no key, read-only and not on the disk', async () => {
    await stage.set('svc.compliance.securityLevel', 'maximum');
    const result = await diagnose();
    assert.deepEqual([result.ok, result.cause], [true, 'none']);
    assert.deepEqual(
      result.steps?.map(({ step, ok }) => [step, ok]),
      ['route', 'names', 'connection', 'health', 'token', 'models', 'clock'].map((step) => [step, true]),
    );
    const document = await shown(/Most likely cause:\*\* None\. /);
    assert.deepEqual([document.languageId, document.isDirty, document.isUntitled], ['markdown', false, false]);
    assert.notEqual(vscode.workspace.fs.isWritableFileSystem('svc-report'), true);
    const text = document.getText();
    for (const part of ['### Route', '### DNS', '### Connection', '### /health', '### /auth/token', '### /models']) {
      assert.ok(text.includes(part), part);
    }
    assert.match(text, /Most likely cause:\*\* None\. /);
    assert.match(text, /\| Svc-Security-Level \| `maximum` \| user \|/);
    assert.match(text, /\| Authorization \| `Bearer <stored key>` \|/);
    assert.ok(text.includes(vscode.version));
    for (const unwanted of [key, homedir()]) {
      assert.ok(!text.includes(unwanted) && !JSON.stringify(result).includes(unwanted));
    }
  });

  it('replaces the home folder in a setting with ~', async () => {
    await stage.set('svc.baseUrl', 'https://127.0.0.1:9/api/v1');
    await stage.set('svc.network.caFile', `${homedir()}/no-such-authority.pem`);
    assert.equal((await diagnose()).cause, 'certificate-file');
    await shown(/- file: `~\/no-such-authority\.pem`/);
  });

  it('reports a missing key, in the page that is already open', async () => {
    await diagnose();
    await shown(/Most likely cause:\*\* None\. /);
    await removeKey();
    assert.equal((await diagnose()).cause, 'key-missing');
    await shown(/No API key is stored/);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
  });

  it('reports that a closed service cannot be reached', async () => {
    await stage.service.close();
    const result = await diagnose();
    assert.deepEqual([result.ok, result.cause], [false, 'refused']);
    await shown(/Most likely cause:\*\* 127\.0\.0\.1:\d+ refused the connection/);
  });

  it('fails without an address like other commands', async () => {
    await stage.set('svc.baseUrl', undefined);
    const { ok, error } = await diagnose();
    assert.deepEqual([ok, error?.code], [false, 'no-base-url']);
  });
});
