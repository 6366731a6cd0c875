import type { Conversation } from '../../../src/session/conversation/conversation.ts';
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
    await store.save(conversation('streamed', [asked, turn('cut', { parent: 'done', status: 'streaming', answer })]));
    if (size === 3) process.send?.('ready');
  }
}

function withNext(held: Conversation, id: string): Conversation {
  return { ...held, turns: [...held.turns, turn(id, { parent: held.turns.at(-1)?.id ?? null })] };
}

async function write(): Promise<void> {
  const shared = await store.load('shared');
  if (shared === undefined) throw new Error('There is no shared conversation.');
  let ours = shared;
  let own = conversation(`own-${name}`, []);
  for (let index = 0; index < 100; index += 1) {
    ours = withNext(ours, `${name}-${index}`);
    own = withNext(own, `own-${name}-${index}`);
    await Promise.all([store.save(ours), store.save(own)]);
  }
  process.disconnect?.();
}

if (what === 'stream') await stream();
else if (what === 'write') await write();
else process.disconnect?.();
