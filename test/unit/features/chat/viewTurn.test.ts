import assert from 'node:assert/strict';
import { shortenedBy } from '../../../../src/send/budget/leftOut.ts';
import type { Summary } from '../../../../src/session/conversation/summary.ts';
import { ServiceError } from '../../../../src/util/errors.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { type TurnFields, turnOf, type ViewFields } from '../../../tools/turns.ts';
import { preview } from '../../session/fakeDispatch.ts';

const turn: TurnFields = { parent: 's', askedAt: 0, answer: 'A', model: 'svc/auto' };
const headers = [{ name: 'Svc-Security-Level', value: 'high', setBy: [] }];

describe('the view of a turn', () => {
  let viewTurn: typeof import('../../../../src/features/chat/vscode/turn/viewTurn.ts').viewTurn;
  before(async () => {
    ({ viewTurn } = await hostModule<typeof import('../../../../src/features/chat/vscode/turn/viewTurn.ts')>(
      'src/features/chat/vscode/turn/viewTurn.ts',
      'en',
    ));
  });

  const view = (fields: TurnFields): ViewFields => viewTurn(turnOf(fields));

  it('has how it ended, model and usage in the line below an answer', () => {
    const of = (more: TurnFields): string | undefined => view({ ...turn, ...more }).footer;
    assert.equal(of({ finishReason: 'stop' }), 'svc/auto');
    assert.equal(
      of({ finishReason: 'stop', headers, serviceRequestId: 'req_1', usage: { totalTokens: 1204 } }),
      'svc/auto · 1,204 tokens',
    );
    for (const finishReason of ['length', 'max_tokens'])
      assert.equal(of({ finishReason }), 'stopped at the maximum length · svc/auto');
    assert.equal(of({ finishReason: 'SAFETY' }), 'stopped by the content filter · svc/auto');
    assert.equal(of({ finishReason: 'network_error' }), 'ended for another reason: network_error · svc/auto');
    assert.equal(of({ finishReason: 'tool_calls_missing' }), 'announces a tool call, but contains none · svc/auto');
    assert.equal(of({ finishReason: 'unknown' }), 'svc/auto');
    assert.equal(of({ status: 'stopped', masked: 2 }), 'stopped · svc/auto · secrets masked: 2');
    assert.equal(of({ status: 'stopped', model: null, answer: '' }), 'stopped · not sent');
    assert.equal(of({ status: 'streaming' }), undefined);
  });

  it('is a plan that can be carried out only if it was asked for and is complete', () => {
    const isPlan = (more: TurnFields): unknown => view({ ...turn, mode: 'plan', ...more }).isPlan;
    assert.equal(isPlan({ finishReason: 'stop' }), true);
    assert.equal(isPlan({ mode: 'change' }), undefined);
    assert.equal(isPlan({ finishReason: 'length' }), undefined);
    for (const status of ['stopped', 'interrupted', 'failed', 'streaming', 'calling'] as const)
      assert.equal(isPlan({ status }), undefined, status);
  });

  it('says that the proposals of a stopped turn are kept only while they are', () => {
    const error = new ServiceError('interrupted', 'Stopped.', { code: 'same-call' });
    const detail = (more: TurnFields): string =>
      view({ ...turn, status: 'interrupted', error, ...more }).card?.detail ?? '';
    assert.match(detail({ hasProposed: true }), /^What was proposed is kept\./);
    assert.match(detail({}), /^What has arrived is kept\./);
  });

  it('offers to continue a turn that ended early after text or tool calls', () => {
    const call = { id: '0.0', callId: 'c', name: 'read_file', input: {}, round: 0, at: 0, state: 'done' } as const;
    const error = new ServiceError('interrupted', 'stopped', { code: 'same-call' });
    const of = (more: TurnFields) => view({ ...turn, status: 'interrupted', error, ...more }).card?.actions[0]?.id;
    assert.deepEqual(
      [of({}), of({ answer: '', steps: [call] }), of({ answer: '', steps: [] })],
      ['continue', 'continue', 'retry'],
    );
  });

  it('says why an answer ended early', () => {
    const of = (more: TurnFields) => view({ ...turn, ...more }).cut;
    for (const finishReason of ['length', 'max_tokens', 'MAX_TOKENS']) assert.equal(of({ finishReason }), 'length');
    assert.equal(of({ finishReason: 'content_filter' }), 'filter');
    for (const finishReason of ['stop', 'unknown']) assert.equal(of({ finishReason }), undefined);
    assert.equal(of({ finishReason: 'length', status: 'streaming' }), undefined);
  });

  it('says whether several blocks of its code name a file', () => {
    const of = (answer: string, more: TurnFields = {}) => view({ ...turn, answer, ...more }).hasFiles;
    const block = (info: string, code = 'a();'): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;
    const both = `${block('ts title="a.ts"')}**src/b.ts**\n\n${block('ts')}`;
    assert.equal(of(both), true);
    assert.equal(of(`${block('ts title="a.ts"')}${block('ts')}${block('sh')}`), undefined);
    assert.equal(of(block('diff', '--- a/a.ts\n+++ b/a.ts\n-a\n+b\n--- a/c.ts\n+++ b/c.ts\n-a\n+b')), true);
    assert.equal(of('No code.'), undefined);
    assert.equal(of(both, { status: 'streaming' }), undefined);
    assert.equal(of(both, { finishReason: 'length' }), undefined);
  });

  it('says in which form its requests were sent, if that is not the usual one', () => {
    const notes = (more: TurnFields) => view({ ...turn, ...more }).notes;
    const form = { requests: 1, changed: [], unsent: [], tools: [] } as const;
    assert.equal(notes({}), undefined);
    assert.deepEqual(notes({ isWithoutTools: true }), [
      'This answer was made without tools: svc/auto did not accept the request with them.',
    ]);
    assert.deepEqual(
      notes({ sentForm: { ...form, requests: 3, changed: ['usage', 'temperature'], unsent: ['temperature'] } }),
      [
        '3 requests were sent, because the service refused the first. Changed: no token counts are asked for.',
        'svc.request.temperature was not sent: svc/auto does not accept it.',
      ],
    );
    const written = '<tool_call>\n{"name":"look","arguments":{}}\n</tool_call>';
    assert.deepEqual(notes({ answer: written }), ['The answer contains a tool call as text. It was not run.']);
    assert.equal(notes({ answer: `\`\`\`\n${written}\n\`\`\`` }), undefined);
    // While it arrives, it may become another text.
    assert.equal(notes({ answer: written, status: 'streaming' }), undefined);
    const tools = Array.from({ length: 12 }, (_, index) => `tool_${index}\u202e`);
    assert.deepEqual(notes({ sentForm: { ...form, unsent: ['max-tokens'], tools } }), [
      'svc.request.maxTokens was not sent: svc/auto does not accept it.',
      `The service did not accept these tools: ${tools
        .slice(0, 8)
        .map((name) => name.replace('\u202e', '\\u202e'))
        .join(', ')} and 4 more.`,
    ]);
  });

  it('lets its code be used after a question where it may be complete', () => {
    const asks = (more: TurnFields) => view({ ...turn, ...more }).asksToUse;
    const clean = { code: 'end', details: { isClean: true } } as const;
    for (const finishReason of ['unknown', 'network_error', 'tool_calls_missing'])
      assert.equal(asks({ finishReason }), true);
    assert.equal(asks({ status: 'interrupted', error: new ServiceError('interrupted', 'end', clean) }), true);
    for (const finishReason of ['stop', 'length', 'content_filter']) assert.equal(asks({ finishReason }), undefined);
    assert.equal(
      asks({ status: 'interrupted', error: new ServiceError('interrupted', 'end', { code: 'end' }) }),
      undefined,
    );
    assert.equal(asks({ status: 'stopped', finishReason: 'unknown' }), undefined);
  });

  it('says how long the model thought, with the thinking as it is', () => {
    const of = (thinking: NonNullable<TurnFields['thinking']>) => view({ ...turn, thinking });
    const text = '<b>a</b> [b](command:c)';
    assert.equal(of({ text, ms: 0, since: 1 }).thought?.label, 'Thinking…');
    assert.equal(of({ text, ms: 12_400 }).thought?.label, 'Thought for 12 s');
    assert.equal(of({ text, ms: 125_000 }).thought?.label, 'Thought for 2 min 5 s');
    assert.equal(of({ text, ms: 3 }).thought?.label, 'Thought process');
    assert.equal(of({ text, ms: 3 }).thinking, text);
    const rest = 'The limit is 64 kB. The rest is not shown.';
    assert.deepEqual(of({ text, ms: 1_000, isCut: true }).thought, { label: 'Thought for 1 s', isOpen: false, rest });
    assert.ok(!('thinking' in view(turn)) && !('thought' in view(turn)));
  });

  it('names what its request left out, with the question of each part', () => {
    const part = { turn: 'a', question: 'What does\n it do?', label: 'a.ts', bytes: 2048 } as const;
    const parts = [
      { ...part, kind: 'turn', label: '' },
      { ...part, kind: 'attachment' },
      { ...part, kind: 'attachment' },
      { ...part, kind: 'result', label: 'read_file' },
    ] as const;
    const { leftOut } = view({ ...turn, shortened: shortenedBy(parts, 41_000) });
    assert.equal(
      leftOut?.label,
      'Left out to stay within the limit: 1 turn, 2 attachments, 1 tool result (about 41,000 tokens)',
    );
    assert.deepEqual(leftOut?.parts, [
      'answer and attachments, 2 kB – What does it do?',
      'a.ts, 2 kB – What does it do?',
      'a.ts, 2 kB – What does it do?',
      'result of read_file, 2 kB – What does it do?',
    ]);
    // As in a conversation that was stored.
    const stored = { parts: [], counts: { turn: 0, attachment: 2, result: 0 }, tokens: 9 };
    assert.deepEqual(view({ ...turn, shortened: stored }).leftOut, {
      label: 'Left out to stay within the limit: 2 attachments (about 9 tokens)',
      parts: [],
    });
    assert.ok(!('leftOut' in view(turn)));
  });

  it('says that it was sent again shorter, or that the model may not have read all of it', () => {
    const of = (more: TurnFields) => view({ ...turn, ...more }).notice;
    assert.match(of({ sentAgain: { window: 32_768 } })?.title ?? '', /^svc\/auto reads about 32,768 tokens at most\./);
    assert.match(of({ sentAgain: {} })?.title ?? '', /^The question was too long for svc\/auto\./);
    const declared = of({ sentAgain: { window: 32_768, declared: 131_072 } });
    assert.equal(declared?.detail, 'In svc.context.windows, the window is larger: 131,072 tokens.');
    assert.deepEqual(
      declared?.actions.map(({ id, setting }) => [id, setting]),
      [['setModelWindow', undefined]],
    );
    // A number that is wrong can be corrected where it is shown.
    assert.deepEqual(
      [of({ sentAgain: { window: 4021 } }), of({ sentAgain: {} })].map((notice) => notice?.actions.map(({ id }) => id)),
      [['setModelWindow'], []],
    );
    const cardOf = (error: ServiceError) =>
      view({ ...turn, status: 'failed', error }).card?.actions.map(({ id }) => id);
    const refused = (contextTokens?: number) =>
      new ServiceError('request', 'no', { status: 400, code: 'context-length', contextTokens });
    assert.ok(cardOf(refused(4021))?.includes('setModelWindow'));
    assert.ok(!cardOf(refused())?.includes('setModelWindow'));
    for (const code of ['question-too-long', 'conversation-too-long'] as const) {
      const details = { tokens: 9000, learned: { model: 'svc/auto', tokens: 4021 } };
      const blocked = new ServiceError('gate', 'no', { code, contextTokens: 2000, details });
      assert.ok(cardOf(blocked)?.includes('setModelWindow'));
      assert.ok(!cardOf(new ServiceError('gate', 'no', { code }))?.includes('setModelWindow'));
    }
    const readsLess = of({ sentAgain: {}, readsLess: { counted: 4096, sent: 9000 } });
    assert.match(readsLess?.detail ?? '', /counted 4,096 tokens of about 9,000 /);
    assert.deepEqual([readsLess?.severity, readsLess?.actions[0]?.id], ['warning', 'setModelWindow']);
    // A name that the setting has no form for.
    const odd = of({ model: 'a=b c', readsLess: { counted: 4096, sent: 9000 } });
    assert.deepEqual([odd?.actions[0]?.id, odd?.actions[0]?.setting], ['openSettings', 'svc.context.windows']);
    assert.equal(of({}), undefined);
  });

  it('shows what is sent instead of it and the turns before it', () => {
    const of = (more: Partial<Summary>) =>
      view({ ...turn, summary: { text: '# x', turns: 14, model: 'svc/auto', ...more } }).summary;
    assert.deepEqual(of({ usage: { totalTokens: 1204 }, requestId: 'r1', requested: headers }), {
      text: '# x',
      label: 'Summary of 14 turns, sent instead of them. Your questions are still sent word for word.',
      footer: 'svc/auto · 1,204 tokens',
      receipt: view({ ...turn, serviceRequestId: 'r1', headers }).receipt,
    });
    assert.match(of({ turns: 1 })?.label ?? '', /^Summary of 1 turn, sent instead of it\./);
    const shortened = { parts: [], counts: { turn: 2, attachment: 0, result: 0 }, tokens: 9 };
    const { footer, leftOut } = of({ isEdited: true, masked: 2, shortened }) ?? {};
    assert.equal(footer, 'edited · svc/auto · secrets masked: 2');
    assert.equal(leftOut?.label, 'Left out to stay within the limit: 2 turns (about 9 tokens)');
    const files = of({ contentLeftOut: [{ files: ['.env'], lines: 4, where: 'read_file' }] })?.contentLeftOut;
    assert.equal(files?.label, 'Left out as excluded: text of .env');
    assert.ok(!('summary' in view(turn)));
  });

  it('names the host that the request of an error was sent to, never the one that is set now', () => {
    const titleOf = (error: ServiceError, origin?: string) =>
      view({ ...turn, status: 'failed', error, ...(origin === undefined ? {} : { origin }) }).card?.title;
    const timeout = (origin?: string) => new ServiceError('timeout', '', { code: 'attempts', origin });
    assert.equal(titleOf(timeout('https://svc.one.example:8443')), 'svc.one.example:8443 did not answer in time');
    // The summary of its earlier turns was sent elsewhere than the question before.
    assert.equal(titleOf(timeout('https://new.example'), 'https://old.example'), 'new.example did not answer in time');
    // An earlier version did not store the origin of an error, or of a turn.
    assert.equal(titleOf(timeout(), 'https://old.example'), 'old.example did not answer in time');
    assert.equal(titleOf(timeout()), 'the service did not answer in time');
    for (const broken of ['', 'no origin', 'javascript:alert(1)', '//x', 'https://'])
      assert.equal(titleOf(timeout(broken)), 'the service did not answer in time');
    const noKey = new ServiceError('auth', '', { code: 'no-key', origin: 'https://a.example' });
    assert.equal(titleOf(noKey, 'https://old.example'), 'No API key is stored for a.example');
    const retry = { untilMs: 0, attempt: 1, error: new ServiceError('network', '', { origin: 'https://a.example' }) };
    assert.equal(view({ ...turn, status: 'retrying', retry }).retry?.reason, 'Cannot reach a.example');
  });

  it('waits for a summary of earlier turns, or says why none was made', () => {
    const shown = view({ ...turn, answer: '', status: 'waiting', summarizing: 14 });
    assert.deepEqual([shown.waitsFor, shown.card], ['Summarizing 14 turns…', undefined]);
    const failed = (error: ServiceError) => {
      const { card, waitsFor } = view({ ...turn, answer: '', status: 'failed', summarizing: 14, error });
      assert.equal(waitsFor, undefined);
      return [card?.title, card?.detail, card?.actions.map(({ id }) => id).join()];
    };
    const actions = 'summarize,leaveOutTurns,newChat';
    assert.deepEqual(failed(new ServiceError('protocol', '', { code: 'summary-cut', details: { cut: 'length' } })), [
      'The conversation was not summarized: The summary reached the maximum length and was cut off',
      'Nothing was changed.',
      actions,
    ]);
    assert.deepEqual(failed(new ServiceError('server', '', { status: 503, requestId: 'r1' })), [
      'The conversation was not summarized: The service reported an internal error (503)',
      'Nothing was changed. Request r1.',
      `${actions},checkHealth`,
    ]);
    // The first question of a conversation has none before it.
    const error = new ServiceError('request', '', { code: 'context-length' });
    const first = view({ ...turn, parent: null, status: 'failed', error }).card;
    assert.deepEqual(
      first?.actions.map(({ id }) => id),
      ['newChat', 'selectModel'],
    );
  });

  it('names the files that were not sent again, and those of which only changes were sent', () => {
    assert.deepEqual(view({ ...turn, repeated: ['a.ts'] }).repeated, ['a.ts']);
    assert.deepEqual(view({ ...turn, changesOnly: ['a.ts'] }).changesOnly, ['a.ts']);
    assert.ok(!('repeated' in view(turn)) && !('changesOnly' in view(turn)));
  });

  it('has headers and request id on demand, also without a report of the service', () => {
    const of = (more: TurnFields) => view({ ...turn, ...more }).receipt;
    const shown = [{ name: 'Svc-Security-Level', requested: 'high', said: 'nothing', verdict: 'not-confirmed' }];
    const facts = [{ name: 'Request ID', value: 'req_1' }];
    assert.equal(of({}), undefined);
    assert.deepEqual(of({ serviceRequestId: 'req_1' }), {
      label: 'Request Details',
      facts,
      headers: [],
      contradictions: [],
      text: '',
    });
    assert.deepEqual(of({ headers, serviceRequestId: 'req_1' }), {
      label: 'Request Details',
      facts,
      headers: shown,
      contradictions: [],
      text: '',
    });
    const receipt = { verdict: 'confirmed', headers: [], text: '{}' } as const;
    assert.deepEqual(of({ headers, serviceRequestId: 'req_1', receipt }), {
      ...{ verdict: 'confirmed', label: 'Confirmed by the service', facts, headers: [], text: '{}' },
      contradictions: [],
    });
    assert.equal(of({ status: 'streaming', headers, serviceRequestId: 'req_1' }), undefined);
    const different = [
      { name: 'Svc-Security-Level', requested: 'high', said: 'standard', verdict: 'contradicted' },
      { name: 'Svc-Zero-Retention', requested: 'true', said: null, verdict: 'not-confirmed' },
      { name: 'Svc-Data-Residency', requested: 'eu-west', said: 'us-east', verdict: 'contradicted' },
    ] as const;
    assert.deepEqual(of({ receipt: { verdict: 'contradicted', headers: different, text: '' } })?.contradictions, [
      'Svc-Security-Level: You asked for high; the service reports standard.',
      'Svc-Data-Residency: You asked for eu-west; the service reports us-east.',
    ]);
  });

  it('has its wait as a duration, only while it waits for a request that was sent', () => {
    const waited = (more: TurnFields) => view({ ...turn, status: 'waiting', ...more }).waitedMs;
    const sentAt = Date.now() - 7_000;
    const found = waited({ sentAt }) ?? assert.fail('no wait');
    assert.ok(found >= 7_000 && found <= Date.now() - sentAt);
    assert.equal(waited({}), undefined);
    const retry = { untilMs: 0, attempt: 1, error: new ServiceError('network', '', { externalCode: 'EPIPE' }) };
    const confirmation = { preview, found: [], leftOutOfMessage: [] };
    for (const status of ['streaming', 'retrying', 'calling', 'confirming', 'complete'] as const) {
      assert.equal(waited({ sentAt, status, retry, confirmation }), undefined);
    }
    // The clock of the machine was set back.
    assert.equal(waited({ sentAt: Date.now() + 60_000 }), 0);
  });
});
