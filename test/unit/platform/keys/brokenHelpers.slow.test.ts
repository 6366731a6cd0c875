import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { HelperError } from '../../../../src/platform/keys/helper/helperAnswer.ts';
import { runHelper } from '../../../../src/platform/keys/helper/runHelper.ts';
import type { KeyHelper } from '../../../../src/policy/managed/managedRules.ts';
import { createDispatch } from '../../../../src/send/dispatch.ts';
import { isOpenToUser } from '../../../../src/store/managed/managedFileGuard.ts';
import type { HelperFault, ServiceError } from '../../../../src/util/errors.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { asks, nobodyAsked, outgoing, Stage } from '../../session/dispatchStage.ts';
import { byUser, connection, failureOf, HelperStage, never } from './helperStage.ts';

const key = 'svc_ent_0123456789abcdef';
const good = JSON.stringify({ key });

interface Words {
  helperWords(error: ServiceError<'auth'>, host: string): { readonly title: string; readonly detail?: string };
}

interface Row {
  readonly name: string;
  readonly helper: (stage: HelperStage) => KeyHelper;
  readonly fault: HelperFault | { readonly is: 'writable' | 'expired' };
  /** What the card says. */
  readonly words: RegExp;
}

/** A helper that prints a text and ends well. */
function prints(name: string, output: string | Uint8Array, fault: Row['fault'], words: RegExp): Row {
  return { name, helper: (stage) => byUser(stage.printing(output)), fault, words };
}

function runs(name: string, script: string, fault: Row['fault'], words: RegExp): Row {
  return { name, helper: (stage) => byUser(stage.script(script), { timeoutSeconds: 1 }), fault, words };
}

const field = (name: Extract<HelperFault, { is: 'wrong-field' }>['field']) =>
  ({ is: 'wrong-field', field: name }) as const;
const notJson = { is: 'not-json' } as const;
const oneObject = /must print one JSON object in UTF-8 and nothing else, such as \{ "key": "…" \}/;
const open: (name: string, path: (stage: HelperStage) => string) => Row = (name, path) => ({
  name,
  helper(stage) {
    const program = stage.printing(good);
    stage.open = (one) => one === path(stage);
    return { helper: { command: [program] }, by: 'managed' };
  },
  fault: { is: 'writable' },
  words: /is not started, because you can write .*Only an administrator.*show this message to your administrator/,
});

const broken: readonly Row[] = [
  {
    name: 'missing',
    helper: (stage) => byUser(join(stage.folder, 'missing')),
    fault: { is: 'not-started', code: 'ENOENT' },
    words: /missing does not exist\. Install it, or correct its path/,
  },
  {
    name: 'not executable',
    helper(stage) {
      const program = stage.printing(good);
      chmodSync(program, 0o600);
      return byUser(program);
    },
    fault: { is: 'not-started', code: 'EACCES' },
    words: /cannot be started\. It must be a program that you may execute/,
  },
  {
    name: 'a folder',
    helper: (stage) => byUser(stage.folder),
    fault: { is: 'not-started', code: 'EACCES' },
    words: /cannot be started/,
  },
  {
    name: 'no program',
    helper(stage) {
      const program = join(stage.folder, 'text');
      writeFileSync(program, 'key: 1', { mode: 0o755 });
      return byUser(program);
    },
    // The system gives a text without `#!` to sh.
    fault: { is: 'exit', code: 127 },
    words: /ended with exit code 127\. Run it in a terminal/,
  },
  {
    name: 'a path of Windows on another system',
    helper: () => byUser('C:\\sh'),
    fault: { is: 'not-started', code: 'ENOENT' },
    words: /does not exist/,
  },
  {
    name: 'a link in a circle, named by the policy',
    helper(stage) {
      const program = join(stage.folder, 'circle');
      symlinkSync(program, program);
      return { helper: { command: [program] }, by: 'managed' };
    },
    fault: { is: 'not-started', code: 'ELOOP' },
    words: /did not start \(ELOOP\)/,
  },
  {
    name: 'with a storage that cannot be written',
    helper(stage) {
      writeFileSync(join(stage.folder, 'storage'), '');
      return byUser(stage.printing(good));
    },
    fault: { is: 'no-lock', code: 'EEXIST' },
    words: /was not started: Svc Coder cannot write to VS Code’s global storage \(EEXIST\)/,
  },
  ...[0o777, 0o775, 0o722].map(
    (mode): Row => ({
      name: `with mode ${mode.toString(8)}, named by the policy`,
      helper(stage) {
        const program = stage.printing(good);
        chmodSync(program, mode);
        stage.open = isOpenToUser;
        return { helper: { command: [program] }, by: 'managed' };
      },
      fault: { is: 'writable' },
      words: /you can write .*svc-helper/,
    }),
  ),
  {
    name: 'in a folder with mode 777, named by the policy',
    helper(stage) {
      const program = stage.script('true', 'open/helper.sh');
      chmodSync(join(stage.folder, 'open'), 0o777);
      stage.open = isOpenToUser;
      return { helper: { command: [program] }, by: 'managed' };
    },
    fault: { is: 'writable' },
    words: /you can write .*svc-helper/,
  },
  open('writable by the user, named by the policy', (stage) => join(stage.folder, 'helper.sh')),
  open('in a folder that the user can write, named by the policy', (stage) => stage.folder),
  {
    name: 'behind a link that the user can write, named by the policy',
    helper(stage) {
      const program = stage.printing(good);
      const link = join(stage.folder, 'link');
      symlinkSync(program, link);
      stage.open = (path) => path === link;
      return { helper: { command: [link] }, by: 'managed' };
    },
    fault: { is: 'writable' },
    words: /you can write .*link/,
  },
  {
    name: 'behind a linked folder that leads to one that the user can write, named by the policy',
    helper(stage) {
      const target = join(stage.folder, 'target');
      mkdirSync(target);
      stage.script('true', 'target/run.sh');
      symlinkSync(target, join(stage.folder, 'linked'));
      stage.open = (path) => path === target;
      return { helper: { command: [join(stage.folder, 'linked/run.sh')] }, by: 'managed' };
    },
    fault: { is: 'writable' },
    words: /you can write .*target/,
  },
  runs('slow', `sleep 20; echo '${good}'`, { is: 'late', seconds: 1 }, /did not end within 1 s and was stopped/),
  runs('never ending, with a key', `echo '${good}'; exec sleep 1000`, { is: 'late', seconds: 1 }, /within 1 s/),
  runs('ended by a signal', 'kill -9 $$', { is: 'signal', name: 'SIGKILL' }, /was ended by SIGKILL/),
  runs('exit code 1 with a key', `echo '${good}'; exit 1`, { is: 'exit', code: 1 }, /ended with exit code 1/),
  runs('10 MB', 'exec head -c 10000000 /dev/zero', { is: 'too-long' }, /more than 64 KiB and was stopped/),
  runs('endless', 'exec cat /dev/zero', { is: 'too-long' }, oneObject),
  runs('a key only in the error output', `echo '${good}' >&2`, notJson, /error output begins with: \{"key":"\[masked/),
  prints('nothing', '', notJson, oneObject),
  prints('rubbish', 'Welcome to svc-login 1.0!\n', notJson, oneObject),
  prints('the bare key', `${key}\n`, notJson, oneObject),
  prints('a banner before the object', `Hello\n${good}\n`, notJson, oneObject),
  prints('a banner after the object', `${good}\nBye\n`, notJson, oneObject),
  prints('two objects', `${good}\n${good}\n`, notJson, oneObject),
  prints('two keys in one object', `{"key":"${key}","key":"svc_ent_other_0123456789"}`, notJson, oneObject),
  prints('a list', `[${good}]`, notJson, oneObject),
  prints('null', 'null', notJson, oneObject),
  prints('a string', JSON.stringify(key), notJson, oneObject),
  prints('a byte order mark', `\ufeff${good}`, notJson, oneObject),
  prints('UTF-16', Buffer.from(good, 'utf16le'), notJson, oneObject),
  prints(
    'bytes that are not UTF-8',
    Buffer.concat([Buffer.from('{"key":"'), Buffer.from([0xff, 0x22, 0x7d])]),
    notJson,
    oneObject,
  ),
  prints('deep lists', `{"key":${'['.repeat(30_000)}`, notJson, oneObject),
  prints('no key', '{}', field('key'), /"key" must be a string of visible ASCII/),
  prints('an empty key', '{"key":""}', field('key'), /"key" must be/),
  prints(
    'a key with a line break',
    JSON.stringify({ key: `${key}\n` }),
    field('key'),
    /without a space or a line break/,
  ),
  prints('a key with a second header', JSON.stringify({ key: `${key}\r\nX-A: b` }), field('key'), /"key" must be/),
  prints('a key with an umlaut', JSON.stringify({ key: `${key}ü` }), field('key'), /visible ASCII/),
  prints('a key of 20,000 characters', JSON.stringify({ key: 'a'.repeat(20_000) }), field('key'), /"key" must be/),
  prints('a number as key', '{"key":12345678}', field('key'), /"key" must be/),
  prints('a list as key', `{"key":["${key}"]}`, field('key'), /"key" must be/),
  prints(
    'another form: token',
    JSON.stringify({ token: key }),
    field('other'),
    /allowed are "key", "expiresAt", "subject"/,
  ),
  prints('another form: OAuth', JSON.stringify({ access_token: key, expires_in: 5 }), field('other'), /allowed are/),
  prints('__proto__', `{"__proto__":{"key":"${key}"}}`, field('other'), /allowed are/),
  prints('__proto__ beside the key', `{"key":"${key}","__proto__":{"a":1}}`, field('other'), /allowed are/),
  prints('an unknown field', JSON.stringify({ key, version: 1 }), field('other'), /allowed are/),
  prints(
    'expired at once',
    JSON.stringify({ key, expiresAt: '2001-01-01T00:00:00Z' }),
    { is: 'expired' },
    /expired at 2001-01-01T00:00:00\.000Z\. Sign in again, or check the clock/,
  ),
  ...['2999-01-01T00:00:00', '2999-01-01', 'tomorrow', '2999-13-01T00:00:00Z', 32_503_680_000, null, ''].map(
    (expiresAt) =>
      prints(
        `expiresAt: ${JSON.stringify(expiresAt)}`,
        JSON.stringify({ key, expiresAt }),
        field('expiresAt'),
        /time with its zone/,
      ),
  ),
  ...[5, '', ' ', 'a\nb', 'a\u202eb', 'a'.repeat(201), null].map((subject) =>
    prints(
      `subject: ${JSON.stringify(subject).slice(0, 20)}`,
      JSON.stringify({ key, subject }),
      field('subject'),
      /"subject" must be/,
    ),
  ),
  ...[
    'http://sso.example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://a@sso.example.com',
    'command:svc.x',
    5,
  ].map((visit) =>
    prints(
      `visit: ${visit}`,
      `${JSON.stringify({ visit, code: 'A' })}\n${good}`,
      field('visit'),
      /"visit" must be an https address/,
    ),
  ),
  prints(
    'a code on two lines',
    `{"visit":"https://sso.example.com","code":"A\\nB"}\n${good}`,
    field('code'),
    /"code" must be/,
  ),
  prints('a page and nothing else', '{"visit":"https://sso.example.com","code":"A"}\n', notJson, oneObject),
  prints(
    'two pages',
    '{"visit":"https://a.example.com"}\n{"visit":"https://b.example.com"}\n',
    field('other'),
    /allowed are/,
  ),
  prints('a page after the key', `${good}\n{"visit":"https://sso.example.com"}\n`, notJson, oneObject),
  prints(
    'a page with the key',
    JSON.stringify({ visit: 'https://sso.example.com', key }),
    field('other'),
    /allowed are/,
  ),
];

describe('credential helpers that are broken', () => {
  let words: Words['helperWords'];
  let stage: HelperStage;

  before(async () => {
    ({ helperWords: words } = await hostModule<Words>('src/platform/messages/errors/describeHelper.ts', 'en'));
  });
  beforeEach(() => {
    stage = new HelperStage();
  });
  afterEach(() => stage.remove());

  it('are at least 30', () => assert.ok(broken.length >= 30));

  for (const { name, helper, fault, words: expected } of broken) {
    it(`${name}: nothing is sent, and the card says what to do`, async () => {
      const from = helper(stage);
      const gate = new Stage();
      const dispatch = createDispatch({
        ...gate.parts,
        apiKey: (one, signal = never) => stage.keys.get(from, one, signal),
      });
      const error = await failureOf(dispatch.send(outgoing(asks('Hello')), nobodyAsked, never));
      assert.equal(error.code, 'helper');
      const { details } = error;
      assert.deepEqual(
        'path' in details.helper.fault || 'at' in details.helper.fault
          ? { is: details.helper.fault.is }
          : details.helper.fault,
        fault,
      );
      assert.deepEqual(gate.sent, []);
      assert.deepEqual(gate.kinds, ['refused']);
      assert.equal(gate.entry('refused').reason, 'no-key');
      const card = words(error, 'svc.example.com');
      assert.match(card.title, /gave no API key for svc\.example\.com/);
      assert.match(card.detail ?? '', expected);
      // The key is nowhere, but where the helper itself printed it.
      for (const shown of [JSON.stringify(error), error.message, error.stack ?? '', JSON.stringify(card)])
        assert.ok(!shown.includes(key), shown);
      assert.deepEqual(stage.keys.all, []);
    });
  }

  it('name the ten minutes of a sign-in that the user did not finish, not the time limit of the program', async () => {
    const program = stage.printing('{"visit":"https://svc.example.com/device"}\n', 'exec sleep 60');
    const { helper } = byUser(program, { timeoutSeconds: 5 });
    const printed = { output: Buffer.alloc(0), errors: Buffer.alloc(0) };
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const onSignIn = (): void => mock.timers.tick(600_000);
      const error = await runHelper({ helper, connection, printed, onSignIn }, never).then(
        () => assert.fail(),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof HelperError);
      assert.deepEqual(error.fault, { is: 'late', seconds: 600 });
    } finally {
      mock.timers.reset();
    }
  });

  it('show the beginning of their error output, without keys', async () => {
    const unknown = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const secrets = [
      '0123456789-of-any-form',
      'svc_ent_stored_0123456789',
      Buffer.from('0123456789-of-any-form').toString('base64'),
      unknown,
    ];
    const program = stage.printing(
      '{"key":"0123456789-of-any-form"}',
      `echo 'log in first: ${secrets.join(' ')} \u001b[31mred' >&2; seq 1 100000 >&2; exit 3`,
    );
    const { said } = (await failureOf(stage.keys.get(byUser(program), connection, never))).details.helper;
    assert.match(said, /^log in first: <key> \[masked: [^\]]+\] <key>Q== \[masked: [^\]]+\] \[31mred 1 2 3/);
    assert.equal([...said].length, 200);
  });

  it('write nothing to the disk but the lock, which is removed', async () => {
    await failureOf(stage.keys.get(byUser(stage.printing(good, 'exit 1')), connection, never));
    assert.deepEqual(readdirSync(join(stage.folder, 'storage')), []);
  });
});
