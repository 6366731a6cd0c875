import { promises } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { ExcludedContent } from '../../../../src/platform/excludedContent/excludedContent.ts';
import { FileSystemError, FileType, Uri, type WorkspaceForTest } from './vscodeFiles.ts';

const root = join(import.meta.dirname, '../../../..');

/** The real recognition of excluded files, in a workspace that a test makes. */
export async function excludedContentIn(
  workspace: WorkspaceForTest,
  ...options: ConstructorParameters<typeof ExcludedContent>
): Promise<ExcludedContent> {
  const file = 'src/platform/excludedContent/excludedContent.ts';
  const { ExcludedContent: Loaded } = await moduleIn<{ ExcludedContent: typeof ExcludedContent }>(workspace, file);
  return new Loaded(...options);
}

const loaded = new Map<string, Promise<unknown>>();

/** Loads a host module that uses VS Code only for the files of the workspace. */
export function moduleIn<T>(workspace: WorkspaceForTest, file: string): Promise<T> {
  globalThis.workspaceForTest = workspace;
  const known = loaded.get(file) ?? load(file);
  loaded.set(file, known);
  return known as Promise<T>;
}

async function load(file: string): Promise<unknown> {
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    bundle: true,
    write: false,
    logLevel: 'error',
    format: 'esm',
    platform: 'node',
    alias: { vscode: join(import.meta.dirname, 'vscodeFiles.ts') },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`);
}

/** A workspace that is not on the disk. */
export class MemoryWorkspace implements WorkspaceForTest {
  readonly folder = new Uri('memory', '/one');
  readonly git = null;
  readonly files = new Map<string, string>();
  readonly unreadable = new Set<string>();
  setting = (): undefined => undefined;
  /** Each read of a folder waits for it. */
  gate: Promise<void> = Promise.resolve();
  /** How often folders were read. */
  reads = 0;

  names(): Iterable<string> {
    return this.files.keys();
  }

  async stat(path: string) {
    const text = this.files.get(path);
    if (text !== undefined) return { type: FileType.File, size: Buffer.byteLength(text), mtime: 1, ctime: 1 };
    if (this.#entries(path).size === 0) throw new FileSystemError('FileNotFound');
    return { type: FileType.Directory, size: 0, mtime: 1, ctime: 1 };
  }

  async readDirectory(path: string): Promise<[string, number][]> {
    this.reads += 1;
    await this.gate;
    if (this.unreadable.has(path)) throw new FileSystemError('NoPermissions');
    return [...this.#entries(path)];
  }

  async readFile(path: string): Promise<Uint8Array> {
    const text = this.files.get(path);
    if (text === undefined) throw new FileSystemError('FileNotFound');
    return Buffer.from(text);
  }

  #entries(folder: string): ReadonlyMap<string, number> {
    const below = [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
    return new Map(
      below.map((path) => {
        const [name = '', ...deeper] = path.slice(folder.length + 1).split('/');
        return [name, deeper.length === 0 ? FileType.File : FileType.Directory];
      }),
    );
  }
}

/** A workspace on the disk. */
export class DiskWorkspace implements WorkspaceForTest {
  readonly folder: Uri;
  readonly git: string;
  /** The effective values of settings, and their values by layer, both by the last part of their names. */
  values: Readonly<Record<string, unknown>> = {};
  settings: Readonly<Record<string, object>> = {};

  setting(key: string): object | undefined {
    return this.settings[key];
  }

  readonly others: readonly Uri[];
  unsaved: readonly { readonly uri: Uri; readonly text: string }[] = [];

  constructor(folder: string, git = 'git', others: readonly string[] = []) {
    this.folder = Uri.file(folder);
    this.git = git;
    this.others = others.map(Uri.file);
  }

  async stat(path: string) {
    const found = await promises.stat(path).catch(gone);
    const type = found.isFile() ? FileType.File : FileType.Directory;
    return { type, size: found.size, mtime: found.mtimeMs, ctime: found.ctimeMs };
  }

  async readDirectory(path: string): Promise<[string, number][]> {
    const entries = await promises.readdir(path, { withFileTypes: true }).catch(gone);
    return entries.map((entry) => [entry.name, entry.isDirectory() ? FileType.Directory : FileType.File]);
  }

  async readFile(path: string): Promise<Uint8Array> {
    return promises.readFile(path).catch(gone);
  }
}

function gone(): never {
  throw new FileSystemError('FileNotFound');
}
