import { isPauseDue, pause } from '../../../gate/secrets/pace.ts';
import type { AuditDataMessage, AuditStatus } from '../../../protocol/audit/auditMessages.ts';
import type { LogTail, LogTaker } from '../../../store/audit/logTail.ts';
import { RecordRows, type RowWords, type StampedEntry } from './rows.ts';

interface FeedParts {
  /** Makes what reads the log. */
  readonly follow: (taker: LogTaker) => Pick<LogTail, 'read'>;
  readonly words: RowWords;
  readonly status: () => Promise<Pick<AuditStatus, 'unsigned' | 'verdict'>>;
  readonly post: (message: AuditDataMessage) => void;
}

/** The records of a file of the log, as they are sent. */
interface FileParts {
  readonly parts: KeptPart[];
  badLines: number;
}

interface KeptPart {
  readonly bytes: Uint8Array;
  readonly count: number;
}

/** In a part, which takes a few milliseconds to make. */
const maxRecords = 1_000;

/**
 * Sends the log to its page: all of it once, in parts, and then what is added. Keeps the parts, because VS Code makes the page
 * again each time it is shown: a quarter of the size of the log's files that is not looked at by the garbage collection.
 */
export class AuditFeed implements LogTaker {
  readonly #parts: FeedParts;
  readonly #tail: Pick<LogTail, 'read'>;
  readonly #files = new Map<string, FileParts>();
  #added = new RecordRows();
  /** The page must forget what it has. */
  #isStale = true;
  #status: Pick<AuditStatus, 'unsigned' | 'verdict'> = { unsigned: '' };
  #stopping = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#tail = parts.follow(this);
  }

  /** Sends what the page does not have; everything if it `isNew`. Resolves when it is sent. Throws errors of reading. */
  tell(isNew = false): Promise<void> {
    if (isNew) this.stop();
    const { signal } = this.#stopping;
    const told = this.#last.then(() => this.#tell(signal));
    this.#last = told.catch(() => undefined);
    return told;
  }

  /** The page is gone: nothing is sent until there is a new one. */
  stop(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#isStale = true;
  }

  async #tell(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#status = await this.#parts.status();
    if (this.#isStale) await this.#sendKept(signal);
    await this.#tail.read(signal);
    // A file was removed, or changed.
    if (this.#isStale) await this.#sendKept(signal);
    this.#status = await this.#parts.status();
    if (!signal.aborted) this.#post({ parts: [], isWhole: true });
  }

  async #sendKept(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#isStale = false;
    this.#post({ isNew: true });
    // The names begin with the time.
    for (const name of [...this.#files.keys()].sort().reverse()) {
      const { parts = [] } = this.#files.get(name) ?? {};
      if (parts.length > 0) this.#post({ parts: parts.map(({ bytes }) => bytes) });
      if (isPauseDue()) await pause();
      if (signal.aborted) return;
    }
  }

  #post({ isNew = false, isWhole = false, parts = [] as readonly Uint8Array[] }): void {
    let badLines = 0;
    for (const file of this.#files.values()) badLines += file.badLines;
    this.#parts.post({ type: 'data', isNew, parts, status: { isWhole, badLines, ...this.#status } });
  }

  take(name: string, record: StampedEntry | null): void {
    if (record === null) {
      this.#fileOf(name).badLines += 1;
      return;
    }
    this.#added.add(record, this.#parts.words);
    if (this.#added.count >= maxRecords) this.done(name);
  }

  drop(name: string): void {
    const { parts = [], badLines = 0 } = this.#files.get(name) ?? {};
    if (parts.length > 0 || badLines > 0) this.#isStale = true;
    this.#files.delete(name);
  }

  done(name: string): void {
    const added = { bytes: this.#added.encoded(), count: this.#added.count };
    if (added.count === 0) return;
    this.#added = new RecordRows();
    const { parts } = this.#fileOf(name);
    const before = parts.at(-1);
    if (before === undefined || before.count + added.count > maxRecords) parts.push(added);
    else parts.splice(-1, 1, joined(before, added));
    if (!this.#isStale) this.#post({ parts: [added.bytes] });
  }

  #fileOf(name: string): FileParts {
    const known = this.#files.get(name) ?? { parts: [], badLines: 0 };
    this.#files.set(name, known);
    return known;
  }
}

function joined(before: KeptPart, added: KeptPart): KeptPart {
  const rows = new RecordRows();
  rows.addSent(before.bytes);
  rows.addSent(added.bytes);
  return { bytes: rows.encoded(), count: rows.count };
}
