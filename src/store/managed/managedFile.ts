import { constants, existsSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import type { ManagedProblem } from '../../policy/managed/fileValues.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import type { DisposableLike } from '../../util/disposable.ts';
import { sha256Hex } from '../../util/sha256.ts';
import { type IsOpenToUser, isOpenToUser, wayTo } from './managedFileGuard.ts';
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
 * write, is broken, and nothing is sent.
 */
export async function readManagedFile(
  path: string,
  extensionVersion: string,
  isOpen: IsOpenToUser = isOpenToUser,
): Promise<ManagedState> {
  let handle: FileHandle | undefined;
  try {
    const { names, folder, isThere, isLinked } = await wayTo(path);
    if (!isThere) {
      // A user who can write the folder can have removed the file, and one who can write a folder on a link's path can
      // have redirected it. Without links, only an administrator can have created the place.
      const open = await firstOpen(isLinked ? names : folder === null ? [] : [folder], isOpen);
      return open === undefined ? { state: 'none' } : broken(path, { reason: 'writable', detail: open });
    }
    // The file is opened without blocking: opening a pipe would never return.
    handle = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = await handle.stat();
    if (!facts.isFile()) return unreadable(path, facts.isDirectory() ? 'EISDIR' : 'EINVAL');
    if (facts.size > maxBytes) return unreadable(path, 'EFBIG');
    const bytes = await handle.readFile();
    // The folders matter as much as the file: a user who can write its folder can replace it.
    const open = await firstOpen(names, isOpen);
    return open === undefined
      ? await stateOf(path, bytes, extensionVersion)
      : broken(path, { reason: 'writable', detail: open });
  } catch (error) {
    return unreadable(path, (error as NodeJS.ErrnoException).code ?? 'unknown');
  } finally {
    await handle?.close();
  }
}

async function firstOpen(names: readonly string[], isOpen: IsOpenToUser): Promise<string | undefined> {
  for (const name of names) if (await isOpen(name)) return name;
  return undefined;
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

function unreadable(file: string, detail: string): ManagedState {
  return broken(file, { reason: 'unreadable', detail });
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
  readonly #watching: DisposableLike;
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
    this.#state = unreadable(path, 'not read yet');
    this.#watching = watchManagedFile(path, pollMs, () => void this.read());
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
    this.#watching.dispose();
  }

  async #readNow(): Promise<void> {
    const state = await readManagedFile(this.#path, this.#extensionVersion, this.#isOpen);
    if (this.#isDisposed || JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#onChange(state);
  }
}
