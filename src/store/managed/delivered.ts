import { constants } from 'node:fs';
import { mkdir, open, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkNote, parseNote, parseVkey } from '../../evidence/note.ts';
import { combinePolicies, PolicyConflict } from '../../policy/managed/combine.ts';
import { type DeliveryFault, Malformed, type ManagedProblem } from '../../policy/managed/fileValues.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import { type DeliveredPolicy, parseDelivered } from '../../policy/managed/parseDelivered.ts';
import type { PolicySource } from '../../policy/managed/policySource.ts';
import { asServiceError, ServiceError } from '../../util/errors.ts';
import { sha256Hex } from '../../util/sha256.ts';
import { writeAtomically } from '../files.ts';
import { withLock } from '../lock.ts';

type InForce = Extract<ManagedState, { readonly state: 'in-force' }>;

/** Fetches the text at an address, without redirects. Throws a ServiceError. */
export type FetchPolicy = (url: string, signal: AbortSignal) => Promise<string>;

interface DeliveredParts {
  /** The path of the copy that is kept. Its folder is created if needed. */
  readonly path: string;
  readonly extensionVersion: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Kept {
  readonly note: string;
  readonly delivered: DeliveredPolicy;
  /** When a window last found that it is the current one, in milliseconds since the epoch. Only shown: a user can set it. */
  readonly checked: number;
}

/** The time in milliseconds for which a copy is current in the window that has fetched it. */
const currentForMs = 3_600_000;
/** The time in milliseconds until the next try after a failure: otherwise each request would wait for the deadline. */
const retryAfterMs = 300_000;
/** The deadline of fetching, in milliseconds. */
const deadlineMs = 5_000;
/** The time in milliseconds by which a clock can be behind that of the signer. */
const clockDifferenceMs = 300_000;
/** The maximum length of a signed policy in characters, which is that of a note. */
const maxLength = 64_000;

class NotAccepted extends Error {
  readonly fault: DeliveryFault;

  constructor(fault: DeliveryFault) {
    super(`The delivered policy is not accepted (${fault.reason}).`);
    this.fault = fault;
  }
}

/**
 * The policy that is delivered to many machines. The last accepted one is kept on the disk with its signature, and is verified
 * again when it is read.
 */
export class Delivered {
  readonly #parts: DeliveredParts;
  #kept: Kept | null = null;
  /** The source that the copy was verified for. */
  #source: PolicySource | null = null;
  /** The reason why the newest delivery was not accepted. */
  #fault: DeliveryFault | null = null;
  #nextTry = Number.NEGATIVE_INFINITY;
  /** When this window last fetched the copy, in milliseconds since the epoch. The user can change the times of the file. */
  #fetched = Number.NEGATIVE_INFINITY;
  #running: { readonly source: PolicySource; readonly ended: Promise<void> } | undefined;
  /** The last combined state, and what it was made of. */
  #last: { readonly facts: readonly unknown[]; readonly state: ManagedState } | undefined;

  constructor(parts: DeliveredParts) {
    this.#parts = parts;
  }

  /**
   * Reads the kept copy. A copy that is missing, or is not signed by one of the keys, is ignored, and so is one that is earlier
   * than what this window has: a user can change the file.
   */
  async read(source: PolicySource): Promise<void> {
    const stored = await this.#readKept(source);
    const kept = later(this.#knownFor(source), stored);
    if (this.#source !== source) {
      this.#fault = null;
      this.#nextTry = Number.NEGATIVE_INFINITY;
    }
    if (this.#source !== source || this.#kept?.note !== kept?.note) this.#fetched = Number.NEGATIVE_INFINITY;
    this.#source = source;
    this.#kept = kept;
  }

  /** Returns what this window has, if it is also signed for this source. */
  #knownFor(source: PolicySource): Kept | null {
    if (this.#kept === null || this.#source === source) return this.#kept;
    try {
      return { ...this.#kept, delivered: this.#accept(this.#kept.note, source) };
    } catch (error) {
      if (error instanceof NotAccepted || error instanceof Malformed) return null;
      throw error;
    }
  }

  async #readKept(source: PolicySource): Promise<Kept | null> {
    try {
      const { note, checked } = await readText(this.#parts.path);
      return { note, delivered: this.#accept(note, source), checked };
    } catch (error) {
      if (error instanceof NotAccepted || error instanceof Malformed || isSystemError(error)) return null;
      throw error;
    }
  }

  /**
   * Fetches the policy if this window has not done so in the last hour. Called before a request; resolves after at most some
   * seconds. Never throws for a failure: the copy before stays, and the state names the failure.
   */
  refresh(source: PolicySource, fetch: FetchPolicy): Promise<void> {
    if (this.#running?.source === source) return this.#running.ended;
    const running = {
      source,
      ended: this.#refresh(source, fetch).finally(() => {
        if (this.#running === running) this.#running = undefined;
      }),
    };
    this.#running = running;
    return running.ended;
  }

  async #refresh(source: PolicySource, fetch: FetchPolicy): Promise<void> {
    const now = this.#parts.now();
    const isKnown = this.#source === source;
    if (isKnown && (this.#isCurrent(now) || this.#isWaiting(now))) return;
    // Another window may have fetched a later one, and this window may not reach the address.
    await this.read(source);
    try {
      const note = await fetch(source.url, AbortSignal.timeout(deadlineMs));
      if (note.length > maxLength) throw new NotAccepted({ reason: 'too-large' });
      const delivered = this.#accept(note, source);
      if (delivered.issued > now + clockDifferenceMs)
        throw new NotAccepted({ reason: 'future', time: delivered.issued });
      await this.#keep(source, { note, delivered, checked: this.#parts.now() });
      if (this.#source !== source) return;
      this.#fault = null;
      // The administrator will soon replace a policy that blocks all machines.
      if ('reason' in delivered.policy || this.#isExpired(now)) this.#nextTry = now + retryAfterMs;
    } catch (error) {
      // Another source may have taken its place.
      if (this.#source !== source) return;
      this.#fault = faultOf(error, new URL(source.url).host);
      this.#nextTry = now + retryAfterMs;
    }
  }

  /**
   * Applies a fetched policy and stores it, unless a later one is known to this or another window. It also applies if it cannot
   * be stored: a user can make the folder read-only.
   */
  async #keep(source: PolicySource, fetched: Kept): Promise<void> {
    const { path } = this.#parts;
    await this.#apply(source, fetched);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await withLock(`${path}.lock`, async () => {
        const isStored = await this.#apply(source, fetched);
        if (!isStored) await writeAtomically(path, fetched.note, { mode: 0o600 });
        // A window that opens shows this time.
        await utimes(path, fetched.checked / 1000, fetched.checked / 1000);
      });
    } catch (error) {
      if (error instanceof NotAccepted) throw error;
      throw new NotAccepted({
        reason: 'not-stored',
        detail: isSystemError(error) ? String(error.code) : String(error),
      });
    }
  }

  /** Applies a fetched policy, unless a later one is known or the source has changed. Returns whether it is stored. */
  async #apply(source: PolicySource, fetched: Kept): Promise<boolean> {
    const stored = await this.#readKept(source);
    if (this.#source !== source) throw new NotAccepted({ reason: 'other-origin' });
    const known = later(this.#kept, stored);
    this.#kept = known;
    const { note, checked, delivered } = fetched;
    const { serial = -1 } = known?.delivered ?? {};
    if (delivered.serial < serial) throw new NotAccepted({ reason: 'older', serial: delivered.serial, kept: serial });
    if (delivered.serial === serial && known?.note !== note) throw new NotAccepted({ reason: 'same-serial', serial });
    this.#kept = fetched;
    this.#fetched = checked;
    return stored?.note === note;
  }

  /** Returns a policy that one of the keys has signed. Throws a NotAccepted or a Malformed. */
  #accept(note: string, { url, publicKeys }: PolicySource): DeliveredPolicy {
    const signed = parseNote(note);
    const isSigned =
      signed !== null &&
      publicKeys.some((key) => {
        const known = parseVkey(key);
        return known !== null && checkNote(signed, known) === 'valid';
      });
    if (!isSigned) throw new NotAccepted({ reason: 'not-signed' });
    const delivered = parseDelivered(signed.text, this.#parts.extensionVersion);
    if (!delivered.origins.includes(new URL(url).origin)) throw new NotAccepted({ reason: 'other-origin' });
    return delivered;
  }

  #isWaiting(now: number): boolean {
    // Without the second limit, a clock that was set back would stop all tries.
    return now < this.#nextTry && now >= this.#nextTry - retryAfterMs;
  }

  #isCurrent(now: number): boolean {
    const age = now - this.#fetched;
    const isUsable = this.#kept !== null && !('reason' in this.#kept.delivered.policy);
    // A time in the future means that the clock was set back. After a failure, the clock may have been set right since.
    return this.#fault === null && isUsable && age >= 0 && age < currentForMs && !this.#isExpired(now);
  }

  #isExpired(now: number): boolean {
    if (this.#kept === null) return false;
    const { issued, expires } = this.#kept.delivered;
    return now >= expires || now < issued - clockDifferenceMs;
  }

  /** Returns the state of the machine's own policy together with the delivered one. */
  combine(own: InForce, source: PolicySource): ManagedState {
    const kept = this.#source === source ? this.#kept : undefined;
    const now = this.#parts.now();
    const isExpired = this.#isExpired(now);
    const isDue = this.#fault === null && !this.#isWaiting(now);
    const facts = [own, kept, this.#fault, isExpired, isDue];
    if (this.#last?.facts.every((fact, index) => fact === facts[index])) return this.#last.state;
    const state = this.#combined(own, source, isExpired, isDue);
    this.#last = { facts, state };
    return state;
  }

  #combined(own: InForce, source: PolicySource, isExpired: boolean, isDue: boolean): ManagedState {
    const broken = (problem: ManagedProblem): ManagedState => ({ state: 'broken', file: source.url, problem });
    if (this.#source !== source) return broken({ reason: 'unreadable', detail: 'not read yet' });
    if (isDue && (this.#kept === null || isExpired)) return broken({ reason: 'not-fetched' });
    if (this.#kept === null) return broken({ reason: 'not-delivered', fault: this.#fault });
    const { note, checked, delivered } = this.#kept;
    const { serial, issued, expires, policy } = delivered;
    if (isExpired) return broken({ reason: 'expired', issued, expires, fault: this.#fault });
    if ('reason' in policy) return broken(policy);
    try {
      return {
        ...own,
        digest: sha256Hex(`${own.digest}\n${note}`),
        policy: combinePolicies(own.policy, policy),
        delivered: { serial, issued, expires, checked, fault: this.#fault },
      };
    } catch (error) {
      if (error instanceof PolicyConflict) return broken({ reason: 'conflict', key: error.key });
      throw error;
    }
  }
}

function faultOf(error: unknown, host: string): DeliveryFault {
  if (error instanceof NotAccepted) return error.fault;
  if (error instanceof Malformed) return { reason: 'malformed', problem: error.problem };
  const failure = asServiceError(error);
  // Only the deadline aborts a fetch.
  const isLate = failure.kind === 'aborted';
  return {
    reason: 'unreachable',
    host,
    error: isLate ? new ServiceError('timeout', failure.message, { code: 'check' }) : failure,
  };
}

/** Returns the policy with the higher serial; the first one if both have the same. */
function later(one: Kept | null, other: Kept | null): Kept | null {
  return one === null || (other !== null && other.delivered.serial > one.delivered.serial) ? other : one;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

/** Reads the kept copy. It is opened without blocking: opening a pipe would never return. */
async function readText(path: string): Promise<{ readonly note: string; readonly checked: number }> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || facts.size > 4 * maxLength) throw new NotAccepted({ reason: 'too-large' });
    return { note: await handle.readFile('utf8'), checked: facts.mtimeMs };
  } finally {
    await handle.close();
  }
}
