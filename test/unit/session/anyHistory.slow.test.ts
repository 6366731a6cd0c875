import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatEvent } from '../../../src/client/chat.ts';
import { ContextBudget } from '../../../src/send/budget/contextBudget.ts';
import { createDispatch } from '../../../src/send/dispatch.ts';
import { LearnedForms } from '../../../src/send/form/learnedForms.ts';
import { mostRequests } from '../../../src/send/form/requestLimit.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { Session } from '../../../src/session/session.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { parseChatBody } from '../../service/chatBody.ts';
import { refuseUnlessStrict } from '../../service/strict.ts';
import { fieldsOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';
import { FakeToolbox } from './fakeToolbox.ts';

/** How the service answers one request. */
const answers = [
  ...['text', 'text', 'length', 'nothing', 'thought', 'interrupted', 'failed', 'unknown-end'],
  ...['call', 'call', 'text-call', 'two-calls', 'same-ids', 'no-id-twice', 'unknown-tool', 'cut-call', 'wrong-call'],
  ...['too-long', 'form', 'tools'],
] as const;
/** What the user does between. */
const steps = [
  ...[
    'ask',
    'ask',
    'ask',
    'attach',
    'retry',
    'edit-last',
    'edit-middle',
    'branch',
    'continue',
    'leave-out',
    'summarize',
  ],
  ...['forget-summary', 'tools-off', 'tools-on', 'stop-at-call', 'deny'],
] as const;
const history = fc.array(
  fc.record({
    does: fc.constantFrom(...steps),
    gets: fc.array(fc.constantFrom(...answers), { minLength: 1, maxLength: 5 }),
    at: fc.nat(20),
  }),
  { minLength: 1, maxLength: 9 },
);

const call = (id: string, name = 'look') => ({ type: 'tool-call', call: { id, name, input: { at: id } } }) as const;
const text = (words: string) => ({ type: 'text-delta', text: words }) as const;
const finish = (finishReason: string) => ({ type: 'finish', finishReason }) as const;

function eventsOf(kind: (typeof answers)[number], count: number): readonly ChatEvent[] | ServiceError {
  const refused = (more: object) => new ServiceError('request', 'no', { status: 400, ...more });
  switch (kind) {
    case 'length':
      return [text(`Part ${count}`), finish('length')];
    case 'nothing':
      return [finish('stop')];
    case 'thought':
      return [{ type: 'reasoning-delta', text: 'Hm' }, finish('stop')];
    case 'failed':
      return new ServiceError('server', 'no', { status: 500 });
    case 'unknown-end':
      return [text(`Text ${count}`), finish('network_error')];
    case 'call':
      return [call(`c${count}`), finish('tool_calls')];
    case 'text-call':
      return [text('I look.'), call(`c${count}`), finish('tool_calls')];
    case 'two-calls':
      return [call(`c${count}`), call(`d${count}`), finish('tool_calls')];
    case 'same-ids':
      return [call('same'), call('same'), finish('tool_calls')];
    case 'no-id-twice':
      return [call('x'), text('and'), call('x'), finish('stop')];
    case 'unknown-tool':
      return [call(`c${count}`, 'other'), finish('tool_calls')];
    case 'too-long':
      return refused({ code: 'context-length', contextTokens: 3000 });
    case 'form':
      return refused({ serviceMessage: "Unknown parameter: 'stream_options'." });
    case 'tools':
      return refused({ serviceMessage: 'bad' });
    case 'cut-call':
      return new ServiceError('protocol', 'cut', { code: 'tool-call-cut', details: { cut: 'length' } });
    case 'wrong-call':
      return new ServiceError('protocol', 'wrong', { code: 'tool-call' });
    default:
      return [text(`Text ${count}`), finish('stop')];
  }
}

/** A conversation in front of a service that answers as it is told, and takes only what the strictest one takes. */
class Talk {
  readonly stage = new Stage();
  readonly toolbox = new FakeToolbox();
  readonly session: Session;
  readonly bodies: string[] = [];
  gets: (typeof answers)[number][] = [];
  #count = 0;

  constructor() {
    const talk = this;
    this.stage.settings['svc.request.maxTokens'] = 64;
    this.stage.answer = async function* (_, request) {
      talk.#check(request.body);
      talk.#count += 1;
      const kind = talk.gets.shift() ?? 'text';
      yield [{ type: 'response', status: 200 }];
      if (kind === 'interrupted') {
        yield [text(`Half ${talk.#count}`)];
        throw new ServiceError('interrupted', 'gone', { code: 'reset' });
      }
      const events = eventsOf(kind, talk.#count);
      if (events instanceof ServiceError) throw events;
      yield events;
    };
    const dispatch = createDispatch(this.stage.parts, new LearnedForms(), new ContextBudget());
    this.session = new Session(dispatch, this.toolbox.source);
  }

  #check(body: string): void {
    this.bodies.push(body);
    const json: unknown = JSON.parse(body);
    const request = { headers: { 'content-type': 'application/json' }, body, json };
    refuseUnlessStrict(parseChatBody(request as never), json, ['roles', 'tools']);
  }

  get turns(): readonly Turn[] {
    return this.session.conversation.turns;
  }

  /** Answers what the turn asks until it ends; `how` is for its calls. */
  async until(work: Promise<unknown>, how: 'once' | 'deny' | 'stop'): Promise<void> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const asking = this.turns.flatMap((turn) => (turn.answer.steps ?? []).map((step) => [turn.id, step] as const));
      const found = asking.find(([, { state }]) => state === 'asking');
      if (found !== undefined && how === 'stop') this.session.stop();
      else if (found !== undefined)
        this.session.decideTool(found[0], found[1].id, found[1].asked ?? 0, how as 'once' | 'deny');
      await Promise.race([over, new Promise(setImmediate)]);
    }
    await over;
  }
}

const question = (prompt: string, files: readonly string[] = []) => ({
  ...({ action: 'chat', prompt } as const),
  attachments: files.map((name) => attachment({ label: name, uri: `file:///${name}`, text: 'word '.repeat(600) })),
});

function begin(talk: Talk, does: (typeof steps)[number], at: number): Promise<unknown> {
  const { session, turns } = talk;
  const turn = turns[at % Math.max(1, turns.length)];
  const last = turns.at(-1);
  if (turn === undefined || last === undefined) return session.ask(question('First'));
  switch (does) {
    case 'attach':
      return session.ask(question(`About ${at}`, [`${at % 3}.ts`, `${at % 5}.ts`]));
    case 'retry':
      return session.retry(turn.id);
    case 'edit-last':
      return session.edit(last.id, question('Edited'));
    case 'edit-middle':
      return session.edit(turn.id, question(`Edited ${at}`));
    case 'branch':
      session.showBranch(turn.id);
      return session.ask(question('After a branch'));
    case 'continue':
      return session.continue(turn.id);
    case 'leave-out':
      return session.leaveOutTurns(last.id);
    case 'summarize':
      return session.summarize(last.id);
    case 'forget-summary':
      session.changeSummary(turn.id, at % 2 === 0 ? null : 'Edited summary.');
      return session.ask(question('Without it'));
    case 'tools-off':
      talk.toolbox.isOn = false;
      return session.ask(question('Without tools'));
    case 'tools-on':
      talk.toolbox.isOn = true;
      return session.ask(question('With tools'));
    default:
      return session.ask(question(`Question ${at}`));
  }
}

describe('any history of a conversation', () => {
  it('is taken by the strictest service, in six requests a press of Send, each with its record', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (all) => {
        const talk = new Talk();
        for (const { does, gets, at } of all) {
          talk.gets = [...gets];
          const before = talk.bodies.length;
          const rounds = talk.toolbox.entries.length;
          talk.stage.audited.length = 0;
          const how = does === 'stop-at-call' ? 'stop' : does === 'deny' ? 'deny' : 'once';
          await talk.until(begin(talk, does, at), how);
          const sent = talk.bodies.length - before;
          const intents = talk.stage.audited.filter(({ kind }) => kind === 'request-intent').length;
          const outcomes = talk.stage.audited.filter(({ kind }) => kind === 'request-outcome').length;
          assert.deepEqual([intents, outcomes], [sent, sent]);
          // The rounds of tools are no repetition.
          assert.ok(sent <= mostRequests + (talk.toolbox.entries.length - rounds) + 1, `${sent} requests`);
          for (const { error } of talk.turns.map(fieldsOf)) assert.notEqual(error?.kind, 'internal', error?.message);
        }
      }),
      { numRuns: 250 },
    );
  });
});
