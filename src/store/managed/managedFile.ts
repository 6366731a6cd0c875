import { constants, existsSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { type ManagedProblem, type ManagedState, parseManagedPolicy } from '../../policy/managed/managedPolicy.ts';
import type { DisposableLike } from '../../util/disposable.ts';
import { sha256 } from '../../util/sha256.ts';
import { type IsOpenToUser, isOpenToUser, wayTo } from './managedFileGuard.ts';
import { watchManagedFile } from './managedFileWatch.ts';

/** Where Windows has it on nearly every machine. */
const usualProgramData = 'C:\\ProgramData';

/**
 * Where an administrator puts the policy of a machine. `programData` is what the environment says, which its user can
 * change: it is believed only where there is no such folder at the usual place, as on a system that is not on C:.
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
 * Reads the policy. No file means no policy; anything else that is not a good file, in a place that only an
 * administrator can write, is broken, and nothing is sent.
 */
export async function readManagedFile(path: string, isOpen: IsOpenToUser = isOpenToUser): Promise<ManagedState> {
  let handle: FileHandle | undefined;
  try {
    const { names, folder, isThere, isLinked } = await wayTo(path);
    if (!isThere) {
      // Who can write the folder can have taken the file away, and who can write a folder that a link leads through can
      // have led it elsewhere. Without links the place itself is one that only an administrator can have made.
      const open = await firstOpen(isLinked ? names : folder === null ? [] : [folder], isOpen);
      return open === undefined ? { state: 'none' } : broken(path, { reason: 'writable', detail: open });
    }
    // Without waiting: a pipe would never open.
    handle = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = await handle.stat();
    if (!facts.isFile()) return unreadable(path, facts.isDirectory() ? 'EISDIR' : 'EINVAL');
    if (facts.size > maxBytes) return unreadable(path, 'EFBIG');
    const bytes = await handle.readFile();
    // What leads to the file counts as much as the file: whoever may write its folder may put another in its place.
    const open = await firstOpen(names, isOpen);
    return open === undefined ? stateOf(path, bytes) : broken(path, { reason: 'writable', detail: open });
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

function stateOf(file: string, bytes: Uint8Array): ManagedState {
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
  const parsed = parseManagedPolicy(text);
  if (!parsed.ok) return broken(file, parsed.problem);
  const digest = sha256(bytes);
  return { state: 'in-force', file, digest, policy: parsed.policy };
}

function unreadable(file: string, detail: string): ManagedState {
  return broken(file, { reason: 'unreadable', detail });
}

function broken(file: string, problem: ManagedProblem): ManagedState {
  return { state: 'broken', file, problem };
}

/** The policy as it is now, read again whenever it may have changed. */
export class ManagedFile implements DisposableLike {
  readonly #path: string;
  readonly #isOpen: IsOpenToUser | undefined;
  readonly #onChange: (state: ManagedState) => void;
  readonly #watching: DisposableLike;
  #state: ManagedState;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  #isOver = false;

  /** Until the first reading is over the state is broken: nothing is sent before it. */
  constructor(path: string, onChange: (state: ManagedState) => void, isOpen?: IsOpenToUser) {
    this.#path = path;
    this.#onChange = onChange;
    this.#isOpen = isOpen;
    this.#state = unreadable(path, 'not read yet');
    this.#watching = watchManagedFile(path, () => void this.read());
    void this.read();
  }

  get state(): ManagedState {
    return this.#state;
  }

  /** Resolves when the state is that of the file as it is now. One reading runs and one waits, however many ask. */
  read(): Promise<void> {
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = undefined;
      this.#running = this.#readNow();
      return this.#running;
    });
    return this.#waiting;
  }

  dispose(): void {
    this.#isOver = true;
    this.#watching.dispose();
  }

  async #readNow(): Promise<void> {
    const state = await readManagedFile(this.#path, this.#isOpen);
    if (this.#isOver || JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#onChange(state);
  }
}
