import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { HelperError, readHelperAnswer, readSignIn } from '../../../../src/platform/keys/helper/helperAnswer.ts';
import type { KeySource } from '../../../../src/platform/keys/keySources.ts';
import { resolveConnection } from '../../../../src/policy/connection.ts';
import { type KeyHelper, keyHelper } from '../../../../src/policy/managed/managedRules.ts';
import { PolicyError } from '../../../../src/policy/policyError.ts';
import { processExists } from '../../../../src/store/lock.ts';
import { isServiceError } from '../../../../src/util/errors.ts';
import { ServiceClock } from '../../../../src/util/serviceClock.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { inForceFrom } from '../../../tools/managedPolicy.ts';
import { byUser, connection, failureOf, HelperStage, never } from './helperStage.ts';

const key = 'svc_ent_0123456789abcdef';

/** Resolves as soon as the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** Counts its runs, and prints a key with the number of the run. */
const counting = (more = '') => `n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n
echo "{\\"key\\":\\"svc_ent_number_$n\\"${more}}"`;

describe('keys of credential helpers', () => {
  let stage: HelperStage;

  beforeEach(() => {
    stage = new HelperStage();
  });
  afterEach(() => stage.remove());

  const counted = (more?: string): string => stage.script(`cd '${stage.folder}'\n${counting(more)}`);

  it('are asked for once, also by many requests at the same time', async () => {
    const from = byUser(counted());
    const keys = await Promise.all(Array.from({ length: 20 }, () => stage.keys.get(from, connection, never)));
    assert.deepEqual([...new Set(keys)], ['svc_ent_number_1']);
    assert.equal(await stage.keys.get(from, connection, never), 'svc_ent_number_1');
    assert.equal(stage.keys.isReady(from, connection), true);
  });

  it('are each for one program, its arguments, and one address', async () => {
    const program = counted();
    const other = { ...connection, baseUrl: 'https://other.example.com/api/v1', origin: 'https://other.example.com' };
    assert.equal(await stage.keys.get(byUser(program), connection, never), 'svc_ent_number_1');
    assert.equal(await stage.keys.get(byUser(program), other, never), 'svc_ent_number_2');
    assert.equal(await stage.keys.get({ ...byUser(program), by: 'managed' }, connection, never), 'svc_ent_number_3');
    const more = byUser(program, { command: [program, '--more'] });
    assert.equal(await stage.keys.get(more, connection, never), 'svc_ent_number_4');
  });

  it('accept what the design allows', async () => {
    const lines = [
      { key: 'not-of-a-known-form' },
      { key, expiresAt: '2999-01-01T00:00:00Z', subject: 'Änne Müller (ops)' },
      { key, expiresAt: '2999-01-01T00:00:00.123456789+05:30' },
      { key: 'a'.repeat(16_000) },
    ];
    for (const line of lines) {
      const from = byUser(stage.printing(`\n ${JSON.stringify(line, null, 2)}\r\n\n`), { timeoutSeconds: 20 });
      assert.equal(await stage.window().get(from, connection, never), line.key);
    }
    const from = byUser(stage.printing(JSON.stringify(lines[1])));
    await stage.keys.get(from, connection, never);
    assert.equal(stage.keys.subjectOf(from, connection), 'Änne Müller (ops)');
    assert.equal(stage.keys.subjectOf(from, connection, lines[1]?.key), 'Änne Müller (ops)');
    assert.equal(stage.keys.subjectOf(from, connection, 'another key'), undefined);
  });

  it('are read from a helper that leaves a process behind, which keeps its output open', async () => {
    const from = byUser(stage.script(`sleep 100 & echo '{"key":"${key}"}'; echo $! > '${join(stage.folder, 'pid')}'`));
    assert.equal(await stage.keys.get(from, connection, never), key);
    const pid = Number(stage.read('pid'));
    assert.ok(processExists(pid), 'a process that a helper leaves, such as an agent, is not ended');
    process.kill(pid);
  });

  it('come from a program in the home folder, with an environment without VS Code, the workspace, and other keys', async () => {
    const kept = { ...process.env };
    const file = join(stage.folder, 'env.json');
    Object.assign(process.env, {
      SVC_API_KEY: 'svc_ent_of_the_environment',
      VSCODE_PID: '1',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: 'x',
      PWD: '/workspace',
      OLDPWD: '/workspace/before',
      INIT_CWD: '/workspace',
      SVC_ORIGIN: 'https://evil.example.com',
      KEPT: 'as it is $HOME',
    });
    try {
      const script = `exec '${process.execPath}' -e '
        const facts = { env: process.env, cwd: process.cwd(), args: process.argv.slice(1), input: require("fs").readFileSync(0, "utf8") };
        require("fs").writeFileSync("${file}", JSON.stringify(facts));
        console.log(JSON.stringify({ key: "${key}" }));' -- "$@"`;
      const program = stage.script(script, 'with space $(touch x)/helper.sh');
      const args = ['$(touch pwned)', '; rm -rf x', '"', "'", '*', ''];
      await stage.keys.get({ helper: { command: [program, ...args] }, by: 'user' }, connection, never);
      const { env, cwd, args: given, input } = JSON.parse(readFileSync(file, 'utf8'));
      assert.deepEqual(given, args);
      assert.equal(input, '');
      assert.equal(cwd, homedir());
      assert.equal(env.KEPT, 'as it is $HOME');
      assert.equal(env.SVC_BASE_URL, connection.baseUrl);
      assert.equal(env.SVC_ORIGIN, connection.origin);
      assert.equal(env.PWD, homedir());
      const names = Object.keys(env).filter((name) => /^(VSCODE_|ELECTRON_|SVC_API_KEY|INIT_CWD)/.test(name));
      assert.deepEqual(names, []);
      // The shell of the script sets it anew.
      assert.ok(!JSON.stringify(env).includes('/workspace'), JSON.stringify(env));
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name];
      Object.assign(process.env, kept);
    }
  });

  describe('that expire', () => {
    const { now } = Date;
    let time = Date.UTC(2026, 10, 26, 10);

    beforeEach(() => {
      time = Date.UTC(2026, 10, 26, 10);
      Date.now = () => time;
    });
    afterEach(() => {
      Date.now = now;
    });

    const lasting = (seconds: number): string =>
      `,\\"expiresAt\\":\\"${new Date(time + seconds * 1000).toISOString()}\\"`;

    it('are renewed a minute, or a fifth of their life, before', async () => {
      for (const [seconds, before] of [
        [3600, 60],
        [300, 60],
        [100, 20],
        [2, 0.4],
      ] as const) {
        writeFileSync(join(stage.folder, 'n'), '0');
        const keys = stage.window();
        const from = byUser(counted(lasting(seconds)));
        assert.equal(await keys.get(from, connection, never), 'svc_ent_number_1');
        time += (seconds - before) * 1000 - 1;
        assert.equal(keys.isReady(from, connection), true);
        assert.equal(await keys.get(from, connection, never), 'svc_ent_number_1');
        time += 1;
        assert.equal(keys.isReady(from, connection), false);
        assert.equal(await keys.get(from, connection, never), 'svc_ent_number_2');
      }
    });

    it('hold until they expire if the helper fails, and are never given after that', async () => {
      const program = counted(lasting(100));
      const from = byUser(program);
      await stage.keys.get(from, connection, never);
      time += 90_000;
      stage.script('touch ran; exit 1');
      assert.equal(await stage.keys.get(from, connection, never), 'svc_ent_number_1');
      assert.equal(stage.keys.isReady(from, connection), true, 'the helper is not asked again for each request');
      time += 9_999;
      assert.equal(await stage.keys.get(from, connection, never), 'svc_ent_number_1');
      time += 1;
      assert.deepEqual((await failureOf(stage.keys.get(from, connection, never))).details.helper.fault, {
        is: 'exit',
        code: 1,
      });
    });

    it('are judged by the clock of the service: here is an hour ahead', async () => {
      const from = byUser(counted(lasting(1800)));
      time += 3_600_000;
      stage.askTime = async () => {
        const date = new Date(time - 3_600_000).toUTCString();
        stage.clock.note(connection.origin, date, time, time + 50);
      };
      assert.equal(await stage.keys.get(from, connection, never), 'svc_ent_number_1');
      time += 1_750_000;
      assert.equal(await stage.keys.get(from, connection, never), 'svc_ent_number_2');
    });

    it('are judged by the clock of the service: here is an hour behind', async () => {
      time -= 3_600_000;
      stage.clock.note(connection.origin, new Date(time + 3_600_000).toUTCString(), time, time);
      const from = byUser(counted(lasting(3_600 - 1)));
      assert.equal((await failureOf(stage.keys.get(from, connection, never))).details.helper.fault.is, 'expired');
    });

    it('are judged by the clock of their own service', async () => {
      stage.clock.note('https://other.example.com', new Date(time + 3_600_000).toUTCString(), time, time);
      assert.equal(await stage.keys.get(byUser(counted(lasting(60))), connection, never), 'svc_ent_number_1');
    });
  });

  it('are another one after a refusal, or none if the helper prints the same again', async () => {
    const from = byUser(counted());
    await stage.keys.get(from, connection, never);
    assert.equal(await stage.keys.renew(from, connection, 'svc_ent_number_1', never), 'svc_ent_number_2');
    // A parallel request with the first key does not discard the second.
    assert.equal(await stage.keys.renew(from, connection, 'svc_ent_number_1', never), 'svc_ent_number_2');
    stage.printing(JSON.stringify({ key }));
    const keys = stage.window();
    await keys.get(from, connection, never);
    assert.equal(await keys.renew(from, connection, key, never), null);
  });

  it('come from one run at a time in several windows, each from its own', async () => {
    const log = join(stage.folder, 'log');
    const from = byUser(
      stage.script(`echo begin >> '${log}'; sleep 0.3; echo end >> '${log}'; echo '{"key":"svc_ent_'$$'"}'`),
    );
    const windows = Array.from({ length: 4 }, () => stage.window());
    const keys = await Promise.all(windows.map((window) => window.get(from, connection, never)));
    assert.equal(new Set(keys).size, 4);
    assert.equal(readFileSync(log, 'utf8'), 'begin\nend\n'.repeat(4));
  });

  it('are not waited for any more when the last request stops: the helper and what it started are ended', async () => {
    const pids = join(stage.folder, 'pids');
    const script = `sleep 1000 &\necho $! >> '${pids}'\n(sleep 1000 & echo $! >> '${pids}'; wait) &\necho $$ >> '${pids}'\nwait`;
    const from = byUser(stage.script(script), { timeoutSeconds: 300 });
    const [one, other] = [new AbortController(), new AbortController()];
    const isAborted = (error: unknown) => isServiceError(error) && error.kind === 'aborted';
    const first = assert.rejects(stage.keys.get(from, connection, one.signal), isAborted);
    const second = assert.rejects(stage.keys.get(from, connection, other.signal), isAborted);
    await until(() => existsSync(pids) && readFileSync(pids, 'utf8').split('\n').length > 3);
    one.abort();
    await first;
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    assert.ok(started.every(isRunning), 'the other request still waits');
    other.abort();
    await second;
    await until(() => !started.some(isRunning));
    await until(() => readdirSync(join(stage.folder, 'storage')).length === 0);
  });

  it('are waited for longer while a user signs in on a page, which is shown until then', async () => {
    const page = '{"visit":"https://sso.example.com/device?a=1","code":"ABCD-1234"}';
    const script = `echo '${page}'; sleep 1.2; printf '{\\n"key": "${key}"\\n}\\n'`;
    const got = stage.keys.get(byUser(stage.script(script), { timeoutSeconds: 1 }), connection, never);
    await until(() => stage.cancel !== undefined);
    assert.deepEqual(stage.shown, [{ visit: 'https://sso.example.com/device?a=1', code: 'ABCD-1234' }]);
    assert.equal(await got, key);
    assert.equal(stage.cancel, undefined);
  });

  it('end with Cancel while the page is shown', async () => {
    const from = byUser(
      stage.script(`echo $$ > '${stage.folder}/pid'; echo '{"visit":"https://sso.example.com/"}'; exec sleep 1000`),
    );
    const got = stage.keys.get(from, connection, never);
    await until(() => stage.cancel !== undefined);
    stage.cancel?.();
    await assert.rejects(got, (error) => isServiceError(error) && error.kind === 'aborted');
    await until(() => !isRunning(Number(stage.read('pid'))));
    assert.equal(stage.cancel, undefined);
  });

  it('are forgotten, and their helpers ended, with the window', async () => {
    const from = byUser(counted());
    await stage.keys.get(from, connection, never);
    const slow = stage.keys.get(byUser(stage.script('exec sleep 1000', 'slow.sh')), connection, never);
    stage.keys.dispose();
    await assert.rejects(slow);
    assert.deepEqual(stage.keys.all, []);
  });
});

/** Whether a process runs: one that has ended may still wait for its parent to notice. */
function isRunning(pid: number): boolean {
  if (!processExists(pid)) return false;
  return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

describe('the output of a credential helper', () => {
  it('is read or refused, for any bytes, and a refusal quotes none of them', () => {
    const field = fc.oneof(fc.string(), fc.json().map(jsonOf), fc.constant(key));
    const output = fc.oneof(
      fc.uint8Array(),
      fc.json().map(bytesOf),
      fc
        .record({ key: field, expiresAt: field, subject: field, visit: field, code: field }, { requiredKeys: [] })
        .map((value) => bytesOf(JSON.stringify(value))),
    );
    const read = fc.property(output, (bytes) => {
      for (const reader of [readHelperAnswer, readSignIn]) {
        try {
          const found = reader(bytes);
          if (found !== null && 'key' in found) assert.match(found.key, /^[!-~]+$/);
          if (found !== null && 'visit' in found) assert.match(found.visit, /^http/);
        } catch (error) {
          assert.ok(error instanceof HelperError);
          assert.match(error.message, /^The credential helper gave no key: (not-json|wrong-field)\.$/);
        }
      }
    });
    fc.assert(read, { numRuns: 5_000 });
  });
});

describe('the source of a key in the list of compliance settings', () => {
  interface Words {
    describeKey(
      source: KeySource,
      subject?: string,
    ): { readonly label: string; readonly description: string; readonly detail: string };
  }
  const helper = { command: ['/usr/local/bin/svc-login'] as [string] };

  it('is named, with who chose it, and never the key', async () => {
    const { describeKey } = await hostModule<Words>('src/features/compliance/vscode/describeKey.ts', 'en');
    const words = (...about: Parameters<Words['describeKey']>) => Object.values(describeKey(...about)).join('|');
    assert.equal(words({ is: 'stored' }), 'API Key: stored||It is in VS Code’s secret storage');
    assert.equal(
      words({ is: 'environment', variable: 'SVC_API_KEY' }),
      'API Key: from the environment|set by your administrator|It is read from SVC_API_KEY for each request',
    );
    assert.equal(
      words({ is: 'helper', helper, by: 'managed' }),
      'API Key: from a credential helper|set by your administrator|/usr/local/bin/svc-login prints it. It is only in memory',
    );
    assert.equal(
      words({ is: 'helper', helper, by: 'user' }, 'anna $(x)'),
      'API Key: from a credential helper|set by user|/usr/local/bin/svc-login prints it, for anna $\u2060(x). It is only in memory',
    );
  });
});

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function jsonOf(text: string): unknown {
  return JSON.parse(text);
}

describe('the setting svc.credentialHelper', () => {
  const origin = 'https://svc.example.com';
  const resolved = (helper: unknown, layer: 'user' | 'workspace' = 'user') =>
    resolveConnection([
      { layer: 'user', values: { 'svc.baseUrl': `${origin}/api/v1` } },
      { layer, values: { 'svc.credentialHelper': helper } },
    ]);

  it('names a program, or none', () => {
    const command = ['/home/me/login'];
    const found = resolved({ command, timeoutSeconds: 5, origin });
    assert.deepEqual(found.ok && found.connection.helper, { command, timeoutSeconds: 5, origin });
    for (const none of [{}, undefined]) {
      const { ok, ...rest } = resolved(none);
      assert.ok(ok && !('helper' in (rest as { connection: object }).connection));
    }
    const other = resolved({ command, origin: 'https://other.example.com' });
    assert.equal(other.ok && keyHelper({ state: 'none' }, other.connection), null);
  });

  for (const value of [
    'login',
    5,
    null,
    ['/home/me/login'],
    { timeoutSeconds: 5 },
    { command: '/home/me/login' },
    { command: ['/home/me/login'], origin: `${origin}/` },
    { command: ['/home/me/login'], origin: 'svc.example.com' },
    { command: ['/home/me/login', 'svc_ent_0123456789abcdef'] },
  ]) {
    it(`blocks every request with ${JSON.stringify(value)}`, () => {
      const found = resolved(value);
      assert.deepEqual(!found.ok && found.problems.map(({ reason, key }) => [reason, key]), [
        ['invalid', 'svc.credentialHelper'],
      ]);
      assert.ok(!JSON.stringify(found).includes('svc_ent_0123456789abcdef'));
    });
  }

  for (const helper of [
    { command: [] },
    { command: ['login'] },
    { command: ['./login'] },
    { command: ['~/login'] },
    { command: ['/home/me/login', 5] },
    { command: ['/home/me/login\0'] },
    { command: ['C:\\login.bat'] },
    { command: ['/home/me/login'], timeoutSeconds: 0 },
    { command: ['/home/me/login'], timeoutSeconds: 301 },
    { command: ['/home/me/login'], shell: true },
    { command: ['/home/me/login'], ['__proto__']: 5 },
    { command: ['/home/me/login'], origin: 'http://svc.example.com' },
  ]) {
    it(`starts nothing with ${JSON.stringify(helper)}`, async () => {
      const stage = new HelperStage();
      try {
        const from = { helper, by: 'user' } as unknown as KeyHelper;
        await assert.rejects(stage.keys.get(from, connection, never), (error) => {
          assert.ok(error instanceof PolicyError);
          assert.deepEqual(
            error.problems.map(({ key }) => key),
            ['svc.credentialHelper'],
          );
          return true;
        });
        assert.ok(!existsSync(join(stage.folder, 'storage')));
      } finally {
        stage.remove();
      }
    });
  }
});

describe('the source of a key', () => {
  const user = { ...connection, helper: { command: ['/home/me/login'] as [string] } };
  const command = ['/usr/local/bin/svc-login'];

  it('is what the policy names, else what the user chose', () => {
    assert.equal(keyHelper({ state: 'none' }, connection), null);
    assert.deepEqual(keyHelper({ state: 'none' }, user), { helper: user.helper, by: 'user' });
    assert.deepEqual(keyHelper(inForceFrom({}), user)?.by, 'user');
    const managed = inForceFrom({ credentials: { command } });
    assert.deepEqual(keyHelper(managed, user), { helper: { command }, by: 'managed' });
    assert.deepEqual(keyHelper(managed, connection), { helper: { command }, by: 'managed' });
    const elsewhere = inForceFrom({ credentials: { command, origin: 'https://other.example.com' } });
    assert.deepEqual(keyHelper(elsewhere, user)?.by, 'user');
    assert.equal(keyHelper(elsewhere, connection), null);
  });
});

describe('the clock of a service', () => {
  const at = Date.UTC(2026, 0, 1);
  const text = (ms: number) => new Date(ms).toUTCString();

  it('is this machine’s clock while a Date fits it, which has whole seconds, and otherwise the latest time that fits', () => {
    const clock = new ServiceClock();
    const ahead = () => clock.now('o') - Date.now();
    const around = (ms: number) => Math.abs(ahead() - ms) < 50;
    assert.ok(around(0));
    clock.note('o', text(at), at + 200, at + 900);
    assert.ok(around(0));
    clock.note('o', text(at + 3_600_000), at, at + 100);
    assert.ok(around(3_601_000));
    clock.note('o', text(at - 3_600_000), at, at + 100);
    assert.ok(around(-3_599_000));
    for (const date of [undefined, '', 'tomorrow', 5, [text(at)]]) clock.note('o', date, at, at);
    assert.ok(around(-3_599_000));
    clock.note('o', text(at), at, at);
    assert.ok(around(0));
  });
});
