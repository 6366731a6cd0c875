import type { DayLimits } from '../../policy/managed/dayLimits.ts';
import { isFrom } from '../../util/errorKinds.ts';
import { type DayLimitReached, isServiceError, ServiceError } from '../../util/errors.ts';
import { withFolderLock } from '../lock.ts';
import { type Day, DayUsage, dayOf, type Usage } from './dayUsage.ts';

interface CounterParts {
  /** The folder of the audit log. */
  readonly folder: string;
  /** The folder of the lock, which all windows share. */
  readonly lockFolder: string;
  readonly now?: () => Date;
}

/** Enforces the daily limits over all windows of a user. Loaded only where the managed policy sets a limit. */
export class DayCounter {
  readonly #parts: CounterParts;
  readonly #now: () => Date;
  readonly #usage: DayUsage;

  constructor(parts: CounterParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => new Date());
    this.#usage = new DayUsage(parts.folder);
  }

  /**
   * Records a request if it is within the limits. The record is what other windows count, and no other window counts until it is
   * on the disk. Returns the limits of which 80 % are used. Throws a ServiceError of kind `gate`: code `day-limit` if a limit
   * is reached, and `audit-unwritable` if the log cannot be read or written.
   */
  async reserve(limits: DayLimits, record: () => Promise<unknown>): Promise<readonly DayLimitReached[]> {
    try {
      return await withFolderLock(this.#parts.lockFolder, 'limits.lock', () => this.#reserve(limits, record));
    } catch (error) {
      if (isServiceError(error) && isFrom(error, 'rules')) throw error;
      const reason = isServiceError(error) ? error.code : (error as NodeJS.ErrnoException).code;
      const file = this.#parts.folder;
      const about = { code: 'audit-unwritable', reason, file, cause: error } as const;
      throw new ServiceError('gate', 'The requests of the day cannot be counted.', about);
    }
  }

  async #reserve(limits: DayLimits, record: () => Promise<unknown>): Promise<readonly DayLimitReached[]> {
    const before = dayOf(this.#now());
    requireRoom(limits, await this.#usage.read(before), before);
    await record();
    const day = dayOf(this.#now());
    const usage = await this.#usage.read(day);
    // Midnight may have passed, and a window that slept may have lost the lock: then its request is one too many.
    requireRoom(limits, { requests: usage.requests - 1, tokens: 0 }, day);
    return limitsOf(limits, usage, day).filter(({ used, limit }) => used >= 0.8 * limit);
  }
}

/** Throws a ServiceError if a limit is reached. */
function requireRoom(limits: DayLimits, usage: Omit<Usage, 'estimated'>, day: Day): void {
  for (const found of limitsOf(limits, usage, day)) {
    if (found.used < found.limit) continue;
    throw new ServiceError('gate', `The limit of ${found.what} for a day is reached.`, {
      code: 'day-limit',
      file: limits.file,
      details: { dayLimit: found },
    });
  }
}

function limitsOf(
  limits: DayLimits,
  usage: Omit<Usage, 'estimated'>,
  { end: endsAt }: Day,
): readonly DayLimitReached[] {
  return (['requests', 'tokens'] as const).flatMap((what) => {
    const limit = limits[what];
    return limit === undefined ? [] : [{ what, used: usage[what], limit, endsAt }];
  });
}
