import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answering, stoppingEach } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, removeKey, type Stage, storeKey } from './stage.ts';

const run = <T = { readonly ok: boolean }>(command: string, options?: unknown): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, options);
const workspace = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');

/** The kinds of records that docs/audit.md promises. */
function promisedKinds(): readonly string[] {
  const { extensionPath } = vscode.extensions.getExtension('svc.svc-coder') ?? assert.fail();
  const [, table = ''] = readFileSync(join(extensionPath, 'docs/audit.md'), 'utf8').split(
    '| Event | When it is recorded |',
  );
  return [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, kind = '']) => kind);
}

describe('each kind of record that docs/audit.md promises', () => {
  let stage: Stage;
  let folder = '';
  before(async () => {
    stage = await openStageWithKey();
    folder = (await run<{ readonly folder: string }>('svc.auditLog.verify')).folder;
  });
  after(() => stage.close());

  const lines = (): readonly string[] =>
    readdirSync(folder)
      .filter((name) => /^\d.*\.jsonl$/.test(name))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1));

  const inFile = async (name: string, task: (path: string) => Promise<unknown>): Promise<void> => {
    const path = join(workspace(), name);
    try {
      await task(path);
    } finally {
      rmSync(path, { force: true });
    }
  };

  const ask = (prompt: string) => run('svc.openChat', { prompt });

  const askForTool = async (): Promise<void> => {
    await stage.set('svc.tools.enabled', true);
    // It is refused without a question, because the file is excluded.
    await inFile('.env', async (path) => {
      writeFileSync(path, 'TOKEN=x\n');
      await ask('Please read the file .env');
    });
  };

  const acceptCode = async (): Promise<void> => {
    await show(await vscode.workspace.openTextDocument({ language: 'typescript', content: '' }));
    assert.equal((await run('svc.generateCode', { instruction: 'a function' })).ok, true);
    await run('svc.acceptProposal');
  };

  const propose = async (): Promise<void> => {
    await stage.set('svc.tools.enabled', true);
    await stage.set('svc.changes.enabled', true);
    await run('svc.newChat');
    await run('svc.chooseMode', { mode: 'change' });
    stage.service.play(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'Please check it.' }
        : { calls: [{ name: 'write_file', input: { path: 'kinds.txt', content: 'new\n' } }] },
    );
    await ask('Write the file.');
    stage.service.clear();
    await run('svc.chooseMode', { mode: 'ask' });
  };
  const acceptChanges = async (): Promise<void> => {
    await propose();
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    rmSync(join(workspace(), 'kinds.txt'));
  };
  const rejectChanges = async (): Promise<void> => {
    await propose();
    assert.deepEqual(await run('svc.rejectChanges'), { ok: true });
  };
  const undoAccepted = async (): Promise<void> => {
    await propose();
    await run('svc.acceptChanges');
    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
  };

  const changePolicy = async (): Promise<void> => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    writeFileSync(file, JSON.stringify({ version: 1, requirePreview: false }));
    await run('svc.showPolicy');
    rmSync(file);
    await run('svc.showPolicy');
  };

  const refuse = async (): Promise<void> => {
    // The same refusal within a minute is only counted: no other test has both of these settings wrong.
    await stage.set('svc.compliance.securityLevel', 'unknown');
    await stage.set('svc.compliance.dataResidency', 'unknown');
    await show(await vscode.workspace.openTextDocument({ language: 'typescript', content: 'let a;' }));
    assert.equal((await run('svc.editCode', { instruction: 'sort it' })).ok, false);
    await stage.set('svc.compliance.securityLevel', undefined);
    await stage.set('svc.compliance.dataResidency', undefined);
  };

  const exportLog = (): Promise<void> =>
    inFile('log.jsonl', (path) => {
      const target = vscode.Uri.file(path).toString();
      return Promise.resolve(run('svc.auditLog.export', { format: 'jsonl', target }));
    });

  const renewKey = async (): Promise<void> => {
    await removeKey();
    await storeKey();
  };

  const produced: Readonly<Record<string, () => PromiseLike<unknown>>> = {
    'request-intent': () => ask('Hello'),
    'request-outcome': () => ask('Hello'),
    'tool-call': askForTool,
    'key-set': renewKey,
    'key-removed': renewKey,
    'policy-changed': changePolicy,
    'log-exported': exportLog,
    'log-verified': () => run('svc.auditLog.verify'),
    'code-accepted': acceptCode,
    'changes-accept': acceptChanges,
    'changes-written': acceptChanges,
    'changes-rejected': rejectChanges,
    'changes-undone': undoAccepted,
    refused: refuse,
    'data-purged': () => run('svc.purgeLocalData', {}),
    // A new log begins.
    'session-started': () => answering('Delete', () => run('svc.purgeLocalData', { audit: true })),
  };

  for (const [kind, produce] of Object.entries(produced)) {
    it(`is written by what it is about: ${kind}`, async () => {
      const before = new Set(lines());
      await produce();
      const fresh = lines().filter((line) => !before.has(line));
      const kinds = fresh.map((line) => (JSON.parse(line) as { readonly kind: string }).kind);
      assert.ok(kinds.includes(kind), kinds.join());
    });
  }

  it('says that the user stopped a question while it was prepared', async () => {
    await show(await vscode.workspace.openTextDocument({ language: 'typescript', content: 'let b;' }));
    const before = new Set(lines());
    const sent = stage.service.chats.length;
    await stoppingEach(async () => {
      const { ok } = await run('svc.editCode', { instruction: 'sort it' });
      assert.equal(ok, false);
    });
    const fresh = lines().filter((line) => !before.has(line));
    const records = fresh.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    assert.deepEqual(
      records.map(({ kind, reason, action, count }) => [kind, reason, action, count]),
      [['refused', 'stopped', 'generate', 1]],
    );
    assert.equal(stage.service.chats.length, sent, 'nothing is sent');
  });

  it('is one of these, and the reverse', () => {
    assert.deepEqual([...promisedKinds()].sort(), Object.keys(produced).sort());
  });
});
