import { join } from 'node:path';
import { allTurns } from '../../session/conversation/branches.ts';
import type { Conversation } from '../../session/conversation/conversation.ts';
import type { Turn } from '../../session/conversation/turn.ts';
import type { DisposableLike } from '../../util/disposable.ts';
import { ServiceError } from '../../util/errors.ts';
import { Emitter, type Event } from '../../util/event.ts';
import type { Logger } from '../../util/logger.ts';
import { writeAtomically } from '../files.ts';
import { conversationFrom } from './conversationFile.ts';
import { type ConversationFiles, ConversationFolder, type Found, idOf } from './conversationFolder.ts';
import { mergeSnapshot, pinned, renamed } from './conversationMerge.ts';
import { ConversationQueue } from './conversationQueue.ts';
import { ConversationReader, type StoreNotice } from './conversationReader.ts';
import { WordSearch } from './conversationSearch.ts';
import { idPattern, type StoredConversation } from './conversationShape.ts';
import { type ConversationSummary, inOrder, type SearchHit } from './conversationSummary.ts';
import { FolderWatcher } from './conversationWatcher.ts';

/** Ids of conversations that have changed, in any window. */
export interface StoreChange {
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

/**
 * The conversations of one workspace, one file each. A failed read or write throws a ServiceError of kind `storage`
 * with the system's code; the file is then unchanged. Touches nothing before the first call.
 */
export interface ConversationStore extends DisposableLike {
  /** Fires for changes by this window and by other windows. */
  readonly onDidChange: Event<StoreChange>;
  readonly onDidNotice: Event<StoreNotice>;
  /**
   * Writes the newest snapshot; may be called as often as an answer grows. Turns are compared by identity: an unchanged
   * turn must be the same object that was saved or loaded before. Returns false if the conversation was deleted, in
   * this window or another: it is not written again.
   */
  save(conversation: Conversation): Promise<boolean>;
  /** Resolves when no write is waiting; failures are reported to the caller of save(). */
  flush(): Promise<void>;
  list(): Promise<readonly ConversationSummary[]>;
  /** Searches titles, prompts and answers, ignoring case. Throws a ServiceError `aborted` when `signal` aborts. */
  search(words: string, signal?: AbortSignal): Promise<readonly SearchHit[]>;
  /** Returns undefined if there is no usable file. Work in progress is marked as interrupted. */
  load(id: string): Promise<Conversation | undefined>;
  /** Renames a conversation; an empty title removes the name. Returns false if the conversation does not exist. */
  rename(id: string, title: string): Promise<boolean>;
  setPinned(id: string, isPinned: boolean): Promise<boolean>;
  /** Removes all files of a conversation, including damaged copies; it is not written again. Returns false if it had no files. */
  delete(id: string): Promise<boolean>;
  /** Deletes all conversations, including those this version cannot read. Returns their number. */
  purge(): Promise<number>;
  /** Returns the number of conversations that purge() would delete. */
  count(): Promise<number>;
}

export interface ConversationStoreOptions {
  /** The workspace's own folder: see workspaceKey. */
  readonly folder: string;
  readonly logger: Logger;
  readonly now?: () => number;
  readonly files?: ConversationFiles;
}

export function createConversationStore(options: ConversationStoreOptions): ConversationStore {
  return new FolderStore(options);
}

class FolderStore implements ConversationStore {
  readonly #folder: ConversationFolder;
  readonly #reader: ConversationReader;
  readonly #watcher: FolderWatcher;
  readonly #queue = new ConversationQueue<Conversation>((id, snapshot) => this.#write(id, snapshot));
  readonly #changes = new Emitter<StoreChange>();
  readonly #notices = new Emitter<StoreNotice>();
  readonly #now: () => number;
  /** Turns that this window has read or written. */
  readonly #knownTurns = new WeakSet<Turn>();
  /** The revisions by conversation and turn: see conversationMerge.ts. */
  readonly #revisions = new Map<string, Map<string, number>>();
  /**
   * Conversations that were on the disk. If one of them is missing, it was deleted, and a snapshot in this window must
   * not restore it. This needs no trace of the deleted conversation.
   */
  readonly #existed = new Set<string>();
  #isListened = false;

  readonly onDidNotice = this.#notices.event;

  constructor({ folder, logger, now = Date.now, files = { writeAtomically } }: ConversationStoreOptions) {
    this.#now = now;
    this.#folder = new ConversationFolder(folder, files);
    const onNotice = ({ reason, file }: StoreNotice) => this.#notices.fire({ reason, file: join(folder, file) });
    this.#reader = new ConversationReader(this.#folder, { onNotice, logger, now });
    this.#watcher = new FolderWatcher(
      folder,
      (names) => this.#look(names).catch(() => logger.warn('The folder of conversations could not be read.')),
      logger,
    );
  }

  readonly onDidChange: Event<StoreChange> = (listener) => {
    this.#isListened = true;
    return this.#changes.event(listener);
  };

  async save(conversation: Conversation): Promise<boolean> {
    if (!idPattern.test(conversation.id))
      throw new ServiceError('storage', 'The id of a conversation cannot be the name of a file.', { code: 'bad-id' });
    return this.#queue.save(conversation.id, conversation);
  }

  flush(): Promise<void> {
    return this.#queue.settled();
  }

  async list(): Promise<readonly ConversationSummary[]> {
    await this.#prepareToRead();
    return inOrder(await this.#reader.summaries());
  }

  async search(words: string, signal?: AbortSignal): Promise<readonly SearchHit[]> {
    const wanted = WordSearch.for(words);
    if (wanted === null) return [];
    await this.#prepareToRead();
    return inOrder(await this.#reader.search(wanted, signal));
  }

  async load(id: string): Promise<Conversation | undefined> {
    if (!idPattern.test(id)) return undefined;
    return this.#queue.run(id, async () => {
      const usable = await this.#reader.read(id);
      if (usable === undefined) return undefined;
      const conversation = conversationFrom(usable.conversation);
      this.#existed.add(id);
      this.#learn(conversation, usable.conversation, null);
      return conversation;
    });
  }

  rename(id: string, title: string): Promise<boolean> {
    return this.#change(id, (stored) => renamed(stored, title, this.#now()));
  }

  setPinned(id: string, isPinned: boolean): Promise<boolean> {
    return this.#change(id, (stored) => pinned(stored, isPinned, this.#now()));
  }

  async delete(id: string): Promise<boolean> {
    if (!idPattern.test(id)) return false;
    const wasWaiting = this.#queue.drop(id);
    return this.#queue.run(id, async () => {
      const wasThere = (await this.#folder.traces()).includes(id);
      if (!wasThere && !wasWaiting) return false;
      // This is noted first: even if a step below fails, this window does not write its snapshot again.
      this.#existed.add(id);
      if (wasThere) await this.#folder.locked(id, () => this.#folder.remove(id));
      this.#reader.forget(id);
      this.#revisions.delete(id);
      this.#changes.fire({ changed: [], deleted: [id] });
      return true;
    });
  }

  async count(): Promise<number> {
    return new Set([...this.#queue.keys, ...(await this.#folder.traces())]).size;
  }

  async purge(): Promise<number> {
    // All deletions start at the same time, so that a waiting snapshot is dropped before it is written.
    const busy = this.#queue.keys.map(async (id) => ((await this.delete(id)) ? id : null));
    const ids = await this.#folder.traces();
    const rest = ids.map(async (id) => ((await this.delete(id)) ? id : null));
    const deleted = await Promise.all([...busy, ...rest]);
    return new Set(deleted.filter((id) => id !== null)).size;
  }

  dispose(): void {
    this.#watcher.dispose();
    this.#changes.dispose();
    this.#notices.dispose();
  }

  /** Writes waiting snapshots, so that a list includes them, and starts to watch for other windows. */
  async #prepareToRead(): Promise<void> {
    await this.flush();
    if (!this.#isListened) return;
    await this.#folder.ensure();
    this.#watcher.start();
  }

  async #write(id: string, snapshot: Conversation): Promise<boolean> {
    await this.#folder.ensure();
    if (this.#isListened) this.#watcher.start();
    return this.#folder.locked(id, async () => {
      const found = this.#usable(id, await this.#reader.readLocked(id));
      if (found === undefined && this.#existed.has(id) && !(await this.#folder.hasSetAside(id))) return false;
      const revisions = this.#revisions.get(id);
      const knowledge = {
        isKnown: (turn: Turn) => this.#knownTurns.has(turn),
        revisionOf: (turnId: string) => revisions?.get(turnId),
      };
      const merged = mergeSnapshot(found, snapshot, knowledge, this.#now());
      if (merged.hasChanged) await this.#put(merged.conversation);
      this.#existed.add(id);
      this.#learn(snapshot, merged.conversation, new Set(merged.settled));
      return true;
    });
  }

  async #change(id: string, change: (stored: StoredConversation) => StoredConversation): Promise<boolean> {
    if (!idPattern.test(id)) return false;
    return this.#queue.run(id, async () => {
      if ((await this.#folder.fingerprint(id)) === null) return false;
      return this.#folder.locked(id, async () => {
        const stored = this.#usable(id, await this.#reader.readLocked(id));
        if (stored === undefined) return false;
        await this.#put(change(stored));
        this.#existed.add(id);
        return true;
      });
    });
  }

  #usable(id: string, found: Found): StoredConversation | undefined {
    if (found.outcome === 'ok') return found.conversation;
    if (found.outcome !== 'newer') return undefined;
    this.#reader.noticeNewer(id);
    throw new ServiceError('storage', 'A newer version wrote this conversation.', { code: 'newer-version' });
  }

  async #put(conversation: StoredConversation): Promise<void> {
    const fingerprint = await this.#folder.write(conversation);
    this.#reader.remember({ conversation, fingerprint });
    this.#changes.fire({ changed: [conversation.id], deleted: [] });
  }

  /** Marks its turns as known; for those in `settled` (null: all), this window has seen the stored revisions. */
  #learn(held: Conversation, stored: StoredConversation, settled: ReadonlySet<string> | null): void {
    for (const turn of allTurns(held)) this.#knownTurns.add(turn);
    const revisions = this.#revisions.get(stored.id) ?? new Map<string, number>();
    this.#revisions.set(stored.id, revisions);
    for (const { id, revision } of stored.turns) if (settled?.has(id) ?? true) revisions.set(id, revision);
  }

  /** The folder has changed; the files show whether another window did it. */
  async #look(names: ReadonlySet<string> | null): Promise<void> {
    const ids = names === null ? [...this.#reader.knownIds, ...(await this.#folder.ids())] : [...names].map(idOf);
    const changed: string[] = [];
    const deleted: string[] = [];
    for (const id of new Set(ids.filter((each) => each !== null))) {
      // The check is queued, or a write of this window would look like another window's.
      const found = await this.#queue.run(id, () => this.#reader.look(id));
      if (found === 'changed') changed.push(id);
      if (found === 'deleted') deleted.push(id);
    }
    if (changed.length + deleted.length > 0) this.#changes.fire({ changed, deleted });
  }
}
