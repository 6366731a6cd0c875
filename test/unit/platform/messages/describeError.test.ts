import assert from 'node:assert/strict';
import { errorKinds } from '../../../../src/util/errorKinds.ts';
import { ServiceError, type ServiceErrorInit, type ServiceErrorKind } from '../../../../src/util/errors.ts';
import { hostModule } from '../../../tools/hostModule.ts';

describe('the text of an error card', () => {
  async function cardFor(kind: ServiceErrorKind, init: ServiceErrorInit = {}, canContinue = false, files?: string[]) {
    const { describeError } = await hostModule<
      typeof import('../../../../src/platform/messages/errors/describeError.ts')
    >('src/platform/messages/errors/describeError.ts', 'en');
    const context = {
      canRetry: true,
      canContinue,
      ...(files === undefined ? {} : { question: { files, isFirst: false } }),
    };
    const card = describeError(new ServiceError(kind, 'For the log.', init), context);
    assert.ok(card !== null);
    return { ...card, ids: card.actions.map(({ id }) => id) };
  }

  it('names an internal error as ours, with its class', async () => {
    const card = await cardFor('internal', { code: 'internal', reason: 'TypeError' });
    assert.match(`${card.title} ${card.detail}`, /Svc Coder failed .*\(TypeError\), not in the service/);
    assert.deepEqual(card.ids, ['retry']);
  });

  it('names the instructions that are in the way, and offers to leave them out', async () => {
    const file = (label: string) => ({ label, uri: `file:///${label}` });
    const about = { code: 'settings' } as const;
    const none = await cardFor('policy', about);
    assert.doesNotMatch(none.detail ?? '', /instructions/);
    assert.ok(!none.ids.includes('leaveOutConflicting'));
    const one = await cardFor('policy', { ...about, details: { instructions: [file('lib/AGENTS.md')] } });
    assert.match(one.detail ?? '', /lib\/AGENTS\.md is included as instructions/);
    assert.equal(one.ids[0], 'leaveOutConflicting');
    const both = [file('app/AGENTS.md'), file('lib/AGENTS.md')];
    const two = await cardFor('policy', { ...about, details: { instructions: both } });
    assert.match(two.detail ?? '', /app\/AGENTS\.md and lib\/AGENTS\.md are included/);
    const broken = await cardFor('policy', { code: 'settings-file', file: 'x', details: { instructions: both } });
    assert.match(broken.detail ?? '', /app\/AGENTS\.md and lib\/AGENTS\.md are included/);
    assert.equal(broken.ids[0], 'leaveOutConflicting');
  });

  it('names the attachments that are in the way, and offers to leave one out', async () => {
    const file = (label: string) => ({ label, uri: `file:///${label}` });
    const about = { code: 'settings' } as const;
    const two = await cardFor('policy', {
      ...about,
      details: { attached: [file('app/pay.ts'), file('lib/fee.ts:3-9')] },
    });
    assert.match(two.detail ?? '', /of their folders apply because app\/pay\.ts and lib\/fee\.ts:3-9 are attached/);
    assert.equal(two.ids[0], 'leaveOutAttached');
    assert.ok(!two.ids.includes('leaveOutConflicting'));
    const one = await cardFor('policy', { ...about, details: { attached: [file('lib/fee.ts')] } });
    assert.match(one.detail ?? '', /of its folder apply because lib\/fee\.ts is attached/);
  });

  it('names what is known of an audit log that cannot be written', async () => {
    const about = { code: 'audit-unwritable', file: '/log' } as const;
    assert.match((await cardFor('gate', { ...about, reason: 'ENOSPC' })).detail ?? '', /is sent\. ENOSPC \/log$/);
    assert.match((await cardFor('gate', about)).detail ?? '', /is sent\. \/log$/);
    assert.match((await cardFor('gate', { code: 'audit-unwritable' })).detail ?? '', /is sent\.$/);
  });

  it('names a daily limit, how much is used, who set it, and when it ends', async () => {
    const about = { code: 'day-limit', file: '/etc/svc/policy.json' } as const;
    const endsAt = new Date(2026, 10, 28).getTime();
    const requests = { what: 'requests', used: 1_500, limit: 1_500, endsAt } as const;
    const { title, detail, ids } = await cardFor('gate', { ...about, details: { dayLimit: requests } });
    assert.equal(title, 'Nothing was sent: a daily limit is reached');
    assert.match(
      detail ?? '',
      /^1,500 of the 1,500 requests of today are used\. Your administrator has set this limit in /,
    );
    assert.match(
      detail ?? '',
      /in \/etc\/svc\/policy\.json\. It is for a day in UTC, which ends at Nov 28, 2026, 12:00\sAM on the clock of this machine\.$/,
    );
    assert.deepEqual(ids.slice(0, 2), ['showPolicy', 'retry']);
    const tokens = { ...requests, what: 'tokens' } as const;
    assert.match((await cardFor('gate', { ...about, details: { dayLimit: tokens } })).detail ?? '', /tokens of today/);
    assert.equal((await cardFor('gate', { code: 'day-limit' })).detail, undefined);
  });

  it('names what waits for the collector, how much may, and why', async () => {
    const about = { code: 'not-delivered', host: 'logs.example.com' } as const;
    const size = { bytes: 2_097_152, limit: 1_048_576 };
    const refused = new ServiceError('network', '', { externalCode: 'ECONNREFUSED' });
    const { title, detail, ids } = await cardFor('gate', { ...about, details: { size, failure: refused } });
    assert.match(title, /^Nothing was sent/);
    assert.match(detail ?? '', /logs\.example\.com: 2 MB; the limit is 1 MB\. .*failed: ECONNREFUSED\.$/);
    assert.deepEqual(ids.slice(0, 2), ['retry', 'showPolicy']);
    assert.doesNotMatch((await cardFor('gate', { ...about, details: { size } })).detail ?? '', /failed/);
    assert.match((await cardFor('gate', { code: 'not-delivered' })).detail ?? '', /more is sent\.$/);
    assert.match((await cardFor('storage', about)).detail ?? '', /delivered to logs\.example\.com before/);
  });

  it('takes its title from what the service means, not from the status', async () => {
    for (const [kind, init, title, first] of [
      ['auth', { status: 401, code: 'page' }, /^A web page answered in place of .*\(401\)$/, 'diagnoseConnection'],
      [
        'permission',
        { status: 403, code: 'page' },
        /^A web page answered in place of .*\(403\)$/,
        'diagnoseConnection',
      ],
      ['request', { status: 403, code: 'quota' }, /^The quota or the budget at .* is used up$/, 'selectModel'],
      ['request', { status: 400, code: 'quota' }, /^The quota or the budget at .* is used up$/, 'selectModel'],
      ['request', { status: 400, code: 'content-filter' }, /^The content filter of the service refused/, 'newChat'],
      ['permission', { status: 403 }, /^Your API key has no permission/, 'selectModel'],
      ['protocol', { code: 'doubtful-end', reason: 'abort' }, /^The answer ended for another reason: abort$/, 'retry'],
      [
        'protocol',
        { code: 'tool-call-cut', details: { cut: 'other' } },
        /^The service ended the answer during a tool/,
        'retry',
      ],
    ] as const) {
      const card = await cardFor(kind, init as ServiceErrorInit, false, []);
      assert.match(card.title, title);
      assert.equal(card.ids[0], first, card.title);
      if ('code' in init && init.code === 'page') assert.ok(!card.ids.includes('setApiKey'));
    }
    const said = await cardFor('request', { code: 'quota', status: 403, serviceMessage: 'Monthly quota exhausted.' });
    assert.match(said.detail ?? '', /^Monthly quota exhausted\./);
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

  it('states a size with as many digits as it takes to see that it is above the limit', async () => {
    for (const [bytes, limit, words] of [
      [4_200_451, 4_194_304, '4.01 MB; the limit is 4 MB'],
      [4_194_305, 4_194_304, '4.000001 MB; the limit is 4 MB'],
      [3000, 1000, '2.9 kB; the limit is 1,000 bytes'],
      [1001, 1000, '1,001 bytes; the limit is 1,000 bytes'],
    ] as const) {
      const card = await cardFor('gate', { code: 'too-large', details: { size: { bytes, limit } } });
      assert.equal(card.detail, `It has ${words}. Attach a selection instead, or start a new chat.`);
    }
  });

  it('states what is kept of an interrupted answer', async () => {
    const card = await cardFor('interrupted', { code: 'end' }, true);
    assert.deepEqual([card.title, card.detail], ['The answer was interrupted', 'The partial answer was kept.']);
  });

  it('states which rule stopped a turn, and that Continue continues', async () => {
    for (const [code, title] of [
      ['calls', 'Stopped: the model made the maximum number of tool calls'],
      ['requests', 'Stopped: the tool calls needed 30 requests'],
      ['tokens', 'Stopped: the turn used 1,000,000 tokens'],
      ['failures', 'Stopped: 6 tool calls in a row were refused or failed'],
      ['same-call', 'Stopped: the model made the same tool call four times'],
      ['circle', 'Stopped: the model repeated the same few tool calls'],
    ] as const) {
      const card = await cardFor('interrupted', { code }, true);
      assert.deepEqual([card.title, card.severity, card.ids], [title, 'warning', ['continue', 'retry']]);
      assert.match(card.detail ?? '', /^What has arrived is kept\. Continue/);
    }
  });

  it('states that what a stopped turn has proposed is kept', async () => {
    const { describeError } = await hostModule<
      typeof import('../../../../src/platform/messages/errors/describeError.ts')
    >('src/platform/messages/errors/describeError.ts', 'en');
    const error = new ServiceError('interrupted', 'For the log.', { code: 'circle' });
    const card = describeError(error, { canRetry: true, canContinue: true, hasProposed: true });
    assert.match(card?.detail ?? '', /^What was proposed is kept\. Continue/);
  });

  it('states that the answer was truncated if a tool call is incomplete', async () => {
    const card = await cardFor('protocol', { code: 'tool-call-cut', details: { cut: 'length' } });
    assert.match(card.title, /maximum length during a tool call/);
    assert.equal(card.actions.at(-1)?.setting, 'svc.request.maxTokens');
  });

  it('offers first what helps', async () => {
    const idsOf = async (...about: Parameters<typeof cardFor>) => (await cardFor(...about)).ids;
    assert.deepEqual(await idsOf('interrupted', { code: 'end' }, true), ['continue', 'retry']);
    assert.deepEqual(await idsOf('timeout', { code: 'stall' }, true), [
      'continue',
      'retry',
      'checkHealth',
      'openSettings',
    ]);
    // Another try does not help where the network or its settings are wrong.
    assert.deepEqual(await idsOf('network', { externalCode: 'ENOTFOUND' }), [
      'diagnoseConnection',
      'retry',
      'openSettings',
    ]);
    const fixed = ['openSettings', 'diagnoseConnection', 'retry'];
    assert.deepEqual(await idsOf('proxy', { code: 'proxy-url' }), fixed);
    assert.deepEqual(await idsOf('certificate', { externalCode: 'CERT_HAS_EXPIRED' }), fixed);
    assert.equal((await idsOf('protocol', { code: 'html' }))[0], 'diagnoseConnection');
    const excluded = { code: 'excluded', file: '.env' } as const;
    assert.deepEqual(await idsOf('gate', excluded, false, ['.env', 'a.ts']), ['removeFile', 'newChat']);
    // It came with an earlier question, which still has its answer.
    assert.deepEqual(await idsOf('gate', excluded, false, ['a.ts']), ['newChat']);
    assert.deepEqual(await idsOf('gate', { code: 'too-large', file: 'a.ts' }, false, ['a.ts']), [
      'removeFile',
      'newChat',
    ]);
    assert.deepEqual(await idsOf('gate', { code: 'too-large' }, false, []), ['newChat']);
    assert.deepEqual(await idsOf('request', { status: 413 }, false, []), ['newChat']);
    // A command has no question and no conversation.
    assert.deepEqual(await idsOf('gate', excluded), []);
  });

  it('says what helps if a conversation or a question is over the limit, and leads to the setting', async () => {
    const sizes = { contextTokens: 100_000, details: { tokens: 131_000 } };
    const long = await cardFor('gate', { ...sizes, code: 'conversation-too-long' }, false, []);
    assert.equal(
      long.title,
      'This conversation exceeds the context window of the model: about 131,000 tokens; the limit is 100,000',
    );
    assert.deepEqual(
      long.actions.map(({ id, setting }) => [id, setting]),
      [
        ['summarize', undefined],
        ['leaveOutTurns', undefined],
        ['newChat', undefined],
        ['openSettings', 'svc.context.maxTokens'],
      ],
    );
    const question = await cardFor('gate', { ...sizes, code: 'question-too-long', file: 'a.ts' }, false, ['a.ts']);
    assert.match(
      question.detail ?? '',
      /Remove a\.ts, attach a selection instead, or raise the limit in the settings\.$/,
    );
    assert.equal(question.actions[0]?.id, 'removeFile');
    const details = { ...sizes.details, files: ['a.ts', 'b.ts'] };
    const several = { ...sizes, code: 'question-too-long', file: 'a.ts, b.ts', details } as const;
    const two = await cardFor('gate', several, false, ['b.ts', 'a.ts', 'c.ts']);
    assert.match(two.detail ?? '', /Remove a\.ts, b\.ts, attach a selection instead/);
    assert.deepEqual([two.actions[0]?.id, two.actions[0]?.label], ['removeFile', 'Remove Files']);
    // As stored: without sizes and names. A command has no conversation.
    const stored = await cardFor('gate', { code: 'question-too-long' });
    assert.equal(stored.detail, 'Ask a shorter question, or raise the limit in the settings.');
    const { actions } = await cardFor('gate', { code: 'conversation-too-long' });
    assert.deepEqual(
      actions.map(({ id }) => id),
      ['openSettings'],
    );
  });

  it('says how much the model can read, and offers only what makes the request shorter', async () => {
    const about = { code: 'context-length', contextTokens: 32_768, serviceMessage: 'Too much.', status: 400 } as const;
    const asked = await cardFor('request', { ...about, file: 'a.ts' }, false, ['a.ts']);
    assert.equal(asked.title, 'The request is too long for the model');
    assert.equal(
      asked.detail,
      'The context window of the model has 32,768 tokens. Remove a.ts, start a new chat, or select a model with a larger context window. Too much. Status 400.',
    );
    assert.deepEqual(asked.ids, ['removeFile', 'summarize', 'newChat', 'selectModel', 'setModelWindow']);
    // The settings say more.
    const declared = await cardFor('request', { ...about, reason: '131072' }, false, []);
    assert.match(
      declared.detail ?? '',
      /has 32,768 tokens\. In svc\.context\.windows, the window is larger: 131,072 tokens\. Start/,
    );
    assert.deepEqual(declared.ids, ['summarize', 'newChat', 'selectModel', 'setModelWindow', 'openSettings']);
    assert.equal(declared.actions.at(-1)?.setting, 'svc.context.windows');
    const without = await cardFor('request', { code: 'context-length' }, false, []);
    assert.equal(without.detail, 'Start a new chat, or select a model with a larger context window.');
    assert.deepEqual(without.ids, ['summarize', 'newChat', 'selectModel']);
    // A command has no conversation.
    const command = await cardFor('request', { ...about, file: 'a.ts' });
    assert.doesNotMatch(command.detail ?? '', /Remove|chat/);
    assert.deepEqual(command.ids, ['selectModel']);
  });

  it('shows a status only if it is a failure, and once', async () => {
    const detailOf = async (...about: Parameters<typeof cardFor>) => (await cardFor(...about)).detail ?? '';
    assert.doesNotMatch(await detailOf('protocol', { status: 200, requestId: 'req_1' }), /200/);
    assert.equal(await detailOf('server', { status: 502, requestId: 'req_1' }), 'Request req_1.');
    assert.match(await detailOf('auth', { status: 401 }), /Status 401\.$/);
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
      // A service that does not stream sends no first text until the end.
      const isBeforeText = code === 'first-token' || code === 'attempts';
      assert.equal(card.detail?.includes('svc.request.stream.'), isBeforeText, code);
    }
    const stack = await cardFor('timeout', { code: 'host-stack' });
    assert.match(stack.detail ?? '', /five minutes/);
    assert.equal(stack.actions.at(-1)?.setting, 'svc.network.stack');
    assert.deepEqual((await cardFor('timeout', { code: 'check' })).ids, ['retry', 'checkHealth']);
    const connect = await cardFor('network', { externalCode: 'UND_ERR_CONNECT_TIMEOUT' });
    assert.equal(connect.actions.at(-1)?.setting, 'svc.request.timeout.connect');
  });

  it('does not present 200 as a failure if the error is inside the body', async () => {
    const card = await cardFor('server', { status: 200, serviceMessage: 'Out of order' });
    assert.equal(card.title, 'The service reported an error');
    assert.match(card.detail ?? '', /^Out of order/);
    assert.equal((await cardFor('server', { status: 502 })).title, 'The service reported an internal error (502)');
  });

  /** Codes that mean the same to the user. */
  const sameWords = [
    ['timeout: trailing', 'check', 'names'],
    ['protocol: status', 'content-type', 'content-coding', 'malformed'],
    ['protocol: empty', 'no-choices', 'no-content'],
    ['interrupted: first-token', 'stall', 'attempts', 'answer', 'trailing', 'check', 'names', 'host-stack'],
    ['interrupted: end', 'reset'],
  ];

  it('differs for each code of a kind that means something else to the user', async () => {
    const same: string[][] = [];
    for (const kind of Object.keys(errorKinds) as ServiceErrorKind[]) {
      if (kind === 'aborted') continue;
      const byWords = new Map<string, string[]>();
      for (const code of errorKinds[kind].codes) {
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
        await hostModule<typeof import('../../../../src/platform/messages/errors/describeError.ts')>(
          'src/platform/messages/errors/describeError.ts',
          language,
        )
      ).describeError;
    const [english, german] = [await inLanguage('en'), await inLanguage('de')];
    for (const kind of Object.keys(errorKinds) as ServiceErrorKind[]) {
      for (const code of [...errorKinds[kind].codes, undefined]) {
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
