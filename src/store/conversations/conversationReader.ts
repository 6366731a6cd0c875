import { abortedError, isServiceError } from '../../util/errors.ts';
import type { Logger } from '../../util/logger.ts';
import type { ConversationFolder, Found, Scratch } from './conversationFolder.ts';
import type { WordSearch } from './conversationSearch.ts';
import type { StoredConversation } from './conversationShape.ts';
import { type ConversationSummary, type SearchHit, summaryOf } from './conversationSummary.ts';

/** A file that cannot be used: renamed if it is damaged, otherwise unchanged. All other files load. */
export interface StoreNotice {
  readonly reason: 'damaged' | 'newer' | 'unreadable';
  /** The current name of the file in the folder. */
  readonly file: string;
}

interface Usable {
  readonly conversation: StoredConversation;
  readonly fingerprint: string;
}

/** The number of files read in parallel. */
const readers = 8;

/** Reads conversations, caches frequently used data, and renames damaged files. */
export class ConversationReader {
  readonly #folder: ConversationFolder;
  readonly #onNotice: (notice: StoreNotice) => void;
  readonly #logger: Logger;
  readonly #now: () => number;
  /** The files that were reported: one that is not renamed is reported only once. */
  readonly #noticed = new Set<string>();
  readonly #summaries = new Map<string, { readonly fingerprint: string; readonly summary: ConversationSummary }>();
  /** The last conversation this window wrote, so that saving a growing one does not read its file each time. */
  #last: Usable | undefined;

  constructor(
    folder: ConversationFolder,
    { onNotice, logger, now }: { onNotice: (notice: StoreNotice) => void; logger: Logger; now: () => number },
  ) {
    this.#folder = folder;
    this.#onNotice = onNotice;
    this.#logger = logger;
    this.#now = now;
  }

  /** Caches what this window has just written. */
  remember(usable: Usable): void {
    this.#last = usable;
    this.#summarize(usable);
  }

  forget(id: string): void {
    if (this.#last?.conversation.id === id) this.#last = undefined;
    this.#summaries.delete(id);
  }

  get knownIds(): readonly string[] {
    return [...this.#summaries.keys()];
  }

  /** Returns how a file has changed since this window last read or wrote it. */
  async look(id: string): Promise<'same' | 'changed' | 'deleted'> {
    const fingerprint = await this.#folder.fingerprint(id);
    const known = this.#summaries.get(id)?.fingerprint;
    if (fingerprint === (known ?? null)) return 'same';
    if (fingerprint !== null && (await this.read(id)) !== undefined) return 'changed';
    this.forget(id);
    return fingerprint === null ? 'deleted' : 'changed';
  }

  /** Reads a file, and renames it if it is damaged, so that it is missing afterwards. Call it only under the lock. */
  async readLocked(id: string): Promise<Found> {
    const last = this.#last;
    if (last?.conversation.id === id && (await this.#folder.fingerprint(id)) === last.fingerprint)
      return { outcome: 'ok', ...last };
    const found = await this.#folder.read(id);
    if (found.outcome !== 'damaged') return found;
    const file = await this.#folder.setAside(id, this.#now());
    this.forget(id);
    this.#notice({ reason: 'damaged', file });
    return { outcome: 'missing' };
  }

  /** Returns undefined if there is no usable file; an unusable one was then renamed or reported. */
  async read(id: string): Promise<Usable | undefined> {
    let found = await this.#folder.read(id);
    // The file is damaged, or another window is repairing it: only the lock makes this certain.
    if (found.outcome === 'damaged') found = await this.#folder.locked(id, () => this.readLocked(id));
    if (found.outcome === 'newer') this.noticeNewer(id);
    if (found.outcome !== 'ok') return undefined;
    const { conversation, fingerprint } = found;
    this.#summarize({ conversation, fingerprint });
    return { conversation, fingerprint };
  }

  noticeNewer(id: string): void {
    this.#notice({ reason: 'newer', file: `${id}.json` });
  }

  async summaries(signal?: AbortSignal): Promise<readonly ConversationSummary[]> {
    return this.#each(
      await this.#folder.ids(),
      async (id) => {
        const head = await this.#folder.head(id);
        const known = this.#summaries.get(id);
        if (known !== undefined && head?.fingerprint === known.fingerprint) return known.summary;
        if (head?.summary) {
          this.#summaries.set(id, { fingerprint: head.fingerprint, summary: head.summary });
          return head.summary;
        }
        const usable = await this.read(id);
        return usable === undefined ? null : summaryOf(usable.conversation);
      },
      signal,
    );
  }

  /** Searches the summaries, then the files of the conversations whose titles do not match. */
  async search(words: WordSearch, signal?: AbortSignal): Promise<readonly SearchHit[]> {
    const summaries = new Map((await this.summaries(signal)).map((summary) => [summary.id, summary]));
    return this.#each(
      [...summaries.keys()],
      async (id, scratch) => {
        const summary = summaries.get(id);
        if (summary === undefined) return null;
        const inTitle = words.inText(summary.title);
        if (inTitle !== null) return { ...summary, excerpt: inTitle };
        const bytes = await this.#folder.bytes(id, scratch);
        const excerpt = bytes === null ? null : words.inFile(bytes);
        return excerpt === null ? null : { ...summary, excerpt };
      },
      signal,
    );
  }

  async #each<T>(
    all: readonly string[],
    visit: (id: string, scratch: Scratch) => Promise<T | null>,
    signal: AbortSignal | undefined,
  ): Promise<readonly T[]> {
    const ids = [...all];
    const results: T[] = [];
    const work = async (): Promise<void> => {
      const scratch = { buffer: Buffer.alloc(0) };
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        if (signal?.aborted) throw abortedError();
        try {
          const result = await visit(id, scratch);
          if (result !== null) results.push(result);
        } catch (error) {
          // A single file that the user may not read must not hide the others.
          if (!isServiceError(error)) throw error;
          this.#notice({ reason: 'unreadable', file: `${id}.json` });
        }
      }
    };
    await Promise.all(Array.from({ length: readers }, work));
    return results;
  }

  #summarize({ conversation, fingerprint }: Usable): void {
    this.#summaries.set(conversation.id, { fingerprint, summary: summaryOf(conversation) });
  }

  #notice(notice: StoreNotice): void {
    if (this.#noticed.has(notice.file)) return;
    this.#noticed.add(notice.file);
    this.#logger.warn(`A conversation's file cannot be used: ${notice.reason}.`);
    this.#onNotice(notice);
  }
}
