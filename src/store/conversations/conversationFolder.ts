import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isServiceError, ServiceError } from '../../util/errors.ts';
import { withLock } from '../lock.ts';
import { contentOf, type FileContent, tooLarge } from './conversationFile.ts';
import { idPattern, maxFileBytes, type StoredConversation } from './conversationShape.ts';
import type { ConversationSummary } from './conversationSummary.ts';
import { headBytes, stampIn, summaryIn, textOf } from './conversationText.ts';

/** The file operations of the store: a test replaces them to simulate a full disk. */
export interface ConversationFiles {
  /** Replaces the file atomically: it then has the old or the new text, never a part. */
  writeAtomically(path: string, text: string, options: { readonly mode: number }): Promise<void>;
}

export type Found =
  | (FileContent & {
      /** Identifies this content among all that the file had or will have. */
      readonly fingerprint: string;
    })
  | { readonly outcome: 'missing' };

interface Head {
  /** The fingerprint, as in Found. */
  readonly fingerprint: string;
  /** The summary; null if the whole file has to be read. */
  readonly summary: ConversationSummary | null;
}

/** A buffer that is reused for one file after another. */
export interface Scratch {
  buffer: Buffer;
}

const extension = '.json';
const asideMark = '.json.damaged-';

/** Returns the id of the conversation in a file, or null for any other file. */
export function idOf(name: string): string | null {
  const id = name.endsWith(extension) ? name.slice(0, -extension.length) : '';
  return idPattern.test(id) ? id : null;
}

/** One workspace's folder on the disk. Throws ServiceErrors of kind `storage` with the system's code. */
export class ConversationFolder {
  readonly #folder: string;
  readonly #files: ConversationFiles;

  constructor(folder: string, files: ConversationFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Makes the folder if it is missing. */
  async ensure(): Promise<void> {
    await attempt(async () => {
      // If it exists with other permissions, restricts it to the user.
      if ((await mkdir(this.#folder, { recursive: true, mode: 0o700 })) === undefined) await chmod(this.#folder, 0o700);
    });
  }

  async ids(): Promise<readonly string[]> {
    return (await this.#names()).flatMap((name) => idOf(name) ?? []);
  }

  /** Runs `task` while no other window changes this conversation. The folder must exist. */
  locked<T>(id: string, task: () => Promise<T>): Promise<T> {
    // A process that is killed while writing leaves a partial file beside the old one.
    const onDidBreak = () => this.#removeAll(id, (name) => name.endsWith(extension) || name.includes(asideMark));
    return attempt(() => withLock(this.#path(`${id}.lock`), task, { onDidBreak }));
  }

  /** Returns the same fingerprint as a Found, from only the first bytes, or null if there is no file. */
  async fingerprint(id: string): Promise<string | null> {
    return (await this.head(id))?.fingerprint ?? null;
  }

  /** Returns the data in the first bytes of a file, or null if there is no file. */
  async head(id: string): Promise<Head | null> {
    return this.#reading(id, async (file) => {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      const head = buffer.toString('utf8', 0, bytesRead);
      const stats = await file.stat();
      return { fingerprint: fingerprintOf(head, stats), summary: summaryIn(head, stats.size, id) };
    });
  }

  /** Returns a file's raw content, or null if there is no file. The bytes are in `scratch` and valid until its next use. */
  async bytes(id: string, scratch: Scratch): Promise<Buffer | null> {
    return this.#reading(id, async (file) => {
      const { size } = await file.stat();
      if (size > maxFileBytes) throw tooLarge();
      if (scratch.buffer.length < size) scratch.buffer = Buffer.allocUnsafeSlow(size);
      const { bytesRead } = await file.read(scratch.buffer, 0, size, 0);
      return scratch.buffer.subarray(0, bytesRead);
    });
  }

  async read(id: string): Promise<Found> {
    const found = await this.#reading(id, async (file): Promise<Found> => {
      const stats = await file.stat();
      if (stats.size > maxFileBytes) throw tooLarge();
      const text = await file.readFile('utf8');
      return { ...contentOf(text, id), fingerprint: fingerprintOf(text.slice(0, headBytes), stats) };
    });
    return found ?? { outcome: 'missing' };
  }

  /** Returns the fingerprint of the written file. */
  async write(conversation: StoredConversation): Promise<string> {
    const stamp = randomBytes(8).toString('hex');
    const text = textOf(conversation, stamp);
    await attempt(() => this.#files.writeAtomically(this.#path(conversation.id + extension), text, { mode: 0o600 }));
    return `${stamp}-${Buffer.byteLength(text)}`;
  }

  /** Renames a damaged file and returns its new name. Call it only under the lock. */
  async setAside(id: string, now: number): Promise<string> {
    const time = new Date(now).toISOString().replace(/[:.-]/g, '');
    const name = `${id}${asideMark}${time}-${randomBytes(2).toString('hex')}`;
    await attempt(() => rename(this.#path(id + extension), this.#path(name)));
    return name;
  }

  async hasSetAside(id: string): Promise<boolean> {
    return (await this.#names()).some((name) => name.startsWith(id + asideMark));
  }

  /** Removes all files of a conversation, including damaged copies and partial ones. */
  remove(id: string): Promise<void> {
    return this.#removeAll(id, () => false);
  }

  /** Returns the ids of all conversations with any file, including damaged copies and partial ones. */
  async traces(): Promise<readonly string[]> {
    const ids = (await this.#names()).map((name) => /^\.?([^.]+)\./.exec(name)?.[1] ?? '');
    return [...new Set(ids.filter((id) => idPattern.test(id)))];
  }

  async #removeAll(id: string, except: (name: string) => boolean): Promise<void> {
    const files = (await this.#names()).filter((name) => name.startsWith(`${id}.`) || name.startsWith(`.${id}.`));
    // The lock is held here and removed on release.
    const removed = files.filter((name) => name !== `${id}.lock` && !except(name));
    await attempt(() => Promise.all(removed.map((name) => rm(this.#path(name), { force: true }))));
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw storageError(error);
    }
  }

  async #reading<T>(id: string, read: (file: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T | null> {
    return attempt(async () => {
      let file: Awaited<ReturnType<typeof open>>;
      try {
        file = await open(this.#path(id + extension), 'r');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }
      try {
        return await read(file);
      } finally {
        await file.close();
      }
    });
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

/** The fingerprint is our own stamp, because file times are too coarse; for a file without a stamp, it is the time. */
function fingerprintOf(head: string, { size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return `${stampIn(head) ?? `${mtimeMs}-${ino}`}-${size}`;
}

async function attempt<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw storageError(error);
  }
}

/** The system's message contains a path of the user's, so only its code is kept. */
function storageError(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  const externalCode = codeOf(error);
  const why = externalCode ?? 'unknown fault';
  return new ServiceError('storage', `The conversation history cannot be used: ${why}.`, { externalCode });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
