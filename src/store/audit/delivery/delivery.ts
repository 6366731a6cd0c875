import { logsBody } from '../../../client/otlp/logsBody.ts';
import type { Collector, LogsAccepted } from '../../../client/otlp/sendLogs.ts';
import { defaultBacklogBytes, type OtlpPolicy } from '../../../policy/managed/evidencePolicy.ts';
import type { DisposableLike } from '../../../util/disposable.ts';
import { asServiceError, isServiceError, ServiceError } from '../../../util/errors.ts';
import type { Logger } from '../../../util/logger.ts';
import { orAborted } from '../../../util/orAborted.ts';
import { DeliveryState, type FilePosition, type Positions } from './deliveryState.ts';
import { type DeliveryFailure, failureAfter } from './failure.ts';
import { nextBatch } from './nextBatch.ts';
import { Undelivered, type Written } from './undelivered.ts';

export interface DeliveryParts {
  /** The folder of the log. */
  readonly folder: string;
  /** The folder for the state of the delivery. */
  readonly stateFolder: string;
  /** Returns the collector, or undefined if nothing is delivered. Called for each attempt. */
  readonly collector: () => OtlpPolicy | undefined;
  readonly send: (collector: Collector, body: string, signal: AbortSignal) => Promise<LogsAccepted>;
  readonly written: () => Written | null;
  /** The version of the extension. */
  readonly version: string;
  /** Called when the status has changed. */
  readonly onDidChange: () => void;
  readonly logger: Logger;
  readonly now?: (() => number) | undefined;
  /** Times in milliseconds; tests use shorter ones. */
  readonly times?: Partial<typeof defaultTimes> | undefined;
  /** The maximum size of the lines in one request. Default 256 kB. */
  readonly maxBatchBytes?: number | undefined;
}

const defaultTimes = {
  /** The delay before a delivery, so that lines that are written in quick succession are sent together. */
  gatherMs: 1_000,
  /** The delay until the next check whether another window still delivers. */
  busyMs: 5_000,
  /** The first wait after a failure; it doubles with each further failure. */
  baseMs: 1_000,
  /** The maximum wait after a failure; also the wait after a failure that a retry cannot resolve. */
  maxMs: 300_000,
};

/** The result of drain(): `busy` if another window is already delivering. */
type Drained = 'done' | 'busy' | 'failed' | 'off';

/** The status that the audit page shows. */
export interface DeliveryStatus {
  /** The size of the backlog in bytes, at the last check. */
  readonly backlog: number;
  readonly host: string;
  /** The error of the last attempt; undefined if it succeeded. */
  readonly failure: ServiceError | undefined;
  /** The number of records of this window that the collector rejected although it accepted their request. */
  readonly rejected: number;
}

/** The minimum size of a batch in bytes: enough for one line. */
const minBatchBytes = 8_192;

/**
 * Delivers every line of the log to a collector, at least once, byte for byte. The files of the log are the queue; only
 * the position in each file is stored in addition. No request waits for the delivery, unless a policy requires it and
 * the backlog is too large. No timer runs while everything is delivered.
 */
export class Delivery implements DisposableLike {
  readonly #parts: DeliveryParts;
  readonly #times: typeof defaultTimes;
  readonly #now: () => number;
  readonly #undelivered: Undelivered;
  readonly #ended = new AbortController();
  #state: { readonly url: string; readonly stored: DeliveryState } | undefined;
  #running: Promise<Drained> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: DeliveryFailure | undefined;
  #backlog = 0;
  #rejected = 0;
  #maxBytes: number;
  #committed = Promise.withResolvers<void>();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#times = { ...defaultTimes, ...parts.times };
    this.#now = parts.now ?? Date.now;
    this.#undelivered = new Undelivered(parts.folder, this.#now);
    this.#maxBytes = parts.maxBatchBytes ?? 262_144;
  }

  /** The status for the audit page; null if there is no collector. */
  get status(): DeliveryStatus | null {
    const collector = this.#parts.collector();
    if (collector === undefined) return null;
    const { host } = new URL(collector.url);
    return { backlog: this.#backlog, host, failure: this.#failure?.error, rejected: this.#rejected };
  }

  /** Schedules a delivery. Call this after lines were written. */
  wake(): void {
    const collector = this.#parts.collector();
    if (collector === undefined || this.#ended.signal.aborted) return;
    this.#stateOf(collector);
    // After a failure, the next attempt is already scheduled.
    if (this.#failure === undefined) this.#schedule(this.#times.gatherMs);
  }

  /** The number of bytes that are not delivered, in the files of all windows. Throws errors of reading. */
  async backlog(): Promise<number> {
    const collector = this.#parts.collector();
    if (collector === undefined) return 0;
    const { bytes } = await this.#undelivered.scan(await this.#stateOf(collector).positions());
    this.#backlog = bytes;
    return bytes;
  }

  /** Whether everything in these files is delivered, or the files no longer exist. */
  async isDelivered(names: readonly string[]): Promise<boolean> {
    const collector = this.#parts.collector();
    if (collector === undefined) return true;
    const { files } = await this.#undelivered.scan(await this.#stateOf(collector).positions());
    return !files.some(({ name }) => names.includes(name));
  }

  /**
   * Resolves if no more than `limit` bytes wait. If there are more, tries to deliver them first. Throws a ServiceError:
   * `gate`, code `not-delivered`, or `audit-unwritable` if the log cannot be read.
   */
  async require(signal?: AbortSignal): Promise<void> {
    const limit = this.#parts.collector()?.backlogBytes ?? defaultBacklogBytes;
    await this.#deliverTo(limit, signal).catch((cause: unknown) => {
      if (isServiceError(cause)) throw cause;
      const { code: reason } = cause as NodeJS.ErrnoException;
      if (typeof reason !== 'string') throw cause;
      const about = { code: 'audit-unwritable', reason, file: this.#parts.folder, cause } as const;
      throw new ServiceError('gate', 'The log cannot be read.', about);
    });
    if (this.#backlog <= limit) return;
    throw new ServiceError('gate', 'Too much of the audit log is not delivered.', {
      code: 'not-delivered',
      details: { size: { bytes: this.#backlog, limit }, failure: this.#failure?.error },
      host: this.status?.host,
    });
  }

  /** Delivers as much as possible now. Throws a ServiceError if anything remains: `storage`, code `not-delivered`. */
  async requireAll(): Promise<void> {
    await this.#deliverTo(0);
    if (this.#backlog === 0) return;
    const { host } = this.status ?? {};
    throw new ServiceError('storage', 'Not all of the audit log is delivered.', { code: 'not-delivered', host });
  }

  /** Call this when the window closes. Delivers for at most `withinMs`; the next window delivers the rest. */
  async finish(withinMs = 2_000): Promise<void> {
    const timer = setTimeout(() => this.dispose(), withinMs);
    if (this.#failure === undefined && (await this.backlog().catch(() => 0)) > 0) await this.drain();
    clearTimeout(timer);
    this.dispose();
    await this.#running;
  }

  dispose(): void {
    this.#stopWaiting();
    this.#ended.abort();
  }

  /** Delivers everything that is in the files now. Never rejects. */
  drain(): Promise<Drained> {
    this.#running ??= this.#drain()
      .catch((error: unknown) => this.#fail(error))
      .then((drained) => {
        this.#running = undefined;
        this.#scheduleNext(drained);
        this.#noteCommit();
        this.#parts.onDidChange();
        return drained;
      });
    return this.#running;
  }

  async #deliverTo(limit: number, signal?: AbortSignal): Promise<void> {
    // A running drain may have begun before the last lines were written.
    for (let drains = 0; drains < 2; drains += 1) {
      if ((await this.backlog()) <= limit || this.#now() < (this.#failure?.notBefore ?? 0)) return;
      let isFinished = false;
      const drained = this.drain().finally(() => {
        isFinished = true;
      });
      while (!isFinished && this.#backlog > limit) {
        const next = Promise.race([drained, this.#committed.promise]);
        await (signal === undefined ? next : orAborted(next, signal));
        await this.backlog();
      }
    }
    await this.backlog();
  }

  #schedule(ms: number): void {
    if (this.#ended.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.drain();
    }, ms).unref();
  }

  /** Schedules the next attempt after a failure, or while another window is delivering. */
  #scheduleNext(drained: Drained): void {
    if (drained === 'busy') this.#schedule(this.#times.busyMs);
    if (drained !== 'failed') return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule(Math.max(0, (this.#failure?.until ?? 0) - this.#now()));
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#failure = undefined;
  }

  #stateOf({ url }: OtlpPolicy): DeliveryState {
    if (this.#state?.url !== url) {
      // Failures of the previous collector no longer count.
      if (this.#state !== undefined) this.#stopWaiting();
      this.#state = { url, stored: new DeliveryState(this.#parts.stateFolder, url, this.#now) };
    }
    return this.#state.stored;
  }

  async #drain(): Promise<Drained> {
    const collector = this.#parts.collector();
    if (collector === undefined || this.#ended.signal.aborted) return 'off';
    const state = this.#stateOf(collector);
    if ((await this.backlog()) === 0) return 'done';
    const positions = await state.claim();
    if (positions === null) return 'busy';
    try {
      return await this.#deliver(collector, state, positions);
    } finally {
      await state.release().catch(() => undefined);
    }
  }

  async #deliver(collector: OtlpPolicy, state: DeliveryState, positions: Positions): Promise<Drained> {
    const { folder, written } = this.#parts;
    const { files, missing } = await this.#undelivered.scan(positions);
    if (missing.length > 0) await state.commit(new Map(missing.map((name) => [name, null])));
    for (let remaining = files; remaining.length > 0; ) {
      const batch = await nextBatch(folder, remaining, this.#maxBytes, written());
      // The policy may have changed in the meantime, to another collector or to none.
      if (this.#parts.collector()?.url !== collector.url) return 'off';
      if (batch.lines.length > 0 && !(await this.#send(collector, batch.lines))) continue;
      const changes = new Map<string, FilePosition>(batch.positions);
      if (changes.size > 0 && !(await state.commit(changes))) return 'busy';
      remaining = batch.remaining;
      this.#noteCommit();
    }
    await this.backlog();
    return 'done';
  }

  /** Returns false if the request was too large; the next one is smaller then. */
  async #send(collector: OtlpPolicy, lines: Parameters<typeof logsBody>[0]): Promise<boolean> {
    const body = logsBody(lines, this.#parts.version, this.#now());
    try {
      const { rejected } = await this.#parts.send(collector, body, this.#ended.signal);
      if (this.#failure !== undefined) this.#stopWaiting();
      if (rejected > 0) {
        this.#rejected += rejected;
        this.#parts.logger.warn(`The collector of the audit log rejected records: ${rejected}.`);
      }
      return true;
    } catch (error) {
      if (asServiceError(error).status !== 413 || this.#maxBytes <= minBatchBytes) throw error;
      this.#maxBytes = Math.max(minBatchBytes, Math.floor(this.#maxBytes / 2));
      return false;
    }
  }

  #noteCommit(): void {
    this.#committed.resolve();
    this.#committed = Promise.withResolvers();
  }

  #fail(thrown: unknown): Drained {
    if (this.#ended.signal.aborted) return 'off';
    const before = this.#failure;
    const failure = failureAfter(thrown, (before?.count ?? 0) + 1, this.#now(), this.#times);
    this.#failure = failure;
    // A failure is logged once, and not for each further attempt.
    const words = `The audit log cannot be delivered: ${failure.why}. Delivery will be retried.`;
    if (failure.why !== before?.why) this.#parts.logger.warn(words);
    return 'failed';
  }
}
