import { posix } from 'node:path';
import type { FileState, IgnoreDisk } from '../../../../src/gate/ignore/ignoreDisk.ts';

/** Files in memory. A null entry exists but cannot be read. */
export class MemoryDisk implements IgnoreDisk {
  readonly files = new Map<string, Uint8Array | null>();
  isSettled = true;
  stats = 0;
  reads = 0;

  put(path: string, text: string | null): void {
    this.files.set(path, text === null ? null : Buffer.from(text));
  }

  async stat(path: string): Promise<FileState | null> {
    this.stats += 1;
    const bytes = this.files.get(path);
    if (bytes === undefined) return null;
    const text = bytes === null ? '' : Buffer.from(bytes).toString('latin1');
    return { stamp: this.isSettled ? text : '', isSettled: this.isSettled, bytes: text.length };
  }

  async certainlyLacks(folder: string, names: readonly string[]): Promise<boolean> {
    return names.every((name) => !this.files.has(posix.join(folder, name)));
  }

  async read(path: string): Promise<Uint8Array> {
    this.reads += 1;
    const bytes = this.files.get(path);
    if (bytes === undefined || bytes === null) throw new Error(`${path} cannot be read`);
    return bytes;
  }
}
