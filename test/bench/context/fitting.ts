import { asMade } from '../../../src/gate/content.ts';
import { type Budget, type FitInput, fit } from '../../../src/send/budget/fit.ts';
import { Measured } from '../../../src/send/budget/measured.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import type { OutgoingMessage } from '../../../src/send/outgoing.ts';
import { messagesFor } from '../../../src/session/conversation/messagesFor.ts';
import { leadOf } from '../../../src/session/prompts/houseRules.ts';
import { asOwn } from '../../../src/session/tools/ownText.ts';
import { bytesOf } from '../../../src/webview/longText.ts';
import { hostModule } from '../../tools/hostModule.ts';
import { turnOf } from '../../tools/turns.ts';
import { median } from '../client/median.ts';

/** The limits in milliseconds for a conversation of 500 turns and 4 MiB: half of the times, and 95 of 100. */
const limits = { p50: 8, p95: 20 };
/** The same for the meter of the composer, after a keystroke with ten attachments: all of the work for it. */
const meterLimits = { p50: 1, p95: 2 };
const meter = 'meter after a keystroke';
const peer = 'JSON.stringify';
const turnCount = 500;
const MiB = 1024 * 1024;
const perRound = 20;

export interface Part {
  readonly rows: readonly unknown[];
  readonly isMet: boolean;
}

/** Prints how long it takes to leave out what does not fit, compared with JSON.stringify of the same messages, alternating. */
export async function fittingBench(rounds: number): Promise<Part> {
  const messages = conversation();
  const about = { messages, excluded: new Set<Attachment>(), offerBytes: 8000, before: new Map() };
  const budgetOf = (budget: Partial<Budget>): Budget => ({ tokens: null, bytes: 4 * MiB, perToken: 3.2, ...budget });
  const input = (budget: Partial<Budget>): FitInput => ({
    ...{ ...about, mayLeaveOutTurns: true },
    budget: budgetOf(budget),
  });
  const measured = new Measured({ ...about, budget: { ...budgetOf({}), tokens: 100_000 } });
  const { viewMeter } = await hostModule<typeof import('../../../src/features/chat/vscode/question/describeMeter.ts')>(
    'src/features/chat/vscode/question/describeMeter.ts',
    'en',
  );
  const typed = code(1, 20_000);
  const attached = Array.from({ length: 10 }, (_, at) => file(at, at % 2 === 0 ? 6000 : 60_000));
  const times = new Map<string, number[]>();
  const timed = (name: string, run: () => unknown): void => {
    const from = performance.now();
    run();
    times.set(name, [...(times.get(name) ?? []), performance.now() - from]);
  };
  for (let index = 0; index < rounds * perRound; index += 1) {
    timed('it fits', () => fit(input({ bytes: 16 * MiB })));
    timed('a tenth fits', () => fit(input({ tokens: 130_000 })));
    timed('questions alone fit', () => fit(input({ tokens: 20_000 })));
    timed(meter, () => viewMeter(measured.with(bytesOf(typed), attached)));
    timed(peer, () => JSON.stringify(messages));
  }
  const ofPeer = median(times.get(peer) ?? []);
  const rows = [...times].map(([name, ms]) => {
    const p50 = median(ms);
    const p95 = ms.toSorted((a, b) => a - b)[Math.ceil(ms.length * 0.95) - 1] ?? Number.NaN;
    const most = name === meter ? meterLimits : limits;
    const isMet = name === peer || (p50 <= most.p50 && p95 <= most.p95);
    return { name, p50, p95, ratio: p50 / ofPeer, isMet };
  });
  console.log(`${turnCount} turns, 4 MiB, ${rounds} rounds of ${perRound}, Node ${process.versions.node}`);
  console.table(
    rows.map(({ name, p50, p95, ratio }) => ({
      'leaving out': name,
      'p50 ms': p50.toFixed(2),
      'p95 ms': p95.toFixed(2),
      'p50 beside the peer': `${ratio.toFixed(2)} x`,
    })),
  );
  const isMet = rows.every((row) => row.isMet);
  const most = `p50 at most ${limits.p50} ms, p95 at most ${limits.p95} ms, the meter ${meterLimits.p50} and ${meterLimits.p95} ms`;
  console.log(`${most}: ${isMet ? 'met' : 'MISSED'}`);
  return { rows, isMet };
}

/** Turns with an attachment each; every third has a result of a tool. */
function conversation(): readonly OutgoingMessage[] {
  const bytes = (4 * MiB) / turnCount;
  const turns = Array.from({ length: turnCount }, (_, at) => {
    const results = at % 3 === 0 ? [{ text: asOwn(code(at, bytes / 4)), attachments: [] }] : [];
    return turnOf({
      ...{ id: `t${at}`, askedAt: at, model: 'm', prompt: `Question ${at}?` },
      attachments: [file(at, bytes * 0.7)],
      answer: code(at, bytes / 5),
      steps: results.map((output) => ({
        ...({
          id: '0',
          callId: `c${at}`,
          name: 'read_file',
          input: {},
          round: 0,
          at: 0,
          state: 'done',
          output,
        } as const),
      })),
    });
  });
  return messagesFor(turns, false, leadOf([]));
}

function file(at: number, bytes: number): Attachment {
  const name = `src/file${at % 100}.ts`;
  return {
    label: name,
    uri: `file:///one/${name}`,
    firstLine: 1,
    languageId: 'typescript',
    text: asMade(code(at, bytes)),
    folder: null,
  };
}

function code(at: number, bytes: number): string {
  return `export const value${at} = "some words";\n`.repeat(bytes / 38);
}
