import { createHash } from 'node:crypto';
import { constants, type FSWatcher, unwatchFile, watch, watchFile } from 'node:fs';
import { access, type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { type ManagedState, parseManagedPolicy } from '../policy/managedPolicy.ts';
import type { DisposableLike } from '../util/disposable.ts';

/** Where an administrator puts the policy of a machine. */
export function managedPolicyPath(platform: NodeJS.Platform, programData: string | undefined): string {
  if (platform === 'darwin') return '/Library/Application Support/Svc/policy.json';
  if (platform === 'win32') return `${programData ?? 'C:\\ProgramData'}\\Svc\\policy.json`;
  return '/etc/svc/policy.json';
}

const maxBytes = 1024 * 1024;

/** Can the person who runs VS Code change what is at this path? */
export type IsOpenToUser = (path: string) => Promise<boolean>;

/**
 * Reads the policy. No file means no policy; anything else that is not a good file, in a place that only an
 * administrator can write, is broken, and nothing is sent.
 */
export async function readManagedFile(path: string, isOpen: IsOpenToUser = isOpenToUser): Promise<ManagedState> {
  let handle: FileHandle | undefined;
  try {
    const real = await realpath(path);
    handle = await open(real, constants.O_RDONLY);
    const facts = await handle.stat();
    if (!facts.isFile()) return broken(path, 'EISDIR');
    if (facts.size > maxBytes) return broken(path, 'EFBIG');
    const bytes = await handle.readFile();
    // What leads to the file counts as much as the file: whoever may write its folder may put another in its place.
    for (const link of new Set([real, path])) {
      for (let at = link; at !== parse(at).root; at = dirname(at)) {
        if (await isOpen(at)) return { state: 'broken', file: path, problem: { reason: 'writable', detail: at } };
      }
    }
    const parsed = parseManagedPolicy(new TextDecoder().decode(bytes));
    if (!parsed.ok) return { state: 'broken', file: path, problem: parsed.problem };
    const digest = createHash('sha256').update(bytes).digest('hex');
    return { state: 'in-force', file: path, digest, policy: parsed.policy };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return code === 'ENOENT' || code === 'ENOTDIR' ? { state: 'none' } : broken(path, code);
  } finally {
    await handle?.close();
  }
}

function broken(file: string, detail: string): ManagedState {
  return { state: 'broken', file, problem: { reason: 'unreadable', detail } };
}

/**
 * On Linux and macOS: it belongs to somebody who is neither this user nor root, or its group or everybody may write it
 * (a sticky folder such as /tmp excepted, where nobody replaces another's files), or this user may and is not root. On
 * Windows: this user may write it.
 */
const isOpenToUser: IsOpenToUser = async (path) => {
  if (process.platform === 'win32') return mayWrite(path);
  const { uid, mode } = await stat(path);
  const self = process.getuid?.() ?? -1;
  const isSticky = (mode & 0o1000) !== 0;
  if (uid !== 0 && uid === self) return true;
  if ((mode & 0o022) !== 0 && !isSticky) return true;
  return self !== 0 && !isSticky && (await mayWrite(path));
};

async function mayWrite(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Between looks at the file itself, in milliseconds, where the system's own notice does not come (network drives). */
const pollMs = 5_000;

/** Calls `onChange` when the file may be another one than before: written, replaced, made, or gone. */
export function watchManagedFile(path: string, onChange: () => void): DisposableLike {
  let watcher: FSWatcher | undefined;
  let watched = '';
  let isOver = false;
  // The nearest folder that is there: the ones below may be made later, each bringing the watch closer.
  const follow = (folder: string): void => {
    if (isOver || folder === watched) return;
    try {
      const next = watch(folder, { persistent: false }, () => {
        onChange();
        follow(dirname(path));
      });
      next.on('error', () => {
        next.close();
        watched = '';
        follow(dirname(folder));
      });
      watcher?.close();
      watcher = next;
      watched = folder;
    } catch {
      const above = dirname(folder);
      if (above !== folder) follow(above);
    }
  };
  follow(dirname(path));
  const onPoll = (): void => onChange();
  watchFile(path, { persistent: false, interval: pollMs }, onPoll);
  return {
    dispose() {
      isOver = true;
      watcher?.close();
      unwatchFile(path, onPoll);
    },
  };
}

/** The policy as it is now, read again whenever it may have changed. */
export class ManagedFile implements DisposableLike {
  readonly #path: string;
  readonly #isOpen: IsOpenToUser | undefined;
  readonly #onChange: (state: ManagedState) => void;
  readonly #watching: DisposableLike;
  #state: ManagedState;
  #reading: Promise<void> = Promise.resolve();

  /** Until the first reading is over the state is broken: nothing is sent before it. */
  constructor(path: string, onChange: (state: ManagedState) => void, isOpen?: IsOpenToUser) {
    this.#path = path;
    this.#onChange = onChange;
    this.#isOpen = isOpen;
    this.#state = { state: 'broken', file: path, problem: { reason: 'unreadable', detail: 'not read yet' } };
    this.#watching = watchManagedFile(path, () => void this.read());
    void this.read();
  }

  get state(): ManagedState {
    return this.#state;
  }

  /** Resolves when the state is that of the file as it is now. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      const state = await readManagedFile(this.#path, this.#isOpen);
      if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
      this.#state = state;
      this.#onChange(state);
    });
    return this.#reading;
  }

  dispose(): void {
    this.#watching.dispose();
  }
}
