import { existsSync } from 'node:fs';
import type { ManagedProblem } from '../../policy/managed/fileValues.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import type { DisposableLike } from '../../util/disposable.ts';
import { sha256Hex } from '../../util/sha256.ts';
import { type IsOpenToUser, isOpenToUser, readGuarded } from './managedFileGuard.ts';
import { defaultPollMs, watchManagedFile } from './managedFileWatch.ts';

/** The location on nearly every Windows machine. */
const usualProgramData = 'C:\\ProgramData';

/**
 * The path of a machine's policy, written by an administrator. `programData` comes from the environment, which its user
 * can change: it is used only if the usual folder does not exist, as on a system that is not on C:.
 */
export function managedPolicyPath(
  platform: NodeJS.Platform,
  programData: string | undefined,
  isThere: (folder: string) => boolean = existsSync,
): string {
  if (platform === 'darwin') return '/Library/Application Support/Svc/policy.json';
  if (platform !== 'win32') return '/etc/svc/policy.json';
  const folder = isThere(usualProgramData) ? usualProgramData : (programData ?? usualProgramData);
  return `${folder}\\Svc\\policy.json`;
}

const maxBytes = 1024 * 1024;

/**
 * Reads the policy. No file means no policy; a file that is invalid, or that a user other than an administrator can
 * write, is broken, and nothing is sent. The same applies to the file with the organization's instructions: `onRead` is called
 * with its path before it is read.
 */
export async function readManagedFile(
  path: string,
  extensionVersion: string,
  isOpen: IsOpenToUser = isOpenToUser,
  onRead?: (path: string) => void,
): Promise<ManagedState> {
  const found = await readGuarded(path, maxBytes, isOpen);
  if (found === null) return { state: 'none' };
  if ('reason' in found) return broken(path, found);
  const state = await stateOf(path, found, extensionVersion);
  if (state.state !== 'in-force' || state.policy.instructionsFile === undefined) return state;
  const { withInstructions } = await import('./instructionsFile.ts');
  return withInstructions(state, state.policy.instructionsFile, isOpen, onRead);
}

async function stateOf(file: string, bytes: Uint8Array, extensionVersion: string): Promise<ManagedState> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return broken(file, {
      reason: 'malformed',
      where: { kind: 'file' },
      found: { kind: 'notUtf8' },
      allowed: { kind: 'utf8' },
    });
  }
  // Most machines have no policy, and their start does not load this.
  const { parseManagedPolicy } = await import('../../policy/managed/parseManagedPolicy.ts');
  const parsed = parseManagedPolicy(text, extensionVersion);
  if (!parsed.ok) return broken(file, parsed.problem);
  const digest = sha256Hex(bytes);
  return { state: 'in-force', file, digest, policy: parsed.policy };
}

function broken(file: string, problem: ManagedProblem): ManagedState {
  return { state: 'broken', file, problem };
}

/** The current policy, which is read again when it may have changed. */
export class ManagedFile implements DisposableLike {
  readonly #path: string;
  readonly #extensionVersion: string;
  readonly #isOpen: IsOpenToUser | undefined;
  readonly #onChange: (state: ManagedState) => void;
  readonly #pollMs: number;
  /** The watches, by path. A file that is no longer read stays watched, which costs nothing. */
  readonly #watching = new Map<string, DisposableLike>();
  #state: ManagedState;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  #isDisposed = false;

  /** Until the first read completes, the state is broken: nothing is sent. */
  constructor(
    path: string,
    extensionVersion: string,
    onChange: (state: ManagedState) => void,
    isOpen?: IsOpenToUser,
    pollMs = defaultPollMs,
  ) {
    this.#path = path;
    this.#extensionVersion = extensionVersion;
    this.#onChange = onChange;
    this.#isOpen = isOpen;
    this.#pollMs = pollMs;
    this.#state = broken(path, { reason: 'unreadable', detail: 'not read yet' });
    this.#watch(path);
    void this.read();
  }

  get state(): ManagedState {
    return this.#state;
  }

  /**
   * Resolves when the state matches the current file. At most one read runs and one waits, for any number of callers.
   */
  read(): Promise<void> {
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = undefined;
      this.#running = this.#readNow();
      return this.#running;
    });
    return this.#waiting;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const watching of this.#watching.values()) watching.dispose();
  }

  #watch(path: string): void {
    if (this.#isDisposed || this.#watching.has(path)) return;
    this.#watching.set(
      path,
      watchManagedFile(path, this.#pollMs, () => void this.read()),
    );
  }

  async #readNow(): Promise<void> {
    const state = await readManagedFile(this.#path, this.#extensionVersion, this.#isOpen, (path) => this.#watch(path));
    if (this.#isDisposed || JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#onChange(state);
  }
}
