import { PolicyError } from '../policy/policyError.ts';
import type { AuditAction, AuditRefusal } from '../protocol/audit/auditValues.ts';
import { isFrom, type KindFrom } from '../util/errorKinds.ts';
import { asServiceError, type ErrorCode, type ServiceError } from '../util/errors.ts';
import type { Logger } from '../util/logger.ts';
import type { AuditEntryOf, AuditTrail } from './audit.ts';
import { DeclinedError, StoppedError } from './confirmation.ts';

type Refused = AuditEntryOf<'refused'>;
type Refusal = Pick<Refused, 'reason' | 'settings' | 'asked'>;

interface RefusalParts {
  readonly audit: AuditTrail;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A request that was recorded, and the log for its entries. */
interface RecordedRequest {
  readonly request: string;
  readonly audit: AuditTrail;
}

/** A refusal whose first record is less than {@link repeatMs} old. */
interface Open {
  readonly entry: Refused;
  /** The number of repetitions after the last record. */
  repeats: number;
  timer: NodeJS.Timeout;
}

/** The time in milliseconds for which the same refusal is counted instead of recorded. */
const repeatMs = 60_000;

/**
 * Records what was refused at the gate, without content. The first refusal is recorded immediately. The same one within a minute
 * is counted: inline suggestions would otherwise fill the log. The count is recorded when the minute is over, and by close().
 */
export class Refusals {
  readonly #parts: RefusalParts;
  readonly #repeatMs: number;
  readonly #open = new Map<string, Open>();
  /** An error passes through several places that record refusals. */
  readonly #noted = new WeakSet<Error>();

  constructor(parts: RefusalParts, every = repeatMs) {
    this.#parts = parts;
    this.#repeatMs = every;
  }

  /** Records the refusal if the work throws one, and rethrows the error. `sent` is a request that is sent again. */
  async watch<T>(action: AuditAction, work: () => Promise<T>, sent?: RecordedRequest): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      await this.note(action, thrown, sent);
      throw thrown;
    }
  }

  /** Like watch(), while a request is prepared: also records that it was stopped then. */
  watchPreparing<T>(action: AuditAction, work: () => PromiseLike<T>): Promise<T> {
    return this.watch(action, async () => {
      try {
        return await work();
      } catch (thrown) {
        // VS Code cancels inline suggestions by itself, whenever the user goes on typing.
        const isStopped = asServiceError(thrown).kind === 'aborted' && action !== 'inlineCompletions';
        throw isStopped && !(thrown instanceof DeclinedError) ? new StoppedError() : thrown;
      }
    });
  }

  /** Resolves when a first refusal is on the disk, or could not be written. */
  async note(action: AuditAction, thrown: unknown, sent?: RecordedRequest): Promise<void> {
    const refusal = refusalOf(asServiceError(thrown));
    if (refusal === null || (thrown instanceof Error && this.#noted.has(thrown))) return;
    if (thrown instanceof Error) this.#noted.add(thrown);
    const entry: Refused = { kind: 'refused', ...refusal, action, count: 1 };
    if (sent !== undefined) return this.#record({ ...entry, request: sent.request }, sent.audit);
    const key = JSON.stringify(entry);
    const open = this.#open.get(key);
    if (open !== undefined) {
      open.repeats += 1;
      return;
    }
    this.#open.set(key, { entry, repeats: 0, timer: this.#later(key) });
    await this.#record(entry);
  }

  /** Resolves when all counted refusals are recorded. */
  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { timer } of open) clearTimeout(timer);
    await Promise.all(open.map(({ entry, repeats }) => this.#recordRepeats(entry, repeats)));
  }

  #later(key: string): NodeJS.Timeout {
    return setTimeout(() => void this.#onMinute(key), this.#repeatMs).unref();
  }

  /** While a refusal repeats, each minute has one record. */
  async #onMinute(key: string): Promise<void> {
    const open = this.#open.get(key);
    if (open === undefined) return;
    const { entry, repeats } = open;
    if (repeats === 0) {
      this.#open.delete(key);
      return;
    }
    open.repeats = 0;
    open.timer = this.#later(key);
    await this.#recordRepeats(entry, repeats);
  }

  async #recordRepeats(entry: Refused, repeats: number): Promise<void> {
    if (repeats > 0) await this.#record({ ...entry, count: repeats });
  }

  async #record(entry: Refused, audit = this.#parts.audit): Promise<void> {
    await audit
      .record(entry)
      .catch(() => this.#parts.logger.warn('A refused request could not be written to the audit log.'));
  }
}

/** Returns the refusal of the gate, or null for any other error. */
export function refusalOf(error: ServiceError): Refusal | null {
  if (error instanceof DeclinedError) return { reason: 'declined', asked: error.asked };
  if (error instanceof StoppedError) return { reason: 'stopped' };
  if (error instanceof PolicyError) return ofSettings(error);
  if (isFrom(error, 'rules')) return ofRules(error);
  if (error.kind === 'auth') return error.code === 'no-key' || error.code === 'helper' ? { reason: 'no-key' } : null;
  return error.kind === 'internal' ? { reason: 'fault' } : null;
}

function ofRules({ kind, code }: ServiceError<KindFrom<'rules'>>): Refusal | null {
  const known: Readonly<Record<string, AuditRefusal | null>> = reasons[kind];
  const reason = code === undefined ? null : (known[code] ?? null);
  return reason === null ? null : { reason };
}

/** The managed policy counts first, then what contradicts another setting. */
function ofSettings({ problems }: PolicyError): Refusal {
  const has = (reason: (typeof problems)[number]['reason']): boolean => problems.some((one) => one.reason === reason);
  const reason = has('not-managed') ? 'policy' : has('conflict') ? 'settings-conflict' : 'settings-invalid';
  return { reason, settings: [...new Set(problems.map(({ key }) => key))].sort() };
}

/** null means that the request was not made at all, because its subject is missing or not a text. */
const reasons: { readonly [K in KindFrom<'rules'>]: Readonly<Record<ErrorCode<K>, AuditRefusal | null>> } = {
  policy: {
    settings: 'settings-invalid',
    'settings-file': 'settings-file',
    'no-base-url': 'no-address',
    'managed-broken': 'policy-unusable',
    'feature-disabled': 'feature-disabled',
    'preview-required': 'preview-required',
    'context-budget': 'too-long',
  },
  gate: {
    excluded: 'excluded',
    'too-large': 'too-large',
    untrusted: 'untrusted',
    changed: 'changed',
    'masking-endless': 'not-masked',
    'audit-unwritable': 'not-recorded',
    'not-recognized': 'not-recognized',
    'not-delivered': 'not-delivered',
    'day-limit': 'day-limit',
    gone: null,
    'not-text': null,
    'no-images': null,
    'no-data': null,
    'unknown-part': null,
    'over-budget': 'too-large',
    'nothing-there': null,
    'not-here': null,
    'nothing-to-work-on': null,
    'broken-prompt': null,
    'outside-workspace': 'outside-workspace',
    'no-repository': null,
    'git-off': null,
    'git-failed': null,
    'conversation-too-long': 'too-long',
    'question-too-long': 'too-long',
    'summary-wanted': 'too-long',
    'nothing-to-summarize': null,
  },
};
