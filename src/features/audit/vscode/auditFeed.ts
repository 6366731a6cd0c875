import { isPauseDue, pause } from '../../../gate/secrets/pace.ts';
import type { AuditDataMessage, AuditStatus } from '../../../protocol/audit/auditMessages.ts';
import type { LogTail, LogTaker } from '../../../store/audit/logTail.ts';
import { RecordRows, type RowWords, type StampedEntry } from './rows.ts';

interface FeedParts {
  /** Creates the reader of the log. */
  readonly follow: (taker: LogTaker) => Pick<LogTail, 'read'>;
  readonly words: RowWords;
  readonly status: () => Promise<Pick<AuditStatus, 'unsigned' | 'verdict'>>;
  readonly post: (message: AuditDataMessage) => void;
}

/** The records of a log file, in the form in which they are sent. */
interface FileParts {
  readonly parts: KeptPart[];
  badLines: number;
}

interface KeptPart {
  readonly bytes: Uint8Array;
  readonly count: number;
}

/** The maximum number of records in a part, which takes a few milliseconds to make. */
const maxRecords = 1_000;

/**
 * Sends the log to its page: the whole log once, in parts, and then new records. The parts are kept, because VS Code creates
 * the page again each time it is shown. They take a quarter of the size of the log files, and the garbage collector need not
 * scan them.
 */
export class AuditFeed implements LogTaker {
  readonly #parts: FeedParts;
  readonly #tail: Pick<LogTail, 'read'>;
  readonly #files = new Map<string, FileParts>();
  #added = new RecordRows();
  /** Whether the page must discard its records. */
  #isStale = true;
  #status: Pick<AuditStatus, 'unsigned' | 'verdict'> = { unsigned: '' };
  #stopping = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#tail = parts.follow(this);
  }

  /**
   * Sends the records that the page does not have, or all records to a new page (`isNew`). Resolves when they are sent.
   * Throws errors of reading.
   */
  tell(isNew = false): Promise<void> {
    if (isNew) this.stop();
    const { signal } = this.#stopping;
    const sending = this.#last.then(() => this.#tell(signal));
    this.#last = sending.catch(() => undefined);
    return sending;
  }

  /** Called when the page no longer exists: nothing is sent until there is a new page. */
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
    // A file was removed or changed, so everything is sent again.
    if (this.#isStale) await this.#sendKept(signal);
    this.#status = await this.#parts.status();
    if (!signal.aborted) this.#post({ parts: [], isWhole: true });
  }

  async #sendKept(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#isStale = false;
    this.#post({ isNew: true });
    // The names begin with the time, so the newest files come first.
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
    else parts.splice(-1, 1, joinParts(before, added));
    if (!this.#isStale) this.#post({ parts: [added.bytes] });
  }

  #fileOf(name: string): FileParts {
    const known = this.#files.get(name) ?? { parts: [], badLines: 0 };
    this.#files.set(name, known);
    return known;
  }
}

function joinParts(before: KeptPart, added: KeptPart): KeptPart {
  const rows = new RecordRows();
  rows.addSent(before.bytes);
  rows.addSent(added.bytes);
  return { bytes: rows.encoded(), count: rows.count };
}
