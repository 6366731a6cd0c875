import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '../../../src/session/conversation/conversation.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import {
  type ConversationStore,
  type ConversationStoreOptions,
  createConversationStore,
} from '../../../src/store/conversations/conversations.ts';
import type { Logger } from '../../../src/util/logger.ts';
import { type TurnFields, turnOf } from '../../tools/turns.ts';

const silent = (): void => undefined;
export const silentLogger: Logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };

/** A turn that follows the one with the number before, if its id is a number. */
export function turn(id: string, over: TurnFields = {}): Turn {
  const parent = Number(id) > 1 ? String(Number(id) - 1) : null;
  const texts = { prompt: `question ${id}`, answer: `answer ${id}` };
  return turnOf({ id, parent, askedAt: 1000, model: 'model-one', ...texts, ...over });
}

export function conversation(id: string, turns: readonly Turn[], over: Partial<Conversation> = {}): Conversation {
  return { id, createdAt: 500, turns, ...over };
}

/** A folder of a workspace that does not exist yet, the stores on it, and its remaining content afterwards. */
export class Workspace {
  readonly #root = mkdtempSync(join(tmpdir(), 'svc-store-'));
  readonly #stores: ConversationStore[] = [];
  readonly folder = join(this.#root, 'history', 'one');

  open(options: Partial<ConversationStoreOptions> = {}): ConversationStore {
    const store = createConversationStore({ folder: this.folder, logger: silentLogger, ...options });
    this.#stores.push(store);
    return store;
  }

  names(): readonly string[] {
    return readdirSync(this.folder).sort();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** All names and contents in the folder. */
  everything(): string {
    return this.names()
      .map((name) => `${name}\n${readFileSync(this.path(name), 'utf8')}`)
      .join('\n');
  }

  async remove(): Promise<void> {
    for (const store of this.#stores) {
      await store.flush();
      store.dispose();
    }
    rmSync(this.#root, { recursive: true, force: true });
  }
}
