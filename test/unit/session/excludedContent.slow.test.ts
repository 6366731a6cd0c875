import assert from 'node:assert/strict';
import type { Outgoing, OutgoingMessage } from '../../../src/send/outgoing.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { attachment } from './attachment.ts';
import { answering, asks, outgoing, Stage } from './dispatchStage.ts';
import { recognizing } from './recognition.ts';

// Assembled here, so that secret scanners find nothing in this file.
const password = ['Wi', 'nter-7f3Kq!'].join('');
const environment = [
  '# The database of the shop',
  'SHOP_DATABASE=orders_of_the_northern_warehouse',
  `SHOP_PASSWORD=${password}`,
  'SHOP_MAILBOX=returns-and-refunds@warehouse.invalid',
].join('\n');
const mark = '[left out: 4 lines of .env]';

function stageWith(): Stage {
  const stage = new Stage();
  stage.recognition = recognizing({ '.env': environment });
  return stage;
}

const said = (text: string): OutgoingMessage => ({ role: 'assistant', parts: [text], secrets: 'mask' });
const result = (text: string): OutgoingMessage => ({
  role: 'tool',
  parts: [text],
  secrets: 'ask',
  label: 'run_in_terminal',
  toolCallId: 'c1',
});
const lines = (text: string): string => text.replace(/^/gm, '1: ');

function bodyOf(stage: Stage): string {
  return stage.sent.at(-1)?.request.body ?? assert.fail('nothing was sent');
}

describe('dispatch: the content of excluded files', () => {
  it('is left out of the result of any tool, of earlier messages and of the project’s instructions', async () => {
    for (const message of [
      result(`$ cat -n .env\n\n\n${lines(environment)}`),
      said(`It is:\n\n\n${environment}`),
      { ...asks(`I had:\n\n\n${environment}`), secrets: 'mask' } as const,
    ]) {
      const stage = stageWith();
      await stage.send(outgoing(asks('What is in it?'), message, asks('And now?')));
      const sent = stage.sent[0]?.messages.map(({ content }) => content).join('\n\n') ?? '';
      assert.match(sent, /[\s\S]{5,}\n\[left out: \d lines of \.env\]\n\nAnd now\?$/);
      assert.ok(!bodyOf(stage).includes('warehouse'));
      const intent = stage.entry('request-intent');
      assert.deepEqual(
        [intent.contentLeftOut, intent.recognition, intent.excludedFiles, intent.recognizedFiles, intent.exclusions],
        [1, 'complete', 1, 1, 0],
      );
    }
    // Of turns that are summarized, too.
    for (const text of ['Goal', `Goal:\n\n\n${environment}`]) {
      const stage = stageWith();
      const question = text === 'Goal' ? `I had:\n\n\n${environment}` : 'Hello';
      const earlier = { questions: ['First?', question], summary: { text, isEdited: true } } as const;
      const fits = { conversation: 'c', mayLeaveOutTurns: false };
      await stage.send({ ...outgoing({ ...asks('Now?'), earlier, place: { turn: 'a' } }), fits });
      const body = bodyOf(stage);
      assert.match(body, /\[left out: \d lines of \.env\]/);
      assert.doesNotMatch(body, /warehouse/);
      assert.ok(body.includes('First?') && body.includes('edited by the user'));
      assert.equal(stage.entry('request-intent').contentLeftOut, 1);
    }
    const stage = stageWith();
    await stage.send(
      outgoing({ ...asks('Hello'), lead: ['Rules.', attachment({ uri: 'untitled:a', text: environment })] }),
    );
    assert.ok(bodyOf(stage).includes(mark));
  });

  it('does not come back with the secrets that the user sends unmasked', async () => {
    const stage = stageWith();
    const { confirmSend, seen } = answering('send-as-is');
    await stage.send(outgoing(asks('A SECRET here'), said('Let me look.'), result(environment)), confirmSend);
    assert.equal(seen[0]?.found.length, 1);
    assert.ok(bodyOf(stage).includes('A SECRET here') && bodyOf(stage).includes(mark));
    assert.ok(!bodyOf(stage).includes('warehouse'));
  });

  it('content in the new message is left out after a question to the user; for an earlier message, there is no question', async () => {
    const stage = stageWith();
    const { confirmSend, seen } = answering('send-masked', 'cancel');
    await stage.send(outgoing(asks(`Why does this fail?\n\n\n${environment}`)), confirmSend);
    const [request] = seen;
    assert.deepEqual(request?.leftOutOfMessage, [{ files: ['.env'], lines: 6, where: null }]);
    assert.equal(request?.asIs, undefined);
    assert.equal(stage.sent[0]?.messages[0]?.content, 'Why does this fail?\n[left out: 6 lines of .env]');
    await assert.rejects(stage.send(outgoing(asks(`x=${password}`)), confirmSend), { kind: 'aborted' });
    assert.equal(stage.sent.length, 1);
    await stage.send({ ...outgoing(asks(`x=${password}`)), action: 'languageModel' });
    assert.equal(stage.sent[1]?.messages[0]?.content, 'x=[left out: a value of .env]');
  });

  it('is left out however often it is there, and what is too large then is refused in words', async () => {
    const stage = stageWith();
    const { confirmSend, seen } = answering('send-masked');
    const of = (count: number): string => `${password} `.repeat(count);
    await stage.send(outgoing(asks(of(90_000), attachment({ text: of(20_000), marks: [] }))), confirmSend);
    assert.equal(seen[0]?.leftOutOfMessage.length, 90_000);
    assert.equal(stage.entry('request-intent').contentLeftOut, 110_000);
    assert.ok(!bodyOf(stage).includes(password));
    await assert.rejects(stage.send(outgoing(asks(of(250_000))), confirmSend), { kind: 'gate', code: 'too-large' });
  });

  it('is left out of the arguments of calls and of the tools that are offered, leaf by leaf', async () => {
    const stage = stageWith();
    const input = { path: 'a.txt', content: environment, more: [{ value: password }, { [password]: 1 }], count: 3 };
    const calling: OutgoingMessage = { ...said(''), toolCalls: [{ id: 'c1', name: 'write', input }] };
    const offer = { tools: [{ name: 'look', description: `Looks.\n\n\n${environment}` }], choice: 'auto' as const };
    const { confirmSend } = answering('send-masked');
    await stage.send({ ...outgoing(asks('Do it'), calling, result('done')), offer }, confirmSend);
    const body = JSON.parse(bodyOf(stage));
    assert.deepEqual(JSON.parse(body.messages[1].tool_calls[0].function.arguments), {
      path: 'a.txt',
      content: mark,
      more: [{ value: '[left out: a value of .env]' }, { '[left out: a value of .env]': 1 }],
      count: 3,
    });
    assert.match(body.tools[0].function.description, /^Looks\.\n\[left out: /);
  });

  it('is left out of the last calls only after a question, because it tells the service that a guess was right', async () => {
    const stage = stageWith();
    const inTurn = (turn: string, message: OutgoingMessage): OutgoingMessage => ({ ...message, place: { turn } });
    const call = (input: { readonly query: string }): OutgoingMessage =>
      inTurn('a', { ...said(''), toolCalls: [{ id: 'c1', name: 'search_text', input }] });
    const question = inTurn('a', asks('Do it'));
    const done = inTurn('a', result('nothing'));
    const guessed = [question, call({ query: `is it ${password}?` }), done];
    const { confirmSend, seen } = answering('cancel', 'send-masked', 'cancel');
    await assert.rejects(stage.send(outgoing(...guessed), confirmSend), { kind: 'aborted' });
    assert.equal(stage.sent.length, 0);
    assert.deepEqual(seen[0]?.leftOutOfCalls, [{ files: ['.env'], lines: null, where: 'search_text' }]);
    assert.deepEqual(stage.entry('refused').asked, ['excluded-content']);
    await stage.send(outgoing(...guessed), confirmSend);
    assert.ok(!bodyOf(stage).includes(password));
    // What the model wrote beside its calls is as good a guess.
    const text = [question, { ...call({ query: 'x' }), parts: [`Is it ${password}?`] }, done];
    await assert.rejects(stage.send(outgoing(...text), confirmSend), { kind: 'aborted' });
    // The user is asked about the last calls of this turn, also before the prompt that ends it, and not about those before.
    const { confirmSend: none } = answering();
    await stage.send(outgoing(...guessed, call({ query: 'x' }), done), none);
    await stage.send(outgoing(...guessed, said('Done.'), inTurn('b', asks('And now?'))), none);
    const { confirmSend: again, seen: asked } = answering('send-masked');
    await stage.send(outgoing(...guessed, asks('Answer now.')), again);
    assert.equal(asked.length, 1);
  });

  it('only the values of an excluded file are recognized in a file that may be sent', async () => {
    const stage = stageWith();
    const text = environment.replace('# The', '# See');
    const marks = [{ rule: 'word', start: text.length - 5, end: text.length }];
    await stage.send(outgoing(asks('Hello', attachment({ text, marks }))));
    const [message] = stage.sent[0]?.messages ?? [];
    assert.ok(message?.content.includes('orders_of_the_northern_warehouse'));
    assert.ok(message?.content.includes('SHOP_PASSWORD=[left out: a value of .env]'));
    assert.deepEqual(stage.entry('request-intent').contentLeftOut, 1);
  });

  it('all content of an excluded file is recognized in an attachment whose file was moved since', async () => {
    const stage = stageWith();
    const asked = asks('Hello', attachment({ text: environment }));
    const answer: OutgoingMessage = said('Hi');
    await stage.send(outgoing(asked, answer, asks('And now?')));
    assert.ok(bodyOf(stage).includes('orders_of_the_northern_warehouse'));
    stage.recognition = { ...stage.recognition, isCurrent: async ({ text }) => text !== environment };
    await stage.send(outgoing(asked, answer, asks('And now?')));
    assert.ok(!bodyOf(stage).includes('warehouse'));
    assert.ok(bodyOf(stage).includes(mark));
  });

  it('is found across the parts of a message', async () => {
    const stage = stageWith();
    const [first = '', second = ''] = ['SHOP_DATABASE=orders_of_the_nor', 'thern_warehouse'];
    await stage.send(outgoing(asks('Hi'), { role: 'tool', parts: [first, second], secrets: 'mask', toolCallId: 'c' }));
    assert.ok(!bodyOf(stage).includes('orders_of'));
  });

  it('content that cannot be recognized completely blocks requests if the administrator requires recognition', async () => {
    const stage = stageWith();
    const { state, ...rest } = stage.recognition;
    stage.recognition = { ...rest, state: { ...state, is: 'partly', files: 2, words: '1 of 2' } };
    await stage.send(outgoing(asks('Hello')));
    assert.equal(stage.entry('request-intent').recognition, 'partly');
    stage.rules = { ...openPolicy, requireRecognition: true };
    await assert.rejects(stage.send(outgoing(asks('Hello'))), {
      kind: 'gate',
      code: 'not-recognized',
      reason: '1 of 2',
    });
    assert.equal(stage.sent.length, 1);
  });

  it('is waited for a limited time; not at all while the user types; until all is read where that is required', async () => {
    const wanted = async (action: Outgoing['action'], requireRecognition = false) => {
      const stage = stageWith();
      if (requireRecognition) stage.rules = { ...openPolicy, requireRecognition };
      await stage.send({ ...outgoing(asks('Hello')), action });
      const found = new Set(stage.wanted.map((one) => `${one.isQuick} ${one.isCompleteRequired}`));
      assert.equal(found.size, 1);
      return stage.wanted[0];
    };
    assert.deepEqual(await wanted('chat'), { isQuick: false, isCompleteRequired: false, excluded: [] });
    assert.deepEqual(await wanted('languageModel'), { isQuick: false, isCompleteRequired: false, excluded: [] });
    assert.deepEqual(await wanted('inlineCompletions'), { isQuick: true, isCompleteRequired: false, excluded: [] });
    assert.deepEqual(await wanted('chat', true), { isQuick: false, isCompleteRequired: true, excluded: [] });
    assert.deepEqual(await wanted('inlineCompletions', true), {
      isQuick: true,
      isCompleteRequired: true,
      excluded: [],
    });
  });

  it('content that becomes known while the user reads the question is asked about again', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, requirePreview: true };
    const { seen } = answering();
    await stage.send(outgoing(asks('What is in it?'), result(environment)), async (request) => {
      seen.push(request);
      stage.recognition = recognizing({ '.env': environment });
      return 'send-masked';
    });
    assert.deepEqual(
      seen.map(({ preview }) => preview.leftOut.length),
      [0, 1],
    );
    assert.ok(!bodyOf(stage).includes('warehouse'));
  });
});
