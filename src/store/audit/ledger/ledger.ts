import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hashFromBase64 } from '../../../evidence/base64.ts';
import { type Checkpoint, checkpointLine, checkpointWords, signCheckpoint } from '../../../evidence/checkpoint.ts';
import { type Follows, type LedgerRecord, ledgerLine } from '../../../evidence/ledgerRecords.ts';
import { leafOf, lineOf } from '../../../evidence/line.ts';
import { ServiceError } from '../../../util/errors.ts';
import { Lazy } from '../../../util/lazy.ts';
import { type HeldLock, withLock } from '../../lock.ts';
import { append, mend, type OpenAuditFile } from '../auditAppend.ts';
import { ledgerFileName, makeAuditFolder, type OpenAppendFile, reopenAppendFile } from '../auditFiles.ts';
import type { AuditSlots, SecretSlots } from '../auditSecrets.ts';
import { type LedgerPlace, LedgerState, readOn } from './ledgerState.ts';
import { type LedgerKey, SigningKey } from './signingKey.ts';

export interface LedgerParts {
  readonly folder: string;
  readonly secrets: SecretSlots;
  readonly slots: AuditSlots;
  readonly versions: () => Readonly<Record<string, string>>;
  /** Returns the prefix of the names of new ledgers. */
  readonly prefix?: (() => string | undefined) | undefined;
  /** Called when the ledger is shorter than before, or was changed: nothing is signed with its key again. */
  readonly onDidRollBack: (origin: string) => void;
  readonly now?: (() => Date) | undefined;
  readonly openFile?: OpenAppendFile | undefined;
  /** The number of lines at which another ledger follows (default 50,000); maxDays is the age in days (default 366). */
  readonly maxLines?: number | undefined;
  readonly maxDays?: number | undefined;
}

/** The state that a turn reads under the lock. */
export interface LedgerView extends Pick<LedgerState, 'origin' | 'heads' | 'removed' | 'follows'> {
  /** Whether this window has not read this ledger before. */
  readonly isFirst: boolean;
}

export interface LedgerEnd extends LedgerPlace {
  readonly origin: string;
  readonly vkey: string;
  /** The signed note. */
  readonly note: string;
}

/**
 * The ledger of a folder: the signed positions of all sessions. All windows write into it, one at a time.
 *
 * The anchor is set after the lines are on the disk and before they are signed. So lines that are neither covered by the
 * anchor nor signed were never signed by a window: they are removed like an incomplete write. Otherwise, another program
 * could get a line signed by adding it to the file.
 */
export class Ledger {
  readonly #parts: LedgerParts;
  readonly #key: SigningKey;
  readonly #now: () => Date;
  #made: Lazy<LedgerKey>;
  #state: LedgerState | undefined;
  /** The ledger of this window's last turn. */
  #turned: string | undefined;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    const { folder, secrets, slots, prefix } = parts;
    this.#key = new SigningKey({ folder, secrets, slot: slots.key, prefix });
    this.#now = parts.now ?? (() => new Date());
    this.#made = new Lazy(() => this.#key.readOrMake());
  }

  /**
   * The name of the ledger that signs new sessions; creates the key if there is none. Does not wait for a turn. With `isNew`
   * reads the key again: another window may have purged it.
   */
  async origin(isNew = false): Promise<string> {
    if (isNew) this.#made = new Lazy(() => this.#key.readOrMake());
    return (await this.#made.get()).origin;
  }

  /**
   * Runs a turn: reads the lines of other windows, appends the records that `make` returns, and signs them. It syncs twice,
   * because signed lines must be on the disk. Writes nothing if there is nothing to append and nothing unsigned. Throws the
   * errors of the disk, of the secret storage and of withLock.
   */
  turn(make: (view: LedgerView) => Promise<readonly LedgerRecord[]>): Promise<LedgerEnd> {
    return this.#locked(async (lock) => {
      const { key, state } = await this.#ready(lock);
      const { origin, heads, removed, follows } = state;
      const view = { origin, heads, removed, follows, isFirst: this.#turned !== origin };
      const records = await make(view);
      if (records.length > 0 || state.signedSize < state.tree.size) await this.#write(lock, key, state, records);
      this.#turned = origin;
      return { origin, vkey: key.vkey, note: state.note, ...state.place() };
    });
  }

  /** Ends the ledger, and begins another one with a new key. */
  rotate(): Promise<void> {
    return this.#locked(async (lock) => {
      const { key, state } = await this.#ready(lock);
      await this.#rotate(lock, key, state);
    });
  }

  /** Ends the log: deletes the key, and with `remove` the files. */
  forget<T>(remove: () => Promise<T>): Promise<T> {
    return this.#locked(async () => {
      const { secrets, slots } = this.#parts;
      await secrets.delete(slots.ledger);
      await secrets.delete(slots.key);
      this.#state = undefined;
      this.#turned = undefined;
      this.#made = new Lazy(() => this.#key.readOrMake());
      return remove();
    });
  }

  /** The last known state of the ledger, stored apart from its file. */
  async anchor(): Promise<Checkpoint | null> {
    const { secrets, slots } = this.#parts;
    const [, origin = '', size, root = ''] = /^(\S+) (\d+) (\S+)$/.exec((await secrets.get(slots.ledger)) ?? '') ?? [];
    const hash = hashFromBase64(root);
    return hash === null ? null : { origin, size: Number(size), root: hash };
  }

  async #locked<T>(task: (lock: HeldLock) => Promise<T>): Promise<T> {
    const { folder } = this.#parts;
    await makeAuditFolder(folder);
    return withLock(join(folder, 'ledger.lock'), task);
  }

  /** Reads the key and its ledger again, because other windows write both. */
  async #ready(lock: HeldLock): Promise<Opened> {
    const key = await this.#key.readOrMake();
    const state = await this.#read(key);
    if (state === null) return this.#replace(lock, key);
    if (state.isClosed && key.next === undefined) return this.#follow(lock, key, state);
    // A window was killed before it wrote the first line of the ledger that the last one names.
    if (state.tree.size === 0 && (await this.anchor()) !== null) return this.#begin(lock, key);
    const { maxLines = 50_000, maxDays = 366 } = this.#parts;
    const ageMs = state.openedAt === '' ? 0 : this.#now().getTime() - Date.parse(state.openedAt);
    const isOld = state.tree.size >= maxLines || ageMs > maxDays * 86_400_000;
    return key.next !== undefined || isOld ? this.#rotate(lock, key, state) : this.#use(key, state);
  }

  #use(key: LedgerKey, state: LedgerState): Opened {
    this.#made = new Lazy(async () => key);
    return { key, state };
  }

  /** Reads the ledger of a key. Returns null if the ledger was rolled back. */
  async #read(key: LedgerKey): Promise<LedgerState | null> {
    if (this.#state?.origin !== key.origin) this.#state = new LedgerState(key.origin);
    const state = this.#state;
    const anchor = await this.anchor();
    const ownAnchor = anchor?.origin === key.origin ? anchor : null;
    return (await readOn(state, this.#path(key.origin), key.vkey, ownAnchor)) === 'read' ? state : null;
  }

  /** Begins another ledger after a rollback: nothing is signed with the old key again. */
  async #replace(lock: HeldLock, { origin }: LedgerKey): Promise<Opened> {
    this.#state = undefined;
    this.#parts.onDidRollBack(origin);
    return this.#begin(lock, await this.#key.switchToNext());
  }

  /** Closes the old ledger with a line that names the next key, and begins the next ledger. Continues an interrupted change. */
  async #rotate(lock: HeldLock, old: LedgerKey, state: LedgerState): Promise<Opened> {
    const next = old.next ?? (await this.#key.prepareNext());
    if (!state.isClosed && state.tree.size > 0) {
      await this.#write(lock, old, state, [{ kind: 'closed', next: next.vkey }]);
    }
    return this.#begin(lock, await this.#key.switchToNext());
  }

  /** Follows another window that has closed this ledger. It can take a moment until the next key is visible here. */
  async #follow(lock: HeldLock, old: LedgerKey, state: LedgerState): Promise<Opened> {
    for (let tries = 0; tries < 10; tries += 1) {
      const key = await this.#key.readOrMake();
      if (key.origin !== old.origin) return this.#begin(lock, key);
      await wait(100);
    }
    return this.#rotate(lock, old, state);
  }

  /** Reads the ledger of a new key, or writes its first line. */
  async #begin(lock: HeldLock, key: LedgerKey): Promise<Opened> {
    const state = await this.#read(key);
    if (state === null) return this.#replace(lock, key);
    if (state.tree.size === 0) await this.#write(lock, key, state, []);
    return this.#use(key, state);
  }

  async #write(lock: HeldLock, key: LedgerKey, state: LedgerState, records: readonly LedgerRecord[]): Promise<void> {
    const { secrets, slots, openFile = reopenAppendFile } = this.#parts;
    const first = state.tree.size === 0 ? [await this.#opened(key)] : [];
    const file = await openFile(this.#path(key.origin));
    try {
      const isTorn = state.fileSize > state.offset;
      const current: OpenAuditFile = { file, day: '', size: state.offset, isTorn };
      await this.#requireTurn(lock, key, state.fileSize);
      await this.#append(current, state, [...first, ...records]);
      const place = state.place();
      await this.#requireTurn(lock, key, current.size);
      await secrets.set(slots.ledger, checkpointWords({ origin: key.origin, ...place }));
      // The secret storage may have asked the user in the meantime.
      await this.#requireTurn(lock, key, current.size);
      const note = signCheckpoint({ origin: key.origin, ...place }, key);
      await append(current, Buffer.from(`${checkpointLine(key.origin, note)}\n`));
      state.sign(note, current.size);
    } catch (error) {
      // Another window may remove lines that no anchor covers, so this window must not remember them.
      this.#state = undefined;
      throw error;
    } finally {
      await file.close();
    }
  }

  /**
   * Throws if this window has lost the lock, which can happen while the computer sleeps. Another window may have written since,
   * and signing now could give one size two roots. Throws a ServiceError, `storage` with code `locked`.
   */
  async #requireTurn(lock: HeldLock, { origin }: LedgerKey, size: number): Promise<void> {
    const found = await stat(this.#path(origin));
    if (found.size === size && (await lock.isHeld())) return;
    throw new ServiceError('storage', 'The lock was taken by another window.', { code: 'locked' });
  }

  async #append(current: OpenAuditFile, state: LedgerState, records: readonly LedgerRecord[]): Promise<void> {
    let [seq, prev, text] = [state.tree.size, state.prev, ''];
    for (const record of records) {
      seq += 1;
      const place = { ledger: state.origin, seq, time: this.#now().toISOString(), prev };
      const line = lineOf(ledgerLine(place, record));
      if (line === null) throw Object.assign(new Error('The record is too long.'), { code: 'ERR_OUT_OF_RANGE' });
      prev = leafOf(line).toString('hex');
      text += `${line}\n`;
    }
    if (records.length === 0) return void (await mend(current));
    if (!(await append(current, Buffer.from(text))))
      throw Object.assign(new Error('The ledger was removed.'), { code: 'ENOENT' });
    for (const line of text.split('\n').slice(0, -1)) state.take(Buffer.from(line));
    state.reach(current.size);
  }

  /** The first line of a ledger. The anchor shows which ledger is its predecessor. */
  async #opened({ vkey, origin }: LedgerKey): Promise<LedgerRecord> {
    const before = await this.anchor();
    const follows = before === null || before.origin === origin ? {} : { follows: inWords(before) };
    return { kind: 'opened', vkey, versions: this.#parts.versions(), ...follows };
  }

  #path(origin: string): string {
    return join(this.#parts.folder, ledgerFileName(origin));
  }
}

interface Opened {
  readonly key: LedgerKey;
  readonly state: LedgerState;
}

function inWords({ origin, size, root }: Checkpoint): Follows {
  return { origin, size, root: root.toString('base64') };
}
