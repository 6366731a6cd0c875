// One contender in a separate process: `node child.ts NAME FOLDER WORDS` prints milliseconds, MiB and hits as JSON.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConversationStore } from '../../../src/store/conversations/conversations.ts';
import { peakMemory } from '../../tools/peakMemory.mjs';

const [name, folder = '', words = ''] = process.argv.slice(2);
const silent = (): void => undefined;
const logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };
const store = createConversationStore({ folder, logger });

/** A naive search: all files together, parsed and searched. */
async function parseAll(): Promise<number> {
  const wanted = words.toLowerCase();
  const files = await Promise.all(readdirSync(folder).map((file) => readFile(join(folder, file), 'utf8')));
  const found = files
    .map((text): { turns: { prompt: string; answer: string }[] } => JSON.parse(text).conversation)
    .filter(({ turns }) =>
      turns.some(({ prompt, answer }) =>
        [prompt, answer].some((text) => text.toLowerCase().replace(/\s+/g, ' ').includes(wanted)),
      ),
    );
  return found.length;
}

/** The peak memory of the process beyond its start, in MiB. */
const before = process.memoryUsage().rss;
const from = performance.now();
const hits = name === 'peer' ? await parseAll() : (await store.search(words)).length;
const ms = performance.now() - from;
const mib = (peakMemory() - before) / 1024 / 1024;
console.log(JSON.stringify({ ms, mib: Math.max(0, mib), hits }));
store.dispose();
