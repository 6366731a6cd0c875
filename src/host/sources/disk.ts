import * as vscode from 'vscode';
import type { FileState, IgnoreDisk } from '../../gate/ignore/ignoreDisk.ts';

/** Some file systems tell times in steps of two seconds. */
const settledMs = 3_000;
const noFile = new Set(['FileNotFound', 'FileNotADirectory', 'FileIsADirectory']);

/** The files beside `base`: of its scheme, on its machine. Paths are those of URIs. */
export class Disk implements IgnoreDisk {
  readonly base: vscode.Uri;

  constructor(base: vscode.Uri) {
    this.base = base;
  }

  async stat(path: string): Promise<FileState | null> {
    const found = await this.#look(path);
    if (found === null || (found.type & vscode.FileType.Directory) !== 0) return null;
    // A pipe or a device is there, and reading it may never end.
    if ((found.type & vscode.FileType.File) === 0) throw vscode.FileSystemError.Unavailable(path);
    const { mtime, ctime, size } = found;
    return { stamp: `${mtime} ${ctime} ${size}`, isSettled: Math.abs(Date.now() - mtime) > settledMs, bytes: size };
  }

  async read(path: string): Promise<Uint8Array> {
    return vscode.workspace.fs.readFile(this.#uri(path));
  }

  /** The text of a small file; null where there is none, or it cannot be read. */
  async text(path: string): Promise<string | null> {
    try {
      return new TextDecoder().decode(await this.read(path));
    } catch {
      return null;
    }
  }

  /** Whether there is anything of this name, as far as that can be told. */
  async exists(path: string): Promise<boolean> {
    try {
      return (await this.#look(path)) !== null;
    } catch {
      return false;
    }
  }

  async names(folder: string): Promise<readonly string[]> {
    return (await vscode.workspace.fs.readDirectory(this.#uri(folder))).map(([name]) => name);
  }

  async #look(path: string): Promise<vscode.FileStat | null> {
    try {
      return await vscode.workspace.fs.stat(this.#uri(path));
    } catch (error) {
      if (error instanceof vscode.FileSystemError && noFile.has(error.code)) return null;
      throw error;
    }
  }

  #uri(path: string): vscode.Uri {
    return this.base.with({ path, query: '', fragment: '' });
  }
}
