import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ManagedState } from '../../../src/policy/managed/managedPolicy.ts';
import { Delivered, type FetchPolicy } from '../../../src/store/managed/delivered.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { inForceFrom } from '../../tools/managedPolicy.ts';
import { policySigner, signedPolicy } from '../../tools/signedPolicy.ts';

const url = 'https://policy.example.com/svc.txt';
const signer = 'policy.example.com';
const start = Date.parse('2026-11-26T10:00:00Z');
const hour = 3_600_000;

const good = {
  version: 1,
  serial: 7,
  issued: '2026-11-26T09:00:00Z',
  expires: '2026-12-26T09:00:00Z',
  origins: ['https://policy.example.com'],
  policy: { requirePreview: true },
};

interface Machine {
  readonly path: string;
  /** What the address answers, as a text or an error. */
  answer: string | Error;
  now: number;
  requests: number;
  window(keys?: readonly string[]): Window;
}

interface Window {
  readonly delivered: Delivered;
  /** Reads the kept copy, as a window does when it opens. */
  open(): Promise<ManagedState>;
  /** Refreshes, as before a request. */
  request(): Promise<ManagedState>;
}

/** A window that reads the policy file of the machine, which names a source. */
function windowOf(machine: Machine, keys: readonly string[] = [policySigner(signer).vkey]): Window {
  const own = inForceFrom({ allowedModels: ['svc/*'], source: { url, publicKeys: keys } });
  const source = own.policy.source ?? assert.fail();
  const delivered = new Delivered({ path: machine.path, extensionVersion: '1.2.3', now: () => machine.now });
  const fetch: FetchPolicy = async (asked) => {
    machine.requests += 1;
    assert.equal(asked, url);
    if (typeof machine.answer !== 'string') throw machine.answer;
    return machine.answer;
  };
  return {
    delivered,
    open: async () => {
      await delivered.read(source);
      return delivered.combine(own, source);
    },
    request: async () => {
      await delivered.refresh(source, fetch);
      return delivered.combine(own, source);
    },
  };
}

describe('a delivered policy', () => {
  let folder = '';
  let machine: Machine;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-policy-'));
    const made: Machine = {
      ...{ path: join(folder, 'storage', 'policy.txt'), answer: signedPolicy(good), now: start, requests: 0 },
      window: (keys) => windowOf(made, keys),
    };
    machine = made;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is combined with the file of the machine, and kept for the next window', async () => {
    const window = machine.window();
    const opened = await window.open();
    assert.deepEqual(opened.state === 'broken' && opened.problem, { reason: 'not-fetched' });
    const state = await window.request();
    assert.ok(state.state === 'in-force');
    assert.deepEqual([state.policy.requirePreview, state.policy.allowedModels], [true, ['svc/*']]);
    assert.deepEqual([state.delivered?.serial, state.delivered?.fault], [7, null]);
    assert.notEqual(state.digest, 'd');
    machine.answer = new Error('offline');
    const next = await machine.window().open();
    assert.ok(next.state === 'in-force' && next.policy.requirePreview);
    assert.equal(next.digest, state.digest);
    assert.equal(readFileSync(machine.path, 'utf8'), signedPolicy(good));
  });

  it('is fetched by each window for its first request, and then once an hour', async () => {
    const [one, other] = [machine.window(), machine.window()];
    await one.open();
    await other.open();
    for (let minute = 0; minute < 59; minute += 1, machine.now += 60_000) {
      await one.request();
      await other.request();
    }
    assert.equal(machine.requests, 2);
    machine.now += 60_000;
    await one.request();
    await other.request();
    assert.equal(machine.requests, 4);
    // Requests at the same time wait for one.
    machine.now += hour;
    await Promise.all([one.request(), one.request(), one.request()]);
    assert.equal(machine.requests, 5);
  });

  it('is fetched within the hour even if a program keeps giving the copy the present time', async () => {
    const window = machine.window();
    await window.request();
    machine.answer = signedPolicy({ ...good, serial: 8, policy: {} });
    const serialAt = async (minutes: number, one: Window): Promise<number | undefined> => {
      machine.now = start + minutes * 60_000;
      utimesSync(machine.path, machine.now / 1000, machine.now / 1000);
      const state = await one.request();
      return state.state === 'in-force' ? state.delivered?.serial : undefined;
    };
    for (let minute = 1; minute < 60; minute += 1) assert.equal(await serialAt(minute, window), 7);
    assert.equal(await serialAt(60, window), 8);
    // An earlier copy that is put back applies to no request of a window that opens.
    writeFileSync(machine.path, signedPolicy(good));
    assert.equal(await serialAt(61, machine.window()), 8);
  });

  it('is fetched immediately if an earlier copy was put back, and is read again', async () => {
    const window = machine.window();
    await window.request();
    machine.answer = signedPolicy({ ...good, serial: 8, policy: {} });
    machine.now += hour;
    await window.request();
    writeFileSync(machine.path, signedPolicy(good));
    utimesSync(machine.path, machine.now / 1000, machine.now / 1000);
    await window.open();
    const state = await window.request();
    assert.ok(state.state === 'in-force');
    assert.equal(state.delivered?.serial, 8);
  });

  it('applies until it expires if the address cannot be reached, and is tried again after five minutes', async () => {
    const window = machine.window();
    await window.request();
    machine.answer = new ServiceError('network', 'No connection.', {});
    machine.now += hour;
    const state = await window.request();
    assert.ok(state.state === 'in-force' && state.policy.requirePreview);
    assert.deepEqual(state.delivered?.fault, {
      reason: 'unreachable',
      host: 'policy.example.com',
      error: machine.answer,
    });
    await window.request();
    assert.equal(machine.requests, 2);
    machine.now += 300_000;
    await window.request();
    assert.equal(machine.requests, 3);
    machine.now = Date.parse(good.expires);
    const expired = await window.request();
    assert.ok(expired.state === 'broken' && expired.problem.reason === 'expired');
    assert.equal(expired.file, url);
    const again = machine.window();
    const opened = await again.open();
    assert.deepEqual(opened.state === 'broken' && opened.problem, { reason: 'not-fetched' });
    const failed = await again.request();
    assert.ok(failed.state === 'broken' && failed.problem.reason === 'expired' && failed.problem.fault !== null);
    machine.answer = signedPolicy({ ...good, serial: 8, issued: good.expires, expires: '2027-01-26T09:00:00Z' });
    machine.now += 300_000;
    assert.equal((await window.request()).state, 'in-force');
  });

  it('applies if it cannot be stored, and the copy on the disk that is earlier does not return', async () => {
    const window = machine.window();
    await window.request();
    const stored = readFileSync(machine.path, 'utf8');
    machine.answer = signedPolicy({
      ...good,
      serial: 8,
      policy: { requirePreview: true, forbidUnmaskedSecrets: true },
    });
    // Nothing can be written where the folder is a file.
    rmSync(dirname(machine.path), { recursive: true });
    writeFileSync(dirname(machine.path), '');
    const requireNew = (state: ManagedState, reason: string | undefined): void => {
      assert.ok(state.state === 'in-force' && state.policy.forbidUnmaskedSecrets);
      assert.deepEqual([state.delivered?.serial, state.delivered?.fault?.reason], [8, reason]);
    };
    for (let hours = 1; hours <= 3; hours += 1) {
      machine.now += hour;
      requireNew(await window.request(), 'not-stored');
    }
    assert.equal(machine.requests, 4);
    rmSync(dirname(machine.path));
    mkdirSync(dirname(machine.path));
    writeFileSync(machine.path, stored);
    requireNew(await window.open(), 'not-stored');
    machine.answer = signedPolicy(good);
    machine.now += hour;
    requireNew(await window.request(), 'older');
    machine.answer = signedPolicy({
      ...good,
      serial: 8,
      policy: { requirePreview: true, forbidUnmaskedSecrets: true },
    });
    machine.now += hour;
    requireNew(await window.request(), undefined);
    assert.equal(readFileSync(machine.path, 'utf8'), machine.answer);
  });

  it('applies only while the file of the machine names its source', async () => {
    const own = (name: string) => {
      const address = `https://${name}/svc.txt`;
      const found = inForceFrom({ source: { url: address, publicKeys: [policySigner(name).vkey] } });
      return { found, source: found.policy.source ?? assert.fail() };
    };
    const [former, next] = [own(signer), own('next.example.com')];
    const delivered = new Delivered({ path: machine.path, extensionVersion: '1.2.3', now: () => machine.now });
    await delivered.read(former.source);
    const [answers, asked] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const running = delivered.refresh(former.source, () => {
      asked.resolve();
      return answers.promise;
    });
    await asked.promise;
    await delivered.read(next.source);
    let fetches = 0;
    const fetchNext: FetchPolicy = async () => {
      fetches += 1;
      throw new ServiceError('network', 'No connection.', {});
    };
    // The new source does not wait for the former one.
    await delivered.refresh(next.source, fetchNext);
    answers.resolve(signedPolicy(good));
    await running;
    const state = delivered.combine(next.found, next.source);
    assert.ok(state.state === 'broken' && state.problem.reason === 'not-delivered');
    assert.equal(state.problem.fault?.reason, 'unreachable');
    machine.now += 300_000;
    await delivered.refresh(next.source, fetchNext);
    assert.equal(fetches, 2);
    assert.throws(() => readFileSync(machine.path), { code: 'ENOENT' });
  });

  const later = { ...good, serial: 8 };
  const faults: readonly (readonly [what: string, reason: string, answer: string | Error])[] = [
    ['cannot be reached', 'unreachable', new ServiceError('network', 'No connection.', {})],
    ['is a redirect', 'unreachable', new ServiceError('protocol', 'A redirect.', { code: 'redirect' })],
    ['takes too long', 'unreachable', new ServiceError('timeout', 'Too long.', { code: 'check' })],
    ['is empty', 'not-signed', ''],
    ['is a web page', 'not-signed', '<!doctype html><title>Sign in</title>'],
    ['is JSON without a signature', 'not-signed', JSON.stringify(later)],
    ['has an empty signature', 'not-signed', `${JSON.stringify(later)}\n\n`],
    ['is signed by another key', 'not-signed', signedPolicy(later, ['policy.example.org'])],
    [
      'is signed by a key of the same name',
      'not-signed',
      signedPolicy(later, ['x']).replaceAll('— x ', `— ${signer} `),
    ],
    ['was changed', 'not-signed', signedPolicy(later).replace('true', 'true ')],
    ['was cut', 'not-signed', signedPolicy(later).slice(0, -8)],
    ['has a byte order mark before it', 'not-signed', `\uFEFF${signedPolicy(later)}`],
    ['has line endings of Windows', 'not-signed', signedPolicy(later).replaceAll('\n', '\r\n')],
    ['has text after the signature', 'not-signed', `${signedPolicy(later)}x`],
    ['has a second signature that is wrong', 'not-signed', twice(signedPolicy(later), signedPolicy(good))],
    ['has 10 MB', 'too-large', 'x'.repeat(10_000_000)],
    ['has a lower serial', 'older', signedPolicy({ ...good, serial: 6 })],
    ['has the same serial and another content', 'same-serial', signedPolicy({ ...good, policy: {} })],
    ['is for another address', 'other-origin', signedPolicy({ ...later, origins: ['https://policy.example.org'] })],
    ['is issued tomorrow', 'future', signedPolicy({ ...later, issued: '2026-11-27T10:00:00Z' })],
    ...(
      [
        ['is no JSON', 'policy'],
        ['is a list', [later]],
        ['has another version', { ...later, version: 2 }],
        ['has no serial', { ...later, serial: undefined }],
        ['has a serial with a fraction', { ...later, serial: 8.5 }],
        ['has a serial that is a string', { ...later, serial: '8' }],
        ['has a serial below zero', { ...later, serial: -1 }],
        ['has no time of issue', { ...later, issued: undefined }],
        ['has a time that is a number', { ...later, issued: 1 }],
        ['has a time that does not exist', { ...later, issued: '2026-02-30T09:00:00Z' }],
        ['has a time in another zone', { ...later, issued: '2026-11-26T09:00:00+01:00' }],
        ['never expires', { ...later, expires: undefined }],
        ['expires before it is issued', { ...later, expires: '2026-11-25T09:00:00Z' }],
        ['has no origins', { ...later, origins: [] }],
        ['has an origin with a path', { ...later, origins: ['https://policy.example.com/'] }],
        ['has an unknown key beside the policy', { ...later, extra: 1 }],
        ['has a key twice', JSON.stringify(later).replace('"serial":8', '"serial":8,"serial":9')],
      ] as const
    ).map(([what, delivered]) => [what, 'malformed', signedPolicy(delivered)] as const),
  ];
  for (const [what, reason, answer] of faults) {
    it(`is not replaced by one that ${what}, and alone allows nothing`, async () => {
      machine.answer = answer;
      const alone = await machine.window().request();
      const isOfKept = reason === 'older' || reason === 'same-serial';
      if (!isOfKept) {
        assert.ok(alone.state === 'broken' && alone.problem.reason === 'not-delivered', what);
        assert.equal(alone.problem.fault?.reason, reason);
      }
      rmSync(machine.path, { force: true });
      const window = machine.window();
      machine.answer = signedPolicy(good);
      machine.now += hour;
      await window.request();
      machine.answer = answer;
      machine.now += hour;
      const state = await window.request();
      assert.ok(state.state === 'in-force' && state.policy.requirePreview, what);
      assert.equal(state.delivered?.fault?.reason, reason);
      assert.equal(readFileSync(machine.path, 'utf8'), signedPolicy(good));
    });
  }

  for (const [what, policy] of [
    ['an unknown key', { aLaterKey: true }],
    ['an invalid value', { requirePreview: 'yes' }],
    ['no policy', null],
    ['a program for the key', { credentials: { environment: 'A', origin: 'https://svc.example.com' } }],
    ['the name of a file', { instructionsFile: 'rules.md' }],
    ['another source', { source: { url, publicKeys: [policySigner(signer).vkey] } }],
    ['a collector', { evidence: { otlp: { url: 'https://logs.example.com/v1/logs' } } }],
    [
      'a collector among the optional keys',
      { optional: { evidence: { otlp: { url: 'https://logs.example.com/v1/logs' } } } },
    ],
    ['a later version of the extension', { minVersion: '1.2.4' }],
    ['no model of the machine', { allowedModels: ['other'] }],
  ] as const) {
    it(`sends nothing if an authentic and later one has ${what}`, async () => {
      const window = machine.window();
      await window.request();
      machine.answer = signedPolicy({ ...good, serial: 8, policy });
      machine.now += hour;
      const state = await window.request();
      assert.equal(state.state, 'broken');
      // Nor after a restart, nor with the policy before it.
      assert.equal((await machine.window().open()).state, 'broken');
      machine.answer = signedPolicy(good);
      machine.now += hour;
      assert.equal((await window.request()).state, 'broken');
    });
  }

  it('is fetched again after five minutes if it blocks everything, so that its correction soon applies', async () => {
    machine.answer = signedPolicy({ ...good, policy: { aLaterKey: 1 } });
    const window = machine.window();
    assert.equal((await window.request()).state, 'broken');
    machine.answer = signedPolicy({ ...good, serial: 8 });
    assert.equal((await window.request()).state, 'broken');
    machine.now += 300_000;
    assert.equal((await window.request()).state, 'in-force');
    assert.equal(machine.requests, 2);
  });

  it('ignores an optional key that it does not know', async () => {
    machine.answer = signedPolicy({ ...good, policy: { optional: { aLaterKey: 1, requirePreview: true } } });
    const state = await machine.window().request();
    assert.ok(state.state === 'in-force' && state.policy.requirePreview);
    assert.deepEqual(state.policy.ignored, ['aLaterKey']);
  });

  it('is not replaced by an earlier one than another window has accepted', async () => {
    const [old, other] = [machine.window(), machine.window()];
    await old.request();
    machine.now += hour;
    machine.answer = signedPolicy({ ...good, serial: 9, policy: {} });
    await other.request();
    machine.now += hour;
    machine.answer = signedPolicy({ ...good, serial: 8 });
    const state = await old.request();
    assert.ok(state.state === 'in-force' && !state.policy.requirePreview);
    assert.deepEqual(state.delivered?.fault, { reason: 'older', serial: 8, kept: 9 });
  });

  it('is accepted with any of several keys, and no longer after its key was taken from the file', async () => {
    const keys = ['next.example.com', signer].map((name) => policySigner(name).vkey);
    assert.equal((await machine.window(keys).request()).state, 'in-force');
    assert.equal((await machine.window(keys.slice(0, 1)).open()).state, 'broken');
    assert.equal((await machine.window([`${signer}+00000000+${'A'.repeat(44)}`]).open()).state, 'broken');
  });

  it('is not read from a copy that a user has changed, or that is no file', async () => {
    const window = machine.window();
    await window.request();
    const text = signedPolicy(good);
    for (const changed of [
      text.replace('true', 'false'),
      '',
      signedPolicy({ ...good, origins: ['https://a.example'] }),
    ]) {
      writeFileSync(machine.path, changed);
      assert.equal((await machine.window().open()).state, 'broken');
    }
    writeFileSync(join(folder, 'elsewhere'), text);
    rmSync(machine.path);
    symlinkSync(join(folder, 'elsewhere'), machine.path);
    assert.equal((await machine.window().open()).state, 'broken');
    rmSync(machine.path);
    mkdirSync(machine.path);
    assert.equal((await machine.window().open()).state, 'broken');
  });

  it('is fetched immediately if the copy has a time in the future', async () => {
    await machine.window().request();
    utimesSync(machine.path, start / 1000 + 7_200, start / 1000 + 7_200);
    const window = machine.window();
    await window.open();
    await window.request();
    assert.equal(machine.requests, 2);
  });

  it('is late if its address does not answer before the deadline', async () => {
    machine.answer = new ServiceError('aborted', 'The request was cancelled.', { code: 'aborted' });
    const state = await machine.window().request();
    assert.ok(state.state === 'broken' && state.problem.reason === 'not-delivered');
    const { fault } = state.problem;
    assert.ok(fault?.reason === 'unreachable');
    assert.deepEqual([fault.error.kind, fault.error.code], ['timeout', 'check']);
  });

  it('is not fetched for each request if its address delivers one that has expired', async () => {
    const window = machine.window();
    machine.now = Date.parse(good.expires);
    for (let second = 0; second < 300; second += 1, machine.now += 1_000) {
      assert.equal((await window.request()).state, 'broken');
    }
    assert.equal(machine.requests, 1);
    machine.answer = signedPolicy({ ...good, serial: 8, expires: '2027-01-26T09:00:00Z' });
    assert.equal((await window.request()).state, 'in-force');
    assert.equal(machine.requests, 2);
  });

  describe('if the clock of the machine is wrong', () => {
    const atMinute = (minute: number): string => `${new Date(start + minute * 60_000).toISOString().slice(0, 19)}Z`;
    /** A later policy that is issued and expires some minutes after the start. */
    const later = (issued: number, expires: number): string =>
      signedPolicy({ ...good, serial: 8, issued: atMinute(issued), expires: atMinute(expires), policy: {} });
    /** What applies: the serial that is in force, and the reason why nothing is sent or why the newest was not accepted. */
    const applies = (state: ManagedState): readonly unknown[] =>
      state.state === 'in-force'
        ? [state.delivered?.serial, state.delivered?.fault?.reason]
        : [undefined, state.state === 'broken' ? state.problem.reason : state.state];

    it('applies an hour ahead, expires an hour early, and is fetched again when the clock is set right', async () => {
      const window = machine.window();
      machine.now = start + hour;
      assert.deepEqual(applies(await window.request()), [7, undefined]);
      machine.now = start;
      assert.deepEqual(applies(await window.request()), [7, undefined]);
      assert.equal(machine.requests, 2);
      // Issued at the right time, with 90 minutes to live.
      machine.answer = later(0, 90);
      machine.now = start + hour + 60_000;
      assert.deepEqual(applies(await window.request()), [8, undefined]);
      machine.now = start + 90 * 60_000;
      assert.deepEqual(applies(await window.request()), [undefined, 'expired']);
      machine.now -= hour;
      assert.deepEqual(applies(await window.request()), [8, undefined]);
    });

    it('stays an hour behind, and a new one is accepted when the clock is set right', async () => {
      const window = machine.window();
      await window.request();
      machine.answer = later(30, 120);
      machine.now = Date.parse(good.issued) - 300_001;
      assert.deepEqual(applies(await window.request()), [undefined, 'expired']);
      machine.now = Date.parse(good.issued);
      assert.deepEqual(applies(await window.request()), [7, 'future']);
      assert.equal(machine.requests, 3);
      // The right time, 31 minutes after the start.
      machine.now = start + 31 * 60_000;
      assert.deepEqual(applies(await window.request()), [8, undefined]);
    });

    it('is fetched once after the clock is set back, and then once an hour', async () => {
      const window = machine.window();
      machine.answer = signedPolicy({ ...good, issued: '2026-11-25T09:00:00Z' });
      await window.request();
      machine.now = start - hour;
      for (let minute = 0; minute < 60; minute += 1, machine.now += 60_000) await window.request();
      assert.equal(machine.requests, 2);
      await window.request();
      assert.equal(machine.requests, 3);
    });

    it('is tried again immediately after a failure if the clock is set back', async () => {
      const window = machine.window();
      machine.answer = new ServiceError('network', 'No connection.', {});
      await window.request();
      machine.now -= hour;
      machine.answer = signedPolicy({ ...good, issued: '2026-11-25T09:00:00Z' });
      assert.deepEqual(applies(await window.request()), [7, undefined]);
    });

    it('is accepted if the clock is at most five minutes behind', async () => {
      machine.answer = later(5, 120);
      assert.deepEqual(applies(await machine.window().request()), [8, undefined]);
      machine.now -= 1;
      assert.deepEqual(applies(await machine.window().request()), [undefined, 'expired']);
    });
  });

  it('sends nothing while the clock is before its time', async () => {
    const window = machine.window();
    await window.request();
    machine.now = Date.parse('2026-11-25T09:00:00Z');
    const state = await machine.window().request();
    assert.ok(state.state === 'broken' && state.problem.reason === 'expired');
  });
});

/** Returns the first note with the signature of the second one after its own. */
function twice(one: string, other: string): string {
  return one + other.slice(other.lastIndexOf('\n\n') + 2);
}
