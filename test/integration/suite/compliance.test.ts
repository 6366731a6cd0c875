import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { startCollector } from './collector.ts';
import { answering, entering, errorsShown, inRestrictedMode } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, removeKey, type Stage, storeKey } from './stage.ts';

interface Result {
  readonly ok: boolean;
  readonly status?: string;
  readonly answer?: string;
  readonly error?: { readonly kind: string; readonly code?: string };
}

interface Verdict {
  readonly ok: boolean;
  readonly folder: string;
  readonly records: number;
  readonly breaks: readonly { readonly file: string; readonly line: number; readonly reason: string }[];
}

const ask = (prompt: string): Thenable<Result> => vscode.commands.executeCommand('svc.openChat', { prompt });
const run = <T = Result>(command: string, options?: unknown): Thenable<T> =>
  vscode.commands.executeCommand(command, options);
const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');

describe('compliance', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStageWithKey();
    await run('svc.newChat');
    stage.service.clear();
  });
  afterEach(() => stage.close());

  describe('daily limits, identity and instructions of the managed policy', () => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    const rules = join(dirname(file), 'rules.md');
    afterEach(async () => {
      rmSync(file, { force: true });
      rmSync(rules, { force: true });
      await run('svc.showPolicy');
    });

    const put = async (policy: object): Promise<string> => {
      writeFileSync(file, JSON.stringify({ version: 1, ...policy }));
      return (await run<{ state: string }>('svc.showPolicy')).state;
    };
    /** The lines of the log of this machine. */
    const lines = async (): Promise<readonly string[]> => {
      const { folder: audit } = await run<Verdict>('svc.auditLog.verify');
      const names = readdirSync(audit).filter((name) => /^\d{8}T.*\.jsonl$/.test(name));
      return names.flatMap((name) => readFileSync(join(audit, name), 'utf8').split('\n'));
    };

    it('send up to the limit, and then nothing, until the limit is gone', async () => {
      assert.equal(await put({ limits: { requestsPerDay: 100_000, tokensPerDay: 100_000_000 } }), 'in-force');
      assert.equal((await ask('Hello')).status, 'complete');
      for (const limits of [{ requestsPerDay: 1 }, { tokensPerDay: 1 }]) {
        await put({ limits });
        const { error } = await ask('Hello');
        assert.deepEqual([error?.kind, error?.code, stage.service.chats.length], ['gate', 'day-limit', 1]);
      }
      assert.ok((await lines()).some((line) => line.includes('"kind":"refused","reason":"day-limit"')));
      await put({});
      assert.equal((await ask('Hello')).status, 'complete');
    });

    it('are counted in the usage, which can be exported', async () => {
      await ask('Hello');
      const target = vscode.Uri.file(join(folder(), 'usage.csv'));
      try {
        assert.equal((await run('svc.auditLog.export', { format: 'usage', target: target.toString() })).ok, true);
        const [columns, ...rows] = readFileSync(target.fsPath, 'utf8').trimEnd().split('\r\n');
        assert.equal(columns, 'day,action,model,user,requests,tokens,estimatedTokens');
        assert.ok(
          rows.some((row) => /^\d{4}-\d\d-\d\d,chat,svc\/auto,[^,]*,[1-9]\d*,\d+,\d+$/.test(row)),
          rows.join(),
        );
      } finally {
        rmSync(target.fsPath, { force: true });
      }
    });

    it('name the user in each record, only while the policy has it', async () => {
      await put({ identity: 'account' });
      await ask('With a name');
      const named = (await lines()).filter((line) => line.includes(`,"user":${JSON.stringify(userInfo().username)},`));
      assert.ok(named.some((line) => line.includes('"request-intent"')));
      assert.ok(named.some((line) => line.includes('"request-outcome"')));
      await put({ identity: 'subject' });
      // Records before this, of other tests too, name a user.
      const withUser = async () => (await lines()).filter((line) => line.includes(',"user":')).length;
      const before = await withUser();
      await ask('No helper has named anybody');
      await put({});
      await ask('Without a name');
      assert.equal(await withUser(), before);
    });

    it('send the instructions of a file beside the policy, and nothing while it is broken', async () => {
      assert.equal(await put({ instructionsFile: 'rules.md' }), 'broken');
      const { error } = await ask('Hello');
      assert.deepEqual([error?.kind, error?.code, stage.service.chats.length], ['policy', 'managed-broken', 0]);
      writeFileSync(rules, 'Use tabs, the organization says.');
      assert.equal(await put({ instructionsFile: 'rules.md' }), 'in-force');
      assert.equal((await ask('Hello')).status, 'complete');
      assert.match(
        stage.service.chats.at(-1)?.body ?? '',
        /organization's instructions.*Use tabs, the organization says\./,
      );
    });
  });

  describe('an audit log that has to be delivered', () => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    let collector: Awaited<ReturnType<typeof startCollector>>;
    let waiting = '';
    beforeEach(async () => {
      collector = await startCollector();
      // A log with lines that wait; no test needs to write so many.
      const { folder: audit } = await run<Verdict>('svc.auditLog.verify');
      waiting = join(audit, '20250101T000000Z-00000000-0000-4000-8000-000000000009-0001.jsonl');
      writeFileSync(waiting, 'x\n'.repeat(40_000));
    });
    afterEach(async () => {
      rmSync(waiting, { force: true });
      rmSync(file, { force: true });
      await run('svc.showPolicy');
      collector.close();
    });

    const put = async (path: string): Promise<void> => {
      const otlp = { url: collector.origin + path, headers: { 'X-Tenant': 'dev' }, backlogBytes: 65_536 };
      writeFileSync(file, JSON.stringify({ version: 1, evidence: { otlp, required: true } }));
      assert.equal((await run<{ state: string }>('svc.showPolicy')).state, 'in-force');
    };

    it('blocks requests, and the deletion of logs, while too much of it waits', async () => {
      await put('/down/v1/logs');
      const { error } = await ask('Hello');
      assert.deepEqual([error?.kind, error?.code, stage.service.chats.length], ['gate', 'not-delivered', 0]);
      let purged: Result | undefined;
      const shown = await errorsShown(() =>
        answering('Delete', async () => {
          purged = await run('svc.purgeLocalData', { audit: true });
        }),
      );
      assert.match(String(shown[0]?.message), /^Nothing was deleted: the audit log is not delivered/);
      assert.deepEqual([purged?.error?.kind, purged?.error?.code], ['storage', 'not-delivered']);
      assert.ok(existsSync(waiting));

      await put('/up/v1/logs');
      assert.equal((await ask('Hello')).status, 'complete');
      assert.equal(stage.service.chats.length, 1);
      const outcome = await collector.firstOf('svc.request-outcome');
      const { folder: audit } = await run<Verdict>('svc.auditLog.verify');
      const logs = readdirSync(audit).filter((name) => name.endsWith('.jsonl'));
      assert.ok(logs.some((name) => readFileSync(join(audit, name), 'utf8').split('\n').includes(outcome)));
      assert.ok(collector.headers.every((headers) => headers['x-tenant'] === 'dev'));
      assert.ok(collector.headers.every((headers) => headers.authorization === undefined));
    });

    it('delays no request if delivery is not required', async () => {
      writeFileSync(
        file,
        JSON.stringify({ version: 1, evidence: { otlp: { url: `${collector.origin}/down/v1/logs` } } }),
      );
      await run('svc.showPolicy');
      assert.equal((await ask('Hello')).status, 'complete');
    });
  });

  describe('managed policy', () => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    afterEach(async () => {
      rmSync(file, { force: true });
      await run('svc.showPolicy');
    });

    /** Writes the policy and waits until it is read: the command reads the file again before it shows it. */
    const put = async (policy: unknown): Promise<string> => {
      writeFileSync(file, typeof policy === 'string' ? policy : JSON.stringify(policy));
      return (await run<{ state: string }>('svc.showPolicy')).state;
    };

    it('requests at least its minimum, regardless of user and workspace settings', async () => {
      await stage.set('svc.compliance.securityLevel', 'standard');
      await stage.set('svc.compliance.audit', false, vscode.ConfigurationTarget.Workspace);
      const compliance = { securityLevel: 'maximum', audit: true };
      assert.equal(await put({ version: 1, compliance, allowedRegions: ['eu-west'] }), 'in-force');
      await ask('Hello');
      const { headers = {} } = stage.service.chats[0] ?? {};
      assert.deepEqual(
        [headers['svc-security-level'], headers['svc-audit-enabled'], headers['svc-data-residency']],
        ['maximum', 'true', 'eu-west'],
      );
    });

    it('applies to the next request when it is replaced, and no longer when it is removed', async () => {
      await put({ version: 1, allowedModels: ['svc/other'] });
      assert.deepEqual((await ask('Hello')).error?.kind, 'policy');
      await put({ version: 1, allowedModels: ['svc/*'] });
      assert.equal((await ask('Hello')).status, 'complete');
      await put({ version: 1, allowedOrigins: ['https://svc.example.com'] });
      assert.deepEqual((await ask('Hello')).error?.kind, 'policy');
      assert.equal((await run('svc.checkHealth')).error?.kind, 'policy');
      rmSync(file);
      await run('svc.showPolicy');
      assert.equal((await ask('Hello')).status, 'complete');
      assert.equal(stage.service.chats.length, 2);
    });

    it('a policy that changes while the key is entered keeps the key from an address that it forbids', async () => {
      const before = stage.service.received.length;
      const forbid = () => put({ version: 1, allowedOrigins: ['https://svc.example.com'] });
      await entering('svc_ent_typed_key', forbid, async () => {
        assert.equal((await run('svc.setApiKey')).error?.kind, 'policy');
      });
      assert.equal(stage.service.received.length, before);
      rmSync(file);
      await run('svc.showPolicy');
    });

    it('blocks all requests if it cannot be used', async () => {
      for (const text of ['{"version":1,', '{"version":2}', '{"version":1,"requireAudit":true}', '[]']) {
        assert.equal(await put(text), 'broken');
        const { error } = await ask('Hello');
        assert.deepEqual([error?.kind, error?.code], ['policy', 'managed-broken']);
      }
      assert.equal(stage.service.received.filter(({ method }) => method === 'POST').length, 0);
    });

    it('switches features off', async () => {
      await put({ version: 1, disabledFeatures: ['generate', 'auditExport'] });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const generated = await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
      assert.equal(generated.error?.code, 'feature-disabled');
      const target = vscode.Uri.file(join(folder(), 'audit.csv')).toString();
      assert.equal((await run('svc.auditLog.export', { format: 'csv', target })).error?.code, 'feature-disabled');
      assert.equal(stage.service.chats.length, 0);
    });
  });

  describe('exclusions', () => {
    afterEach(() => {
      for (const name of ['.env', 'notes.txt', '.svcignore', 'hidden']) {
        rmSync(join(folder(), name), { force: true, recursive: true });
      }
    });

    const explain = async (name: string): Promise<Result> => {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder(), name)));
      await show(document);
      return run('svc.explainCode');
    };

    it('apply to link targets, and to a path with .. in it', async () => {
      writeFileSync(join(folder(), '.env'), 'TOKEN=abc\n');
      symlinkSync(join(folder(), '.env'), join(folder(), 'notes.txt'));
      mkdirSync(join(folder(), 'hidden'));
      writeFileSync(join(folder(), 'hidden', 'a.ts'), 'const a = 1;\n');
      writeFileSync(join(folder(), '.svcignore'), 'hidden/\n!.env\n');
      for (const name of ['.env', 'notes.txt', 'hidden/../.env', 'hidden/a.ts']) {
        assert.equal((await explain(name)).error?.code, 'excluded', name);
      }
      assert.equal(stage.service.chats.length, 0);
    });

    it('apply to every file if an ignore file cannot be read', async () => {
      writeFileSync(join(folder(), 'notes.txt'), 'Nothing secret.\n');
      // A link to itself: it exists, but cannot be read.
      symlinkSync('.svcignore', join(folder(), '.svcignore'));
      assert.equal((await explain('notes.txt')).error?.code, 'excluded');
      rmSync(join(folder(), '.svcignore'));
      assert.equal((await explain('notes.txt')).status, 'complete');
    });
  });

  it('exports a conversation with what was requested and what the service reported', async () => {
    await stage.set('svc.compliance.securityLevel', 'high');
    await ask('Hello export');
    const exported = async (format: string): Promise<string> => {
      const path = join(folder(), `conversation.${format}`);
      const { ok } = await run('svc.exportConversation', { format, target: vscode.Uri.file(path).toString() });
      assert.ok(ok);
      const text = readFileSync(path, 'utf8');
      rmSync(path);
      return text;
    };
    const markdown = await exported('markdown');
    assert.match(markdown, /Hello export/);
    assert.match(markdown, /\| Svc-Security-Level \| high \| user \| high \|/);
    assert.equal(JSON.parse(await exported('json')).turns.length, 1);
  });

  describe('audit log', () => {
    const verify = (): Thenable<Verdict> => run<Verdict>('svc.auditLog.verify');

    it('verifies after a real session, and locates each of seven kinds of damage', async () => {
      await stage.set('svc.compliance.audit', true);
      for (const prompt of ['one', 'two', 'three']) assert.equal((await ask(prompt)).status, 'complete');
      const { ok, folder: logs } = await verify();
      assert.ok(ok);
      const name =
        readdirSync(logs)
          .filter((one) => /^\d{8}T.*\.jsonl$/.test(one))
          .sort()
          .at(-1) ?? '';
      const path = join(logs, name);
      const whole = readFileSync(path, 'utf8');
      assert.ok(!whole.includes('three'), 'no prompt is in the log');
      const lines = whole.split('\n').slice(0, -1);
      const at = lines.findIndex((line) => line.includes('"kind":"request-outcome"'));
      const line = lines[at] ?? assert.fail();
      const ways: readonly (readonly [string, readonly string[], string, number])[] = [
        ['changed', lines.with(at, line.replace('"complete"', '"stopped"')), 'altered', at + 1],
        ['removed', lines.toSpliced(at, 1), 'gap', at],
        ['moved', lines.with(at, lines[at + 1] ?? '').with(at + 1, line), 'out-of-order', at + 2],
        ['put in', lines.toSpliced(at, 0, lines[0] ?? ''), 'out-of-order', at + 1],
        ['the last line removed', lines.slice(0, -1), 'cut', lines.length],
        ['cut off', lines.slice(0, 4), 'cut', 5],
        ['no record', lines.with(at, '{}'), 'not-a-record', at + 1],
      ];
      // Each check is recorded in the file, too.
      let checks = '';
      try {
        for (const [way, changed, reason, where] of ways) {
          const text = changed.map((one) => `${one}\n`).join('');
          writeFileSync(path, text);
          const { breaks } = await verify();
          checks += readFileSync(path, 'utf8').slice(text.length);
          assert.deepEqual(
            [breaks[0]?.file, breaks[0]?.line, breaks[0]?.reason],
            [name, where, reason],
            `${way}: ${JSON.stringify(breaks)}`,
          );
        }
      } finally {
        writeFileSync(path, whole + checks);
      }
      assert.deepEqual((await verify()).breaks, []);
    });

    const lines = async (): Promise<readonly string[]> => {
      const path = join(folder(), 'log.jsonl');
      await run('svc.auditLog.export', { format: 'jsonl', target: vscode.Uri.file(path).toString() });
      const found = readFileSync(path, 'utf8').split('\n').slice(0, -1);
      rmSync(path);
      return found;
    };

    it('records what was refused: a file, a feature, a setting, the key, and what the user declined', async () => {
      const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
      const refused = async (): Promise<string[]> =>
        (await lines()).filter((line) => JSON.parse(line).kind === 'refused');
      const before = new Set(await refused());
      const name = join(folder(), '.env');
      try {
        writeFileSync(name, 'TOKEN=PRIVATE\n');
        await show(await vscode.workspace.openTextDocument(vscode.Uri.file(name)));
        assert.equal((await run('svc.explainCode')).error?.code, 'excluded');
        assert.equal((await run('svc.reviewFile')).error?.code, 'excluded');
        await inRestrictedMode(async () => {
          // They read with Git, before dispatch sees a request.
          for (const command of ['svc.reviewChanges', 'svc.generateCommitMessage'])
            assert.equal((await run(command)).error?.code, 'untrusted');
        });
        writeFileSync(file, JSON.stringify({ version: 1, disabledFeatures: ['review'], requirePreview: true }));
        await run('svc.showPolicy');
        assert.equal((await run('svc.reviewFile')).error?.code, 'feature-disabled');
        const instruction = 'a PRIVATE function';
        await show(await vscode.workspace.openTextDocument({ language: 'typescript', content: '' }));
        let isOpen = true;
        const generated = run('svc.generateCode', { instruction }).then((result) => {
          isOpen = false;
          return result;
        });
        // The preview is a list, which Escape closes.
        while (isOpen) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        assert.equal((await generated).error?.kind, 'aborted');
        rmSync(file);
        await run('svc.showPolicy');
        await stage.set('svc.compliance.securityLevel', 'PRIVATE');
        assert.equal((await ask('PRIVATE')).error?.kind, 'policy');
        await stage.set('svc.compliance.securityLevel', undefined);
        await removeKey();
        assert.equal((await ask('PRIVATE')).error?.code, 'no-key');
      } finally {
        rmSync(file, { force: true });
        rmSync(name, { force: true });
        await run('svc.showPolicy');
        await storeKey();
      }
      const found = (await refused()).filter((line) => !before.has(line));
      assert.doesNotMatch(found.join('\n'), /PRIVATE|\.env/);
      const words = (line: string): string => {
        const { action, reason } = JSON.parse(line);
        return `${action} ${reason}`;
      };
      const expected = [
        'explain excluded',
        'review excluded',
        'review untrusted',
        'generate untrusted',
        'review feature-disabled',
        'generate declined',
        'chat settings-invalid',
        'chat no-key',
      ];
      // Refusals of earlier tests have an effect for a minute: the same one is only counted, and their count is recorded at its end.
      const earlier = new Set([...before].map(words));
      const recorded = new Set(found.map(words).filter((each) => expected.includes(each) || !earlier.has(each)));
      const missing = expected.filter((each) => !recorded.has(each) && !earlier.has(each));
      assert.deepEqual(missing, []);
      assert.deepEqual(
        [...recorded].filter((each) => !expected.includes(each)),
        [],
      );
      assert.equal(stage.service.chats.length, 0);
    });

    /** The kinds of the records about the key of the stage. */
    const keyEvents = async (): Promise<readonly string[]> => {
      const { origin } = new URL(stage.service.baseUrl);
      const records = (await lines()).map((line): { kind: string; origin?: string } => JSON.parse(line));
      return records.filter((each) => /^key-/.test(each.kind) && each.origin === origin).map(({ kind }) => kind);
    };

    it('records each key that was stored and removed, once, and none that was not there', async () => {
      const { length: before } = await keyEvents();
      await removeKey();
      await removeKey();
      await storeKey();
      assert.deepEqual((await keyEvents()).slice(before), ['key-removed', 'key-set']);
    });

    it('records each key that is removed with all other data', async () => {
      const { length: before } = await keyEvents();
      try {
        const purged = await run<{ ok: boolean; keys: number }>('svc.purgeLocalData', { keys: true });
        assert.ok(purged.ok && purged.keys > 0);
        assert.deepEqual((await keyEvents()).slice(before), ['key-removed']);
      } finally {
        // So that the next stage stores it again.
        await removeKey();
      }
    });

    it('has the token counts of a stream, and a record of each request if the service refuses to be asked for them', async () => {
      const outcomes = async (): Promise<readonly { outcome: string; status: number; totalTokens?: number }[]> => {
        const path = join(folder(), 'tokens.jsonl');
        await run('svc.auditLog.export', { format: 'jsonl', target: vscode.Uri.file(path).toString() });
        const records = readFileSync(path, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        rmSync(path);
        return records.filter(({ kind }) => kind === 'request-outcome');
      };
      const options = (): readonly unknown[] =>
        stage.service.chats.map(({ json }) => (json as { stream_options?: unknown }).stream_options);
      const { length: before } = await outcomes();
      stage.service.clear();
      await ask('How many?');
      assert.deepEqual(options(), [{ include_usage: true }]);
      stage.service.setScenario('no-usage');
      // Another model: what a service refuses is remembered for each of them.
      await stage.set('svc.model.chat', 'svc/enterprise-coder-v1');
      await ask('And now?');
      await ask('And now?');
      assert.deepEqual(options().slice(1), [{ include_usage: true }, undefined, undefined]);
      const recorded = (await outcomes()).slice(before);
      assert.deepEqual(
        recorded.map(({ outcome, status }) => `${outcome} ${status}`),
        ['complete 200', 'failed 400', 'complete 200', 'complete 200'],
      );
      assert.ok((recorded[0]?.totalTokens ?? 0) > 0);
      assert.equal(recorded[2]?.totalTokens, undefined);
    });

    it('is exported as evidence that verify.mjs verifies without a secret, even after a new ledger was started', async () => {
      await ask('Hello');
      const place = join(folder(), 'evidence');
      const bundle = join(place, 'bundle.tar.gz');
      const log = new Map<string, string>();
      mkdirSync(place);
      try {
        const asked = await answering('Start New Ledger', async () => {
          assert.equal((await run('svc.auditLog.startLedger')).ok, true);
        });
        assert.equal(asked.length, 1);
        await ask('Hello again');
        const target = vscode.Uri.file(bundle).toString();
        const { records } = await run<{ records: number }>('svc.auditLog.export', { format: 'evidence', target });
        execFileSync('tar', ['xzf', bundle, '-C', place]);
        const ours = readFileSync(join(place, 'trusted-keys.txt'), 'utf8');
        assert.ok((ours.match(/^log svc-coder\//gm) ?? []).length >= 2);
        const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
        const args = [
          'verify.mjs',
          '--trusted-keys',
          'trusted-keys.txt',
          '--checkpoint',
          'checkpoint',
          '--json',
          'audit',
        ];
        const found = JSON.parse(execFileSync(process.execPath, args, { cwd: place, env, encoding: 'utf8' }));
        // What the message reports is what the program verifies.
        assert.deepEqual([found.verdict, found.breaks, found.records], ['intact', [], records]);
        for (const name of readdirSync(join(place, 'audit')))
          log.set(name, readFileSync(join(place, 'audit', name), 'utf8'));
        assert.ok([...log.values()].some((text) => text.includes('"format":"evidence"')));
        assert.ok([...log.values()].every((text) => !text.includes('Hello')));
      } finally {
        rmSync(place, { recursive: true });
      }
    });

    it('keeps its ledger if the user does not agree to a new one', async () => {
      const asked = await answering(undefined, async () => {
        assert.equal((await run('svc.auditLog.startLedger')).ok, false);
      });
      assert.equal(asked.length, 1);
    });

    it('is exported unchanged, and as a spreadsheet', async () => {
      await ask('Hello');
      for (const format of ['jsonl', 'csv'] as const) {
        const path = join(folder(), `audit.${format}`);
        const { ok } = await run('svc.auditLog.export', { format, target: vscode.Uri.file(path).toString() });
        assert.ok(ok);
        const text = readFileSync(path, 'utf8');
        assert.ok(text.includes('request-intent') && text.includes('log-exported'), format);
        rmSync(path);
      }
    });
  });
});
