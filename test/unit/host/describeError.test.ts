import assert from 'node:assert/strict';
import { errorCodes, ServiceError, type ServiceErrorInit, type ServiceErrorKind } from '../../../src/util/errors.ts';
import { hostModule } from '../../tools/hostModule.ts';

describe('the text of an error card', () => {
  async function cardFor(kind: ServiceErrorKind, init: ServiceErrorInit = {}, canContinue = false) {
    const { describeError } = await hostModule<typeof import('../../../src/host/messages/describeError.ts')>(
      'src/host/messages/describeError.ts',
      'en',
    );
    const card = describeError(new ServiceError(kind, 'For the log.', init), { canRetry: true, canContinue });
    assert.ok(card !== null);
    return { ...card, ids: card.actions.map(({ id }) => id) };
  }

  it('names an internal error as ours, with its class', async () => {
    const card = await cardFor('internal', { code: 'internal', reason: 'TypeError' });
    assert.match(`${card.title} ${card.detail}`, /Svc Coder itself failed .*\(TypeError\), not of the service/);
    assert.deepEqual(card.ids, ['retry']);
  });

  it('names what is known of an audit log that cannot be written', async () => {
    const about = { code: 'audit-unwritable', file: '/log' } as const;
    assert.match((await cardFor('gate', { ...about, reason: 'ENOSPC' })).detail ?? '', /leaves\. ENOSPC \/log$/);
    assert.match((await cardFor('gate', about)).detail ?? '', /leaves\. \/log$/);
    assert.match((await cardFor('gate', { code: 'audit-unwritable' })).detail ?? '', /leaves\.$/);
  });

  it('reports an empty answer as empty, without a hint about the address', async () => {
    for (const [kind, code] of [
      ['protocol', 'empty'],
      ['protocol', 'no-choices'],
      ['protocol', 'no-content'],
      ['interrupted', 'end'],
    ] as const) {
      const card = await cardFor(kind, { code });
      assert.equal(card.title, 'The answer is empty', code);
      assert.doesNotMatch(card.detail ?? '', /svc\.baseUrl|is kept/);
      assert.ok(!card.ids.includes('openSettings'));
    }
    const noCode = await cardFor('protocol', { code: 'no-code' });
    assert.doesNotMatch(`${noCode.title} ${noCode.detail}`, /svc\.baseUrl|interface/);
    assert.deepEqual(noCode.ids, ['retry']);
  });

  it('states what is kept of an interrupted answer', async () => {
    const card = await cardFor('interrupted', { code: 'end' }, true);
    assert.deepEqual([card.title, card.detail], ['The answer broke off', 'What came before is kept.']);
  });

  it('states that the answer was truncated if a tool call is incomplete', async () => {
    const card = await cardFor('protocol', { code: 'tool-call-cut', reason: 'length' });
    assert.match(card.title, /cut at the length limit/);
    assert.equal(card.actions.at(-1)?.setting, 'svc.request.maxTokens');
  });

  it('names the setting of a time limit', async () => {
    for (const [code, setting] of [
      ['first-token', 'svc.request.timeout.firstToken'],
      ['stall', 'svc.request.timeout.betweenBytes'],
      ['attempts', 'svc.request.timeout.attempts'],
      ['answer', 'svc.request.timeout.answer'],
    ] as const) {
      const card = await cardFor('timeout', { code });
      assert.ok(card.detail?.includes(setting));
      assert.equal(card.actions.at(-1)?.setting, setting);
    }
    assert.deepEqual((await cardFor('timeout', { code: 'check' })).ids, ['retry', 'checkHealth']);
    const connect = await cardFor('network', { externalCode: 'UND_ERR_CONNECT_TIMEOUT' });
    assert.equal(connect.actions.at(-1)?.setting, 'svc.request.timeout.connect');
  });

  it('does not present 200 as a failure if the error is inside the body', async () => {
    const card = await cardFor('server', { status: 200, serviceMessage: 'Out of order' });
    assert.equal(card.title, 'The service answered with an error');
    assert.match(card.detail ?? '', /^Out of order/);
    assert.equal((await cardFor('server', { status: 502 })).title, 'The service failed (502)');
  });

  /** Codes that mean the same to the user. */
  const sameWords = [
    ['timeout: trailing', 'check', 'names'],
    ['protocol: status', 'content-type', 'content-coding', 'malformed'],
    ['protocol: empty', 'no-choices', 'no-content'],
    ['interrupted: first-token', 'stall', 'attempts', 'answer', 'trailing', 'check', 'names'],
    ['interrupted: end', 'reset'],
  ];

  it('differs for each code of a kind that means something else to the user', async () => {
    const same: string[][] = [];
    for (const kind of Object.keys(errorCodes) as ServiceErrorKind[]) {
      if (kind === 'aborted') continue;
      const byWords = new Map<string, string[]>();
      for (const code of errorCodes[kind]) {
        const init = { code, file: 'the file', reason: 'the reason', host: 'other:1' } as ServiceErrorInit;
        const { title, detail = '' } = await cardFor(kind, init, true);
        assert.notEqual(title.trim(), '', `${kind} ${code}`);
        const words = `${title} ${detail}`;
        assert.doesNotMatch(words, /undefined|\{\d/, `${kind} ${code}`);
        byWords.set(words, [...(byWords.get(words) ?? []), code]);
      }
      for (const [first, ...others] of byWords.values()) {
        if (others.length > 0) same.push([`${kind}: ${first}`, ...others]);
      }
    }
    assert.deepEqual(same.sort(), [...sameWords].sort());
  });

  it('is in German in full', async () => {
    const inLanguage = async (language: 'en' | 'de') =>
      (
        await hostModule<typeof import('../../../src/host/messages/describeError.ts')>(
          'src/host/messages/describeError.ts',
          language,
        )
      ).describeError;
    const [english, german] = [await inLanguage('en'), await inLanguage('de')];
    for (const kind of Object.keys(errorCodes) as ServiceErrorKind[]) {
      for (const code of [...errorCodes[kind], undefined]) {
        const error = new ServiceError(kind, 'For the log.', {
          code,
          file: '1',
          reason: '2',
          host: '3',
        } as ServiceErrorInit);
        const [ours, theirs] = [english, german].map((describe) =>
          describe(error, { canRetry: true, canContinue: true }),
        );
        const texts = (card: typeof ours) => [
          card?.title,
          card?.detail,
          ...(card?.actions ?? []).map(({ label }) => label),
        ];
        for (const [index, text = ''] of texts(ours).entries()) {
          if (/[a-z]/i.test(text)) assert.notEqual(texts(theirs)[index], text, `${kind} ${code}`);
        }
      }
    }
  });
});
