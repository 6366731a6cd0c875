import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { MeterParts } from '../../../../src/features/chat/vscode/question/meter.ts';
import type { Taken } from '../../../../src/send/budget/measured.ts';
import type { Attachment } from '../../../../src/send/message/attachment.ts';
import type { Question } from '../../../../src/session/conversation/turn.ts';
import { Session } from '../../../../src/session/session.ts';
import { ServiceError } from '../../../../src/util/errors.ts';
import { Emitter } from '../../../../src/util/event.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { attachment } from '../../session/attachment.ts';
import { FakeDispatch } from '../../session/fakeDispatch.ts';

const { Meter } = await hostModule<typeof import('../../../../src/features/chat/vscode/question/meter.ts')>(
  'src/features/chat/vscode/question/meter.ts',
  'en',
);
const words = await hostModule<typeof import('../../../../src/features/chat/vscode/question/describeMeter.ts')>(
  'src/features/chat/vscode/question/describeMeter.ts',
  'en',
);
const german = await hostModule<typeof import('../../../../src/features/chat/vscode/question/describeMeter.ts')>(
  'src/features/chat/vscode/question/describeMeter.ts',
  'de',
);

const taken = (tokens: number, budget: number): Taken => ({
  tokens,
  budget,
  parts: { conversation: tokens - 30, attached: 20, instructions: 10, tools: 0 },
});

describe('the meter, in words', () => {
  it('is short, says what the tokens are for, and that they are estimated', () => {
    const { text, short, label, detail } = words.viewMeter(taken(14_210, 100_000));
    assert.deepEqual([text, short], ['≈ 14k / 100k', '15%']);
    assert.equal(label, 'Next request: about 14,210 of 100,000 tokens');
    assert.deepEqual(detail.split('\n'), [
      'Conversation: 14,180',
      'Attached: 20',
      'Instructions: 10',
      'Tools: 0',
      'The numbers are estimates.',
    ]);
    const number = (value: number): string => words.viewMeter(taken(value, 100_000)).text.split(' / ')[0] ?? '';
    assert.deepEqual([0, 840, 999, 1000, 3249, 9949, 9951, 99_600, 999_499, 999_500, 1_240_000].map(number), [
      '≈ 0',
      '≈ 840',
      '≈ 999',
      '≈ 1k',
      '≈ 3.2k',
      '≈ 9.9k',
      '≈ 10k',
      '≈ 100k',
      '≈ 999k',
      '≈ 1M',
      '≈ 1.2M',
    ]);
    assert.equal(german.viewMeter(taken(3249, 32_768)).text, '≈ 3,2k / 33k');
  });

  it('warns from 80 % on, and never shows 0 % for something', () => {
    const almostFull = (tokens: number): boolean => words.viewMeter(taken(tokens, 1000)).isAlmostFull;
    assert.deepEqual([799, 800, 1300].map(almostFull), [false, true, true]);
    assert.match(words.viewMeter(taken(800, 1000)).detail, /^Almost full/);
    const short = (tokens: number): string => words.viewMeter(taken(tokens, 100_000)).short;
    assert.deepEqual([0, 300, 14_000, 100_000, 131_000].map(short), ['0%', '1%', '14%', '100%', '131%']);
  });
});

class Stage {
  readonly fake = new FakeDispatch();
  readonly session = new Session(this.fake.dispatch);
  readonly settings = new Emitter<void>();
  readonly attached = new Emitter<void>();
  readonly measured: Question[] = [];
  content: readonly Attachment[] = [];
  command: { name: string; text: string } | undefined;
  taken: readonly Attachment[] = [];
  error: Error | undefined;
  readonly warned: string[] = [];
  changes = 0;
  readonly meter: InstanceType<typeof Meter>;

  constructor() {
    const stage = this;
    const { session } = this;
    const measure = session.measure.bind(session);
    session.measure = async (question) => {
      this.measured.push(question);
      if (this.error !== undefined) throw this.error;
      return measure(question);
    };
    const parts: MeterParts = {
      session,
      next: {
        get command() {
          return stage.command;
        },
        get content() {
          return stage.taken;
        },
      },
      attachments: {
        get content() {
          return stage.content;
        },
        onDidChange: this.attached.event,
      },
      changes: [this.settings.event],
      logger: { warn: (message) => this.warned.push(message) },
    };
    this.meter = new Meter(parts);
    this.meter.onDidChange(() => {
      this.changes += 1;
    });
  }

  get text(): string | undefined {
    return this.meter.shown?.text;
  }
}

/** Waits until everything that has begun has ended. No part of it waits for a timer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

describe('the meter', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('shows nothing before the page has said what its composer has', async () => {
    const { meter, measured, settings } = new Stage();
    settings.fire();
    await settled();
    assert.deepEqual([meter.shown, measured.length], [undefined, 0]);
  });

  it('follows what is typed and attached, without measuring the conversation again, four times a second', async () => {
    const stage = new Stage();
    stage.meter.type(0);
    await settled();
    const empty = stage.text;
    assert.equal(stage.changes, 1);
    for (let typed = 1; typed <= 100; typed += 1) stage.meter.type(typed * 320);
    await settled();
    assert.deepEqual([stage.changes, stage.text], [1, empty]);
    mock.timers.tick(249);
    assert.equal(stage.changes, 1);
    mock.timers.tick(1);
    await settled();
    assert.deepEqual([stage.changes, stage.text], [2, '≈ 10k / 100k']);
    stage.content = [attachment({ text: 'x'.repeat(32_000) })];
    stage.attached.fire();
    mock.timers.tick(250);
    await settled();
    assert.equal(stage.text, '≈ 20k / 100k');
    assert.equal(stage.measured.length, 1);
  });

  it('measures again when the settings change, and after an answer', async () => {
    const stage = new Stage();
    const { fake, session, meter } = stage;
    meter.type(0);
    await settled();
    stage.settings.fire();
    mock.timers.tick(250);
    await settled();
    assert.equal(stage.measured.length, 2);
    const asked = session.ask({ action: 'chat', prompt: 'Why?', attachments: [] });
    await settled();
    mock.timers.tick(250);
    await settled();
    assert.equal(stage.measured.length, 2);
    fake.send({ type: 'text-delta', text: 'Because. '.repeat(3200) }, { type: 'finish', finishReason: 'stop' });
    fake.end();
    await asked;
    mock.timers.tick(250);
    await settled();
    assert.deepEqual([stage.measured.length, stage.text], [3, '≈ 9.2k / 100k']);
  });

  it('counts the text of a slash command in the place of its name, and the code that it takes', async () => {
    const stage = new Stage();
    stage.command = { name: 'tests', text: 'x'.repeat(3200) };
    stage.meter.type('/tests'.length);
    await settled();
    assert.equal(stage.text, '≈ 1k / 100k');
    assert.deepEqual(stage.measured[0]?.command, stage.command);
    stage.taken = [attachment({ text: 'x'.repeat(32_000) })];
    stage.settings.fire();
    mock.timers.tick(250);
    await settled();
    assert.equal(stage.text, '≈ 11k / 100k');
  });

  it('disappears while nothing can be sent, and warns of a fault of our own', async () => {
    const stage = new Stage();
    stage.meter.type(0);
    await settled();
    assert.notEqual(stage.meter.shown, undefined);
    stage.error = new ServiceError('policy', 'no', { code: 'no-base-url' });
    stage.settings.fire();
    mock.timers.tick(250);
    await settled();
    assert.deepEqual([stage.meter.shown, stage.warned.length], [undefined, 0]);
    stage.error = new TypeError('no');
    stage.settings.fire();
    mock.timers.tick(250);
    await settled();
    assert.equal(stage.warned.length, 1);
  });
});
