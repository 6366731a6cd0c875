import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asMade } from '../../src/gate/content.ts';
import { type Budget, type FitInput, fit } from '../../src/session/budget/fit.ts';
import type { Attachment } from '../../src/session/conversation/attachment.ts';
import type { Turn } from '../../src/session/conversation/conversation.ts';
import { messagesFor } from '../../src/session/conversation/messagesFor.ts';
import type { OutgoingMessage } from '../../src/session/dispatch/outgoing.ts';
import { leadOf } from '../../src/session/prompts/houseRules.ts';
import { median } from './client/median.ts';

const folder = fileURLToPath(new URL('../../test-results/bench', import.meta.url));

/** The limits in milliseconds for a conversation of 500 turns and 4 MiB: half of the times, and 95 of 100. */
const limits = { p50: 8, p95: 20 };
const turnCount = 500;
const MiB = 1024 * 1024;
const perRound = 20;

/**
 * Prints how long it takes to leave out what does not fit, compared with JSON.stringify of the same messages, alternating.
 * Writes test-results/bench/context.json. Returns the exit code: 1 if a limit is missed and `check` is set.
 */
export async function contextBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const messages = conversation();
  const input = (budget: Partial<Budget>): FitInput => ({
    ...{ messages, excluded: new Set(), offerBytes: 8000, before: new Map(), mayLeaveOutTurns: true },
    budget: { tokens: null, bytes: 4 * MiB, perToken: 3.2, ...budget },
  });
  const times = { 'it fits': [], 'a tenth fits': [], 'questions alone fit': [], 'JSON.stringify': [] } as Record<
    string,
    number[]
  >;
  const timed = (name: string, run: () => unknown): void => {
    const from = performance.now();
    run();
    times[name]?.push(performance.now() - from);
  };
  for (let index = 0; index < Number(rounds) * perRound; index += 1) {
    timed('it fits', () => fit(input({ bytes: 16 * MiB })));
    timed('a tenth fits', () => fit(input({ tokens: 130_000 })));
    timed('questions alone fit', () => fit(input({ tokens: 20_000 })));
    timed('JSON.stringify', () => JSON.stringify(messages));
  }
  const peer = median(times['JSON.stringify'] ?? []);
  const rows = Object.entries(times).map(([name, ms]) => ({
    name,
    p50: median(ms),
    p95: ms.toSorted((a, b) => a - b)[Math.ceil(ms.length * 0.95) - 1] ?? Number.NaN,
    ratio: median(ms) / peer,
  }));
  const isMet = rows.every(
    ({ name, p50, p95 }) => name === 'JSON.stringify' || (p50 <= limits.p50 && p95 <= limits.p95),
  );
  console.log(`${turnCount} turns, 4 MiB, ${rounds} rounds of ${perRound}, Node ${process.versions.node}`);
  console.table(
    rows.map(({ name, p50, p95, ratio }) => ({
      'leaving out': name,
      'p50 ms': p50.toFixed(2),
      'p95 ms': p95.toFixed(2),
      'p50 beside the peer': `${ratio.toFixed(2)} x`,
    })),
  );
  console.log(`p50 at most ${limits.p50} ms, p95 at most ${limits.p95} ms: ${isMet ? 'met' : 'MISSED'}`);
  writeFileSync(
    join(folder, 'context.json'),
    `${JSON.stringify({ node: process.versions.node, rounds, rows, isMet }, null, 2)}\n`,
  );
  return check && !isMet ? 1 : 0;
}

/** Turns with an attachment each; every third has a result of a tool. */
function conversation(): readonly OutgoingMessage[] {
  const bytes = (4 * MiB) / turnCount;
  const turns = Array.from({ length: turnCount }, (_, at): Turn => {
    const results = at % 3 === 0 ? [{ text: code(at, bytes / 4), attachments: [] }] : [];
    return {
      ...{ id: `t${at}`, askedAt: at, action: 'chat', status: 'complete', model: 'm', prompt: `Question ${at}?` },
      attachments: [file(at, bytes * 0.7)],
      answer: code(at, bytes / 5),
      steps: results.map((output) => ({
        ...{ id: '0', callId: `c${at}`, name: 'read_file', input: {}, round: 0, at: 0, state: 'done', output },
      })),
    };
  });
  return messagesFor(turns, false, true, leadOf([]));
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
