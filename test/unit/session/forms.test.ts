import assert from 'node:assert/strict';
import type { Outgoing } from '../../../src/send/outgoing.ts';
import { isServiceError, type RequestChange, ServiceError } from '../../../src/util/errors.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { answering, asks, nobodyAsked, outgoing, Stage } from './dispatchStage.ts';

type Part = 'tools' | 'usage' | 'all';

/** A service that refuses requests with some parts, or all of them. */
class Picky extends Stage {
  refuses: readonly Part[] = [];
  status = 400;
  /** Runs before the service answers. */
  before = (): void => {};

  constructor(...refuses: readonly Part[]) {
    super();
    this.refuses = refuses;
    const answer = this.answer;
    this.answer = async function* (this: Picky, admitAgain, request) {
      this.before();
      const { tools, stream_options: usage } = JSON.parse(request.body);
      const isRefused =
        this.refuses.includes('all') ||
        (this.refuses.includes('tools') && tools !== undefined) ||
        (this.refuses.includes('usage') && usage !== undefined);
      if (isRefused) throw new ServiceError('request', 'no', { status: this.status });
      yield* answer(admitAgain, request);
    };
  }

  /** The parts of each request since the last call: `T` for tools, `U` for usage. */
  bodies(): readonly string[] {
    return this.sent.splice(0).map(({ request }) => {
      const { tools, stream_options: usage } = JSON.parse(request.body);
      if (usage !== undefined) assert.deepEqual(usage, { include_usage: true });
      return `${tools === undefined ? '' : 'T'}${usage === undefined ? '' : 'U'}`;
    });
  }
}

const plain = outgoing(asks('Hello'));
const offering: Outgoing = {
  ...plain,
  offer: { tools: [{ name: 'look', description: 'Looks.' }], choice: 'auto' },
  withoutTools: () => plain,
};

const refused = (error: unknown): boolean => isServiceError(error) && error.kind === 'request';

describe('dispatch: parts that a service may refuse', () => {
  const cases: readonly (readonly [refuses: readonly Part[], first: string, second: string, third: string])[] = [
    [[], 'TU', 'TU', 'TU'],
    [['usage'], 'TU T', 'T', 'T'],
    // What no word has blamed is offered again: the fault may have passed.
    [['tools'], 'TU T -', 'TU U', 'U'],
    [['usage', 'tools'], 'TU T -', 'TU U -', '-'],
  ];
  for (const status of [400, 422]) {
    for (const [refuses, ...expected] of cases) {
      it(`${status} because of ${refuses.join(' and ') || 'nothing'}: only what was the cause is remembered`, async () => {
        const stage = new Picky(...refuses);
        stage.status = status;
        for (const parts of expected) {
          const events = await stage.send(offering);
          assert.deepEqual(
            stage.bodies().map((each) => each || '-'),
            parts.split(' '),
          );
          assert.equal(
            events.filter(({ type }) => type === 'without-tools').length,
            refuses.includes('tools') ? 1 : 0,
            'the caller learns that tools are not available',
          );
          assert.ok(events.some((event) => event.type === 'usage'));
        }
      });
    }

    for (const with_ of [[], ['tools'], ['usage'], ['tools', 'usage']] as const) {
      it(`${status} for another reason, with ${with_.join(' and ') || 'nothing else'}: not sent forever, nothing remembered`, async () => {
        const stage = new Picky('all', ...with_);
        stage.status = status;
        for (let times = 0; times < 3; times += 1) {
          await assert.rejects(stage.send(offering), refused);
          assert.deepEqual(stage.bodies(), ['TU', 'T', '']);
          await assert.rejects(stage.send(plain), refused);
          assert.deepEqual(stage.bodies(), ['U', '']);
        }
        stage.refuses = [];
        await stage.send(offering);
        assert.deepEqual(stage.bodies(), ['TU']);
      });
    }
  }

  it('a request that cannot do without its tools keeps them', async () => {
    const { withoutTools: _, ...needing } = offering;
    const stage = new Picky('tools');
    await assert.rejects(stage.send(needing), refused);
    assert.deepEqual(stage.bodies(), ['TU', 'T']);
  });

  it('another status, or a refusal after the beginning of an answer, is not a reason to send again', async () => {
    const stage = new Picky();
    for (const [kind, status] of [
      ['auth', 401],
      ['permission', 403],
      ['request', 404],
      ['request', 413],
      ['rateLimit', 429],
      ['server', 500],
      ['gate', 400],
    ] as const) {
      stage.answer = async function* () {
        yield [{ type: 'response', status: 200 }];
        throw new ServiceError(kind, 'no', { status });
      };
      await assert.rejects(stage.send(offering), { status });
      assert.deepEqual(stage.bodies(), ['TU'], `${kind} ${status}`);
    }
    stage.answer = async function* () {
      yield [{ type: 'response', status: 200 }];
      yield [{ type: 'text-delta', text: 'Hi' }];
      throw new ServiceError('request', 'no', { status: 400 });
    };
    await assert.rejects(stage.send(offering), refused);
    assert.deepEqual(stage.bodies(), ['TU']);
  });

  it('a request that is too long for the model keeps its parts: nothing is sent again, and nothing remembered', async () => {
    for (const status of [400, 413, 422, undefined]) {
      const stage = new Picky();
      const { answer } = stage;
      stage.answer = async function* () {
        yield [];
        throw new ServiceError('request', 'no', { status, code: 'context-length', contextTokens: 4096 });
      };
      await assert.rejects(stage.send(offering), { code: 'context-length', contextTokens: 4096 });
      stage.answer = answer;
      await stage.send(offering);
      assert.deepEqual(stage.bodies(), ['TU', 'TU'], String(status));
    }
  });

  it('a refusal may come as an error in an answer of status 200, as long as nothing else has come', async () => {
    const stage = new Picky();
    const { answer } = stage;
    stage.answer = async function* (admitAgain, request) {
      if (request.body.includes('stream_options')) {
        yield [{ type: 'response', status: 200 }];
        throw new ServiceError('request', 'no', { status: 400 });
      }
      yield* answer.call(stage, admitAgain, request);
    };
    await stage.send(plain);
    await stage.send(plain);
    assert.deepEqual(stage.bodies(), ['U', '', '']);
  });

  it('a fault of the second request is reported as it is, and nothing is remembered', async () => {
    const stage = new Picky('usage');
    const { answer } = stage;
    stage.answer = async function* (admitAgain, request) {
      if (!request.body.includes('stream_options')) throw new ServiceError('server', 'no', { status: 503 });
      yield* answer.call(stage, admitAgain, request);
    };
    await assert.rejects(stage.send(plain), { kind: 'server', status: 503 });
    await assert.rejects(stage.send(plain), { kind: 'server', status: 503 });
    assert.deepEqual(stage.bodies(), ['U', '', 'U', '']);
  });

  it('it is remembered for the address and the model', async () => {
    const stage = new Picky('usage');
    await stage.send(plain);
    stage.settings['svc.model.chat'] = 'svc/other';
    await stage.send(plain);
    stage.settings['svc.baseUrl'] = 'http://127.0.0.1:2/api/v1';
    await stage.send(plain);
    assert.deepEqual(stage.bodies(), ['U', '', 'U', '', 'U', '']);
    delete stage.settings['svc.model.chat'];
    stage.settings['svc.baseUrl'] = 'http://127.0.0.1:1/api/v1';
    await stage.send(plain);
    assert.deepEqual(stage.bodies(), ['']);
  });

  it('a request that is not streamed does not ask for usage, and is not sent again because of it', async () => {
    const stage = new Picky('all');
    stage.settings['svc.request.stream'] = false;
    await assert.rejects(stage.send(plain), refused);
    await assert.rejects(stage.send(offering), refused);
    assert.deepEqual(stage.bodies(), ['', 'T', '']);
  });
});

describe('dispatch: a request without what the service refused', () => {
  it('has a record of its own, written before it is sent', async () => {
    const stage = new Picky('usage');
    await stage.send(plain);
    assert.deepEqual(stage.log, [
      'request-intent',
      'sent',
      'request-outcome',
      'request-intent',
      'sent',
      'request-outcome',
    ]);
    const [intent, failure, again, success] = stage.audited;
    assert.ok(intent?.kind === 'request-intent' && again?.kind === 'request-intent');
    assert.ok(failure?.kind === 'request-outcome' && success?.kind === 'request-outcome');
    assert.deepEqual(
      [intent.bytes, again.bytes],
      stage.sent.map(({ request }) => Buffer.byteLength(request.body)),
    );
    assert.deepEqual([failure.request, failure.outcome, failure.status], [intent.request, 'failed', 400]);
    assert.deepEqual([success.request, success.outcome, success.totalTokens], [again.request, 'complete', 3]);
    assert.notEqual(intent.request, again.request);
  });

  it('is what the preview shows from then on', async () => {
    const stage = new Picky('usage', 'tools');
    for (let times = 0; times < 3; times += 1) {
      const shown = await stage.dispatch.preview(offering);
      await stage.send(offering);
      assert.equal(stage.sent[0]?.request.body, shown.request.body);
      stage.bodies();
    }
    assert.deepEqual(Object.keys(JSON.parse((await stage.dispatch.preview(offering)).request.body)), [
      ...['model', 'messages', 'stream'],
    ]);
  });

  it('is shown as well where each request is reviewed, and not sent if the user declines', async () => {
    const stage = new Picky('usage');
    stage.rules = { ...openPolicy, requirePreview: true };
    const { confirmSend, seen } = answering('send-masked', 'send-masked', 'send-masked', 'cancel');
    await stage.send(plain, confirmSend);
    assert.deepEqual(
      seen.map(({ preview }) => preview.request.body),
      stage.sent.map(({ request }) => request.body),
    );
    stage.bodies();
    stage.settings['svc.model.chat'] = 'svc/other';
    await assert.rejects(stage.send(plain, confirmSend), { kind: 'aborted' });
    assert.deepEqual(stage.bodies(), ['U']);
    assert.equal(stage.audited.filter(({ kind }) => kind === 'request-intent').length, 3);
  });

  it('has the user’s choice about its secrets and its address, without another question', async () => {
    for (const choice of ['send-as-is', 'send-masked'] as const) {
      const stage = new Picky('usage', 'tools');
      const { confirmSend, seen } = answering(choice);
      const asked = { ...outgoing(asks('First'), asks('A SECRET')), cameFrom: 'https://elsewhere.test' };
      const { events, secrets } = await stage.dispatch.send(
        { ...offering, ...asked, withoutTools: () => asked },
        confirmSend,
        new AbortController().signal,
      );
      for await (const _ of events);
      const isAsIs = choice === 'send-as-is';
      assert.equal(secrets, isAsIs ? 'as-is' : 'mask');
      assert.equal(seen.length, 1);
      assert.equal(stage.sent.length, 3);
      for (const { request } of stage.sent) assert.equal(request.body.includes('A SECRET'), isAsIs);
    }
  });

  it('is not sent or recorded if something else changed in the meantime', async () => {
    const changes: readonly (readonly [RequestChange, (stage: Picky) => void])[] = [
      ['headers', (stage) => (stage.settings['svc.compliance.securityLevel'] = 'high')],
      ['address', (stage) => (stage.settings['svc.baseUrl'] = 'http://127.0.0.1:2/api/v1')],
      ['body', (stage) => (stage.settings['svc.model.chat'] = 'svc/other')],
      ['key', (stage) => (stage.key = 'svc_ent_other')],
      ['rules', (stage) => (stage.rules = { ...openPolicy, requireAuditLog: true })],
    ];
    for (const [name, change] of changes) {
      const stage = new Picky('usage');
      stage.before = () => change(stage);
      await assert.rejects(stage.send(plain), { kind: 'gate', code: 'changed', details: { changes: [name] } });
      assert.deepEqual(stage.bodies(), ['U'], name);
      assert.equal(stage.audited.filter(({ kind }) => kind === 'request-intent').length, 1);
    }
  });

  it('has only the time that the refused one left', async () => {
    const stage = new Picky('usage');
    await stage.send(plain);
    const [first = 0, second = 0] = stage.sent.map(({ key }) => key.limits?.attemptsMs);
    assert.equal(first, 120_000);
    assert.ok(second > 0 && second < first, `${second} ms`);
  });

  it('is not sent after a stop', async () => {
    const stage = new Picky('usage');
    const stop = new AbortController();
    stage.before = () => stop.abort();
    const { events } = await stage.dispatch.send(plain, nobodyAsked, stop.signal);
    await assert.rejects(events.next(), { kind: 'aborted' });
    assert.deepEqual(stage.bodies(), ['U']);
  });
});
