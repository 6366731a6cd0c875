import * as vscode from 'vscode';

/** A file system that is not on the disk, like that of a remote repository: only vscode.workspace.fs can read it. */
export class MemoryFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  /** The text of a file; undefined if it does not exist. */
  text(path: string): string | undefined {
    const bytes = this.#files.get(path);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  put(path: string, text: string): void {
    this.#files.set(path, new TextEncoder().encode(text));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const bytes = this.#files.get(uri.path);
    if (bytes !== undefined) return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytes.length };
    if (this.readDirectory(uri).length === 0) throw vscode.FileSystemError.FileNotFound(uri);
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const below = path.endsWith('/') ? path : `${path}/`;
    const paths = [...this.#files.keys()].filter((file) => file.startsWith(below));
    const entries = paths.map((file): [string, vscode.FileType] => {
      const [name = '', ...deeper] = file.slice(below.length).split('/');
      return [name, deeper.length === 0 ? vscode.FileType.File : vscode.FileType.Directory];
    });
    return [...new Map(entries)];
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const bytes = this.#files.get(uri.path);
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#files.set(uri.path, content);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    this.#files.delete(uri.path);
  }

  rename(from: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(from);
  }
}
