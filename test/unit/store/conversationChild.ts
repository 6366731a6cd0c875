import { createConversationStore } from '../../../src/store/conversations/conversations.ts';
import { conversation, silentLogger, turn } from './conversationSamples.ts';

/**
 * A separate window: `stream <folder>` saves a growing answer until it is killed, `write <folder> <name>` saves 200
 * turns, `end` does nothing.
 */
const [, , what, folder = '', name = ''] = process.argv;
const store = createConversationStore({ folder, logger: silentLogger });

async function stream(): Promise<void> {
  const asked = turn('done');
  for (let size = 1; ; size += 1) {
    const answer = 'word '.repeat(size);
    await store.save(conversation('streamed', [asked, turn('cut', { status: 'streaming', answer })]));
    if (size === 3) process.send?.('ready');
  }
}

async function write(): Promise<void> {
  const shared = await store.load('shared');
  if (shared === undefined) throw new Error('There is no shared conversation.');
  let ours = shared;
  let own = conversation(`own-${name}`, []);
  for (let index = 0; index < 100; index += 1) {
    ours = { ...ours, turns: [...ours.turns, turn(`${name}-${index}`)] };
    own = { ...own, turns: [...own.turns, turn(`own-${name}-${index}`)] };
    await Promise.all([store.save(ours), store.save(own)]);
  }
  process.disconnect?.();
}

if (what === 'stream') await stream();
else if (what === 'write') await write();
else process.disconnect?.();
