import { keyFilter } from '../../../client/answer/withoutKey.ts';
import { allowedIn } from '../../../policy/allowed.ts';
import type { Connection } from '../../../policy/connection.ts';
import { wrongHelperField } from '../../../policy/managed/helperCommand.ts';
import type { KeyHelper } from '../../../policy/managed/managedRules.ts';
import { PolicyError } from '../../../policy/policyError.ts';
import { showValue } from '../../../policy/readValue.ts';
import { withFolderLock } from '../../../store/lock.ts';
import { type IsOpenToUser, wayTo } from '../../../store/managed/managedFileGuard.ts';
import { abortedError, type HelperFault, isServiceError, ServiceError } from '../../../util/errors.ts';
import { orAborted } from '../../../util/orAborted.ts';
import type { ServiceClock } from '../../../util/serviceClock.ts';
import { type HelperAnswer, HelperError, readHelperAnswer, type SignIn } from './helperAnswer.ts';
import { type Printed, runHelper } from './runHelper.ts';

export interface HelperParts {
  /** The folder of the lock that all windows of this user share. */
  readonly folder: string;
  readonly clock: ServiceClock;
  /** Whether a user who is not an administrator can change the item at this path. */
  readonly isOpen: IsOpenToUser;
  /** Shows the page to sign in on; returns what removes it. */
  readonly showSignIn: (signIn: SignIn, connection: Connection, cancel: () => void) => () => void;
  /** Asks the service for its time, without a key; the clock notes it. Does nothing if the service does not answer. */
  readonly askTime: (connection: Connection, signal: AbortSignal) => Promise<void>;
  /** Returns all keys that are known. */
  readonly knownKeys: () => Promise<readonly string[]>;
  /** Masks what looks like a secret. */
  readonly maskSecrets: (text: string) => Promise<string>;
}

/** A key in memory. */
interface Held extends HelperAnswer {
  /** When a new key is asked for; milliseconds since the epoch, by the service's clock. */
  readonly renewAt: number;
}

/** A run of a helper, for all requests that wait for its key. */
interface Run {
  readonly end: Promise<Held>;
  readonly controller: AbortController;
  waiting: number;
}

/** The longest time before the expiry of a key at which a new one is asked for, in milliseconds. */
const maxRenewalMs = 60_000;
const maxSaidChars = 200;

/** The keys that credential helpers print. They are only in memory, each for one program and one address. */
export class HelperKeys {
  readonly #parts: HelperParts;
  readonly #held = new Map<string, Held>();
  readonly #runs = new Map<string, Run>();

  constructor(parts: HelperParts) {
    this.#parts = parts;
  }

  /** Returns the key in memory, or runs the helper. Throws a ServiceError: `auth` with code `helper`, or `aborted`. */
  async get(from: KeyHelper, connection: Connection, signal: AbortSignal): Promise<string> {
    requireValid(from);
    const slot = slotOf(from, connection);
    const held = this.#held.get(slot);
    const now = this.#parts.clock.now(connection.origin);
    if (held !== undefined && now < held.renewAt) return held.key;
    try {
      return (await this.#run(slot, from, connection, signal)).key;
    } catch (error) {
      if (signal.aborted || held?.expiresAt === undefined || !this.#isValid(held, connection)) throw error;
      // The current key holds until it expires. Until then, the helper is not asked again.
      this.#held.set(slot, { ...held, renewAt: held.expiresAt });
      return held.key;
    }
  }

  /** Whether get() returns a key without running the helper. */
  isReady(from: KeyHelper, connection: Connection): boolean {
    const held = this.#held.get(slotOf(from, connection));
    return held !== undefined && this.#parts.clock.now(connection.origin) < held.renewAt;
  }

  /** Returns a new key in place of one that the service refused, or null if the helper prints the same again. */
  async renew(from: KeyHelper, connection: Connection, refused: string, signal: AbortSignal): Promise<string | null> {
    const slot = slotOf(from, connection);
    // A parallel request may have renewed it.
    if (this.#held.get(slot)?.key === refused) this.#held.delete(slot);
    const key = await this.get(from, connection, signal);
    return key === refused ? null : key;
  }

  /** Returns who the key in memory is for, if the helper said so. With `key`, only if it is this one. */
  subjectOf(from: KeyHelper, connection: Connection, key?: string): string | undefined {
    const held = this.#held.get(slotOf(from, connection));
    return key === undefined || held?.key === key ? held?.subject : undefined;
  }

  get all(): readonly string[] {
    return [...this.#held.values()].map(({ key }) => key);
  }

  forget(): void {
    this.#held.clear();
  }

  /** Ends all runs, and forgets all keys. */
  dispose(): void {
    for (const { controller } of this.#runs.values()) controller.abort();
    this.forget();
  }

  #isValid({ expiresAt }: HelperAnswer, { origin }: Connection): boolean {
    return expiresAt === undefined || this.#parts.clock.now(origin) < expiresAt;
  }

  /** Joins the run for this slot, or begins one. It is stopped when no request waits for it any more. */
  async #run(slot: string, from: KeyHelper, connection: Connection, signal: AbortSignal): Promise<Held> {
    const running = this.#runs.get(slot);
    const run =
      running === undefined || running.controller.signal.aborted ? this.#begin(slot, from, connection) : running;
    run.waiting += 1;
    try {
      return await orAborted(run.end, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) run.controller.abort();
    }
  }

  #begin(slot: string, from: KeyHelper, connection: Connection): Run {
    const controller = new AbortController();
    const keep = async (): Promise<Held> => {
      try {
        const held = await this.#newKey(from, connection, controller);
        this.#held.set(slot, held);
        return held;
      } finally {
        if (this.#runs.get(slot) === run) this.#runs.delete(slot);
      }
    };
    const run: Run = { end: Promise.resolve().then(keep), controller, waiting: 0 };
    this.#runs.set(slot, run);
    return run;
  }

  async #newKey(from: KeyHelper, connection: Connection, controller: AbortController): Promise<Held> {
    const { signal } = controller;
    const printed: Printed = { output: Buffer.alloc(0), errors: Buffer.alloc(0) };
    try {
      await this.#alone(() => this.#print(printed, from, connection, controller), signal);
      const answer = readHelperAnswer(printed.output);
      if (!this.#isValid(answer, connection)) await orAborted(this.#parts.askTime(connection, signal), signal);
      const { expiresAt = Number.POSITIVE_INFINITY } = answer;
      const left = expiresAt - this.#parts.clock.now(connection.origin);
      if (left <= 0) throw new HelperError({ is: 'expired', at: expiresAt });
      return { ...answer, renewAt: expiresAt - Math.min(maxRenewalMs, left / 5) };
    } catch (error) {
      throw isServiceError(error) ? error : await this.#explained(error, from, connection, printed);
    }
  }

  /** Runs the work while no other window runs a helper, and waits for as long as another one does. */
  async #alone(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    let hasBegun = false;
    const begin = (): Promise<void> =>
      withFolderLock(this.#parts.folder, 'helper.lock', async () => {
        hasBegun = true;
        if (signal.aborted) throw abortedError();
        await work();
      });
    for (;;) {
      try {
        return await orAborted(begin(), signal);
      } catch (error) {
        if (!hasBegun && !isServiceError(error)) throw new HelperError({ is: 'no-lock', code: systemCode(error) });
        if (!isServiceError(error) || error.code !== 'locked') throw error;
      }
    }
  }

  async #print(printed: Printed, from: KeyHelper, connection: Connection, controller: AbortController): Promise<void> {
    await this.#requireGuarded(from);
    let hide = (): void => undefined;
    const onSignIn = (signIn: SignIn): void => {
      hide = this.#parts.showSignIn(signIn, connection, () => controller.abort());
    };
    try {
      await runHelper({ helper: from.helper, connection, printed, onSignIn }, controller.signal);
    } finally {
      hide();
    }
  }

  /** Throws a HelperError if the policy names a program that the user can replace: the policy would have no effect. */
  async #requireGuarded({ helper, by }: KeyHelper): Promise<void> {
    if (by === 'user') return;
    const { names } = await wayTo(helper.command[0]);
    for (const path of names) if (await this.#parts.isOpen(path)) throw new HelperError({ is: 'writable', path });
  }

  /** Turns a HelperError, or an error of the system, into a ServiceError. */
  async #explained(
    error: unknown,
    { helper, by }: KeyHelper,
    { origin }: Connection,
    { output, errors }: Printed,
  ): Promise<ServiceError> {
    const isOwn = error instanceof HelperError;
    const fault: HelperFault = isOwn ? error.fault : { is: 'not-started', code: systemCode(error) };
    const { knownKeys, maskSecrets } = this.#parts;
    const filter = keyFilter([...(await knownKeys()), ...wordsOf(output)]);
    const text = filter.text((await maskSecrets(errors.toString())).replace(/[\p{C}\s]+/gu, ' ')).trim();
    const said = [...text].slice(0, maxSaidChars).join('');
    const [program] = helper.command;
    return new ServiceError('auth', `The credential helper gave no key: ${fault.is}.`, {
      code: 'helper',
      origin,
      details: { helper: { program, by, fault, said } },
    });
  }
}

/** Throws a PolicyError for an invalid setting of the user. The managed policy was checked when it was read. */
function requireValid({ helper, by }: KeyHelper): void {
  if (by === 'managed' || wrongHelperField(helper) === null) return;
  const key = 'svc.credentialHelper';
  const found = [{ layer: 'user', value: showValue(helper) }] as const;
  throw new PolicyError([{ reason: 'invalid', key, found, allowed: allowedIn(key) }]);
}

function systemCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

/** A slot is for the exact program, arguments and address. */
function slotOf({ helper, by }: KeyHelper, { baseUrl }: Connection): string {
  return JSON.stringify([by, helper, baseUrl]);
}

/** The words of an output that may be a key, or hold one. */
function wordsOf(output: Buffer): readonly string[] {
  return (
    output
      .toString()
      .match(/[^\s"'\\{}[\],]{8,}/g)
      ?.slice(0, 100) ?? []
  );
}
