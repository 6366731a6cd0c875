import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConversationStore } from '../../../src/store/conversations/conversations.ts';
import { turnOf } from '../../tools/turns.ts';
import { median } from '../client/median.ts';

const folder = fileURLToPath(new URL('../../../test-results/bench', import.meta.url));
const child = fileURLToPath(new URL('child.ts', import.meta.url));

const conversations = 200;
const bytesOfOne = 400_000;
/** The limits of a search through all conversations in a window that has read none of them yet. */
const limits = { ms: 300, mib: 50 };

/** One search of each kind: with hits in every conversation, in one of ten, in one, in none. */
const searches = ['total', 'Lighthouse', 'needle in it', 'nowhere to be found'];

interface Result {
  readonly ms: number;
  readonly mib: number;
  readonly hits: number;
}

/**
 * Prints the time of a search through 200 conversations of 0.4 MB, compared with reading all files with JSON.parse,
 * each in a fresh process. Writes test-results/bench/history.json. Returns the exit code: 1 if a limit is missed and
 * `check` is set.
 */
export async function historyBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const place = mkdtempSync(join(folder, 'history-'));
  try {
    await fill(place);
    const rows = searches.map((words) => {
      const results = Array.from({ length: Number(rounds) }, () => ({
        ours: run('ours', place, words),
        peer: run('peer', place, words),
      }));
      const ours = middle(results.map((result) => result.ours));
      const peer = middle(results.map((result) => result.peer));
      if (ours.hits !== peer.hits) throw new Error(`${words}: ${ours.hits} hits beside ${peer.hits}`);
      return { words, ours, peer };
    });
    const isMet = rows.every(({ ours }) => ours.ms <= limits.ms && ours.mib <= limits.mib);
    console.log(
      `${conversations} conversations of ${bytesOfOne} bytes, ${rounds} rounds, Node ${process.versions.node}`,
    );
    console.table(
      rows.map(({ words, ours, peer }) => ({
        words,
        hits: ours.hits,
        'search, ms': ours.ms.toFixed(0),
        'JSON.parse of all, ms': peer.ms.toFixed(0),
        'search, MiB': ours.mib.toFixed(0),
        'JSON.parse of all, MiB': peer.mib.toFixed(0),
      })),
    );
    console.log(`At most ${limits.ms} ms and ${limits.mib} MiB: ${isMet ? 'met' : 'MISSED'}`);
    const result = { node: process.versions.node, rounds, rows, isMet };
    writeFileSync(join(folder, 'history.json'), `${JSON.stringify(result, null, 2)}\n`);
    return check && !isMet ? 1 : 0;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function fill(place: string): Promise<void> {
  const silent = (): void => undefined;
  const logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };
  const store = createConversationStore({ folder: place, logger });
  const code = 'const total = amounts.reduce((sum, amount) => sum + amount, 0);\n';
  const answer = `${'Words of an answer, and code: "quoted", with ends of lines.\n'.repeat(60)}${code.repeat(30)}`;
  const turns = Math.ceil(bytesOfOne / (answer.length + 500));
  for (let index = 0; index < conversations; index += 1) {
    const extra = `${index % 10 === 0 ? 'A lighthouse. ' : ''}${index === 77 ? 'The needle\nin it.' : ''}`;
    await store.save({
      id: `conversation-${index}`,
      createdAt: index,
      turns: Array.from({ length: turns }, (_, turn) =>
        turnOf({
          id: `${index}-${turn}`,
          parent: turn === 0 ? null : `${index}-${turn - 1}`,
          askedAt: index,
          prompt: `Question ${turn} of ${index}`,
          // The place that is found last.
          answer: turn === turns - 1 ? `${answer}${extra}` : answer,
          model: 'svc/auto',
        }),
      ),
    });
  }
  await store.flush();
  store.dispose();
}

function run(name: 'ours' | 'peer', place: string, words: string): Result {
  return JSON.parse(execFileSync(process.execPath, [child, name, place, words], { encoding: 'utf8' }));
}

function middle(results: readonly Result[]): Result {
  return {
    ms: median(results.map(({ ms }) => ms)),
    mib: median(results.map(({ mib }) => mib)),
    hits: results[0]?.hits ?? 0,
  };
}
