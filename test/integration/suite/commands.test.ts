import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type CommandName, commands, runCommand } from '../../../src/commands.ts';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { answering, errorsShown, inRestrictedMode } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

interface Result {
  readonly ok: boolean;
  readonly status?: string;
  readonly error?: { readonly kind: string; readonly code?: string; readonly reason?: string };
}

const run = (command: string, ...args: unknown[]): Thenable<Result> =>
  vscode.commands.executeCommand<Result>(command, ...args);
const workspace = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const taking = (Object.keys(commands) as CommandName[]).filter((name) => commands[name].schemas.length > 0);

/** Called as by another extension. */
describe('commands called by others', () => {
  let stage: Stage;
  let outside: string;
  beforeEach(async () => {
    stage = await openStageWithKey();
    await run('svc.newChat');
    stage.service.clear();
    outside = mkdtempSync(join(tmpdir(), 'svc-outside-'));
    writeFileSync(join(outside, 'a.ts'), 'const outside = 1;\n');
  });
  afterEach(async () => {
    rmSync(outside, { recursive: true });
    await stage.close();
  });

  it('return an error that explains a wrong argument, and do nothing', async () => {
    const thrower = (): never => {
      throw new Error('not for others');
    };
    for (const name of taking) {
      for (const wrong of [7, new Proxy({}, { get: thrower, ownKeys: thrower, getPrototypeOf: thrower })]) {
        const { ok, error } = await run(name, wrong);
        assert.equal(ok, false, name);
        assert.deepEqual([error?.kind, error?.code], ['request', 'wrong-argument'], name);
        assert.match(error?.reason ?? '', /^argument 1 /, name);
      }
    }
    for (const name of ['svc.attach', 'svc.editCode', 'svc.explainCode', 'svc.reviewFile', 'svc.acceptProposal']) {
      assert.equal((await run(name, 'no address')).error?.code, 'wrong-argument', name);
    }
    assert.equal((await run('svc.exportConversation', { format: 'json', target: 'git:/a' })).ok, false);
    assert.equal(stage.service.chats.length, 0);
  });

  it('show the accessibility help, with each key of package.json and the title of its command', async () => {
    assert.equal((await run('svc.showAccessibilityHelp')).ok, true);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'svc-report');
    assert.match(text, /^ {2}Ctrl\+K J \(macOS: Cmd\+K J\): Open Chat$/m);
    assert.match(text, /^ {2}Alt\+F1: Show Accessibility Help$/m);
    const { keybindings } = vscode.extensions.getExtension('svc.svc-coder')?.packageJSON.contributes ?? {};
    const heading = text.split('\n').indexOf('Keys of commands');
    const listed = text.split('\n').slice(heading + 1, heading + 1 + keybindings.length);
    assert.ok(keybindings.length > 5 && listed.every((line) => /^ {2}\S.*: \S/.test(line)), listed.join('\n'));
    assert.doesNotMatch(text, /%|undefined/);
    assert.equal(stage.service.chats.length, 0);
  });

  it('refuse a file outside the workspace, also behind a link, and one that does not exist', async () => {
    const link = join(workspace(), 'linked.ts');
    symlinkSync(join(outside, 'a.ts'), link);
    try {
      const named = [vscode.Uri.file(join(outside, 'a.ts')), vscode.Uri.file(link), vscode.Uri.parse('git:/a.ts?x')];
      for (const uri of named) {
        for (const name of [
          'svc.explainCode',
          'svc.generateCode',
          'svc.reviewFile',
          'svc.editCode',
          'svc.fixProblems',
        ]) {
          assert.equal((await run(name, uri)).error?.code, 'outside-workspace', `${name} ${uri}`);
        }
        for (const name of ['svc.editCode', 'svc.fixProblems', 'svc.documentCode', 'svc.generateTests']) {
          const { error } = await run(name, { uri: uri.toString(), instruction: 'x' });
          assert.equal(error?.code, 'outside-workspace', `${name} ${uri}`);
        }
      }
      const gone = vscode.Uri.file(join(workspace(), 'gone.ts'));
      assert.equal((await run('svc.editCode', { uri: gone, instruction: 'x' })).error?.code, 'gone');
      assert.equal(stage.service.chats.length, 0);
    } finally {
      rmSync(link);
    }
  });

  it('accept a file of the workspace, and the one in the active editor as a menu passes it', async () => {
    const file = join(workspace(), 'inside.ts');
    writeFileSync(file, 'const inside = 1;\n');
    try {
      assert.equal((await run('svc.explainCode', vscode.Uri.file(file))).status, 'complete');
      const isInFront = (): boolean => vscode.window.activeTextEditor?.document.uri.fsPath === file;
      await until(vscode.window.onDidChangeActiveTextEditor, isInFront);
      const document = await openUntitled('const untitled = 1;\n', 'plaintext');
      await show(document);
      assert.equal((await run('svc.explainCode', document.uri)).status, 'complete');
      const sent = stage.service.chats.map(({ json }) => JSON.stringify(json));
      assert.match(sent[0] ?? '', /const inside = 1;/);
      assert.match(sent[1] ?? '', /const untitled = 1;/);
    } finally {
      rmSync(file);
    }
  });

  it('are refused in Restricted Mode, if they need trust, before the user is asked anything', async () => {
    const trusted = (Object.keys(commands) as CommandName[]).filter((name) => commands[name].trust !== undefined);
    assert.ok(trusted.length > 3);
    await inRestrictedMode(async () => {
      for (const name of trusted) assert.equal((await run(name)).error?.code, 'untrusted', name);
    });
  });

  it('overwrite no file without the user’s consent, in any export', async () => {
    await run('svc.openChat', { prompt: 'Hello' });
    const file = join(outside, 'there.txt');
    const target = vscode.Uri.file(file).toString();
    for (const [name, format] of [
      ['svc.exportConversation', 'markdown'],
      ['svc.auditLog.export', 'csv'],
    ] as const) {
      writeFileSync(file, 'precious');
      const refused = await answering(undefined, () => run(name, { format, target }));
      assert.deepEqual(
        refused.map(({ buttons }) => buttons),
        [['Overwrite']],
        name,
      );
      assert.ok(refused[0]?.message.includes(file));
      assert.equal(readFileSync(file, 'utf8'), 'precious');
      await answering('Overwrite', () => run(name, { format, target }));
      assert.notEqual(readFileSync(file, 'utf8'), 'precious', name);
    }
    const folder = vscode.Uri.file(outside).toString();
    let result: Result | undefined;
    await answering('Overwrite', async () => {
      result = await run('svc.exportConversation', { format: 'json', target: folder });
    });
    assert.deepEqual([result?.ok, result?.error?.code], [false, 'not-exported']);
  });

  it('remove no audit log without the user’s consent', async () => {
    await run('svc.openChat', { prompt: 'Hello' });
    let result: unknown;
    const asked = await answering(undefined, async () => {
      result = await run('svc.purgeLocalData', { audit: true, keys: true });
    });
    const [{ message, detail = '', buttons } = {}] = asked;
    assert.deepEqual([asked.length, message, buttons], [1, 'Delete your local data of Svc Coder?', ['Delete']]);
    // Whose data, and how much of each kind.
    assert.match(
      detail,
      /^Conversations in all workspaces, with the draft of this window: [1-9]\d*\nAPI keys: [1-9]\d*\n/,
    );
    assert.match(detail, /\nAudit log files of all windows: [1-9]\d*\nOnly data of your user account on this machine /);
    assert.deepEqual(result, { ok: false, conversations: 0, keys: 0, auditFiles: 0 });
    assert.equal((await run('svc.openChat', { prompt: 'Still there?' })).status, 'complete');
  });

  it('return an error of our own as one, with a message that quotes nothing', async () => {
    const logged: string[] = [];
    const failing = async (error: Error): Promise<Result> => {
      const services = {
        log: { error: (line: string) => logged.push(line), show: () => Promise.reject(error) },
        messages: { dismiss: () => undefined },
      };
      return (await runCommand(services as never, 'svc.showLog', [])) as Result;
    };
    const shown = await errorsShown(async () => {
      const result = await failing(new TypeError('quoted'));
      assert.deepEqual([result.ok, result.error?.kind, result.error?.code], [false, 'internal', 'internal']);
      assert.equal((await failing(new vscode.CancellationError())).error?.kind, 'aborted');
    });
    assert.deepEqual(
      shown.map(({ message }) => [/Svc Coder failed/.test(message), /TypeError/.test(message), /quoted/.test(message)]),
      [[true, true, false]],
    );
    assert.match(logged.join(), /^Unexpected TypeError\.\n\s+at /);
    assert.doesNotMatch(logged.join(), /quoted/);
  });

  it('never return a key', async () => {
    const { key } = await import('./stage.ts');
    for (const name of ['svc.checkHealth', 'svc.validateToken', 'svc.diagnoseConnection', 'svc.auditLog.verify']) {
      assert.ok(!JSON.stringify(await run(name)).includes(key), name);
    }
  });
});
