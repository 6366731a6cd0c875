// Stands for VS Code where a test finds excluded files: its workspace is what `globalThis.workspaceForTest` says.
import { posix } from 'node:path';

export interface WorkspaceForTest {
  readonly folder: Uri;
  /** Further workspace folders. */
  readonly others?: readonly Uri[];
  /** The git program; null: there is no git. */
  readonly git: string | null;
  /** The folders of the repositories that VS Code knows. */
  readonly repositories?: readonly Uri[];
  /** What is set for `files.exclude` and other settings. */
  setting(key: string): object | undefined;
  /** The effective values of settings, by the last part of their names. */
  readonly values?: Readonly<Record<string, unknown>>;
  stat(path: string): Promise<{ type: number; size: number; mtime: number; ctime: number }>;
  readDirectory(path: string): Promise<[string, number][]>;
  readFile(path: string): Promise<Uint8Array>;
  /** The documents with unsaved changes. */
  readonly unsaved?: readonly { readonly uri: Uri; readonly text: string }[];
  /** The messages of the problems in each file. */
  readonly problems?: readonly string[];
  /** The paths of all files, for a search. */
  names?(): Iterable<string>;
}

declare global {
  var workspaceForTest: WorkspaceForTest;
}

export class Uri {
  readonly scheme: string;
  readonly authority = '';
  readonly path: string;

  constructor(scheme: string, path: string) {
    this.scheme = scheme;
    this.path = path;
  }

  static parse(text: string): Uri {
    const [, scheme = '', path = ''] = /^([^:]+):\/\/(.*)$/.exec(text) ?? [];
    return new Uri(scheme, decodeURIComponent(path));
  }

  static joinPath({ scheme, path }: Uri, ...more: readonly string[]): Uri {
    return new Uri(scheme, posix.join(path, ...more));
  }

  static file(path: string): Uri {
    return new Uri('file', path);
  }

  get fsPath(): string {
    return this.path;
  }

  with({ path = this.path }: { readonly path?: string }): Uri {
    return new Uri(this.scheme, path);
  }

  toString(): string {
    return `${this.scheme}://${encodeURI(this.path)}`;
  }
}

export class FileSystemError extends Error {
  override readonly name = 'FileSystemError';
  readonly code: string;

  /** The test and the bundle that it loads have this class each. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'FileSystemError';
  }

  constructor(code: string) {
    super(code);
    this.code = code;
  }

  static Unavailable(): FileSystemError {
    return new FileSystemError('Unavailable');
  }
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

const nothing = { dispose: () => undefined };
const never = () => nothing;

export const workspace = {
  get workspaceFolders() {
    const { folder, others = [] } = globalThis.workspaceForTest;
    return [folder, ...others].map((uri, index) => ({ uri, name: posix.basename(uri.path), index }));
  },
  fs: {
    stat: ({ path }: Uri) => globalThis.workspaceForTest.stat(path),
    readDirectory: ({ path }: Uri) => globalThis.workspaceForTest.readDirectory(path),
    readFile: ({ path }: Uri) => globalThis.workspaceForTest.readFile(path),
  },
  decode: async (bytes: Uint8Array) => new TextDecoder().decode(bytes),
  get textDocuments() {
    return (globalThis.workspaceForTest.unsaved ?? []).map(({ uri, text }) => ({
      uri,
      isDirty: true,
      version: 1,
      getText: () => text,
    }));
  },
  /** Each notebook has the unsaved cells of its path. */
  get notebookDocuments() {
    const cells = workspace.textDocuments.filter(({ uri }) => uri.scheme === 'vscode-notebook-cell');
    return cells.map((document) => ({ uri: Uri.file(document.uri.path), getCells: () => [{ document }] }));
  },
  /** Each document is UTF-8 and saved. */
  openTextDocument: async (uri: Uri) => {
    const text = new TextDecoder().decode(await globalThis.workspaceForTest.readFile(uri.path));
    const about = {
      uri,
      languageId: 'plaintext',
      encoding: 'utf8',
      isDirty: false,
      isClosed: false,
      isUntitled: false,
    };
    return { ...about, fileName: uri.path, lineCount: text.split('\n').length, getText: () => text };
  },
  onDidChangeTextDocument: never,
  onDidCloseTextDocument: never,
  findFiles: async () =>
    [...(globalThis.workspaceForTest.names?.() ?? [])].map(
      (path) => new Uri(workspace.workspaceFolders[0]?.uri.scheme ?? '', path),
    ),
  asRelativePath: ({ path }: Uri) => posix.relative(globalThis.workspaceForTest.folder.path, path),
  getWorkspaceFolder: ({ path }: Uri) =>
    workspace.workspaceFolders
      .filter(({ uri }) => path === uri.path || path.startsWith(`${uri.path}/`))
      .toSorted((one, other) => other.uri.path.length - one.uri.path.length)[0],
  isTrusted: true,
  getConfiguration: () => ({
    inspect: (key: string) => globalThis.workspaceForTest.setting(key),
    get: <T>(name: string, byDefault: T): T =>
      (globalThis.workspaceForTest.values?.[name] as T | undefined) ?? byDefault,
  }),
  createFileSystemWatcher: () => ({ onDidCreate: never, onDidDelete: never, ...nothing }),
  onDidChangeWorkspaceFolders: never,
  onDidRenameFiles: never,
};

export const lm = { tools: [] };

export const languages = {
  getDiagnostics: () =>
    (globalThis.workspaceForTest.problems ?? []).map((message) => ({
      message,
      severity: 0,
      range: new Range(0, 0, 0, 1),
    })),
};

export const window = { tabGroups: { all: [] } };

export const extensions = {
  getExtension: () => {
    const { git, repositories = [] } = globalThis.workspaceForTest;
    const known = repositories.map((rootUri) => ({ rootUri }));
    const exports = { getAPI: () => ({ state: 'initialized', repositories: known, git: { path: git } }) };
    return git === null ? undefined : { isActive: true, exports, activate: async () => exports };
  },
};

export const l10n = {
  t: (text: string, ...values: readonly unknown[]) =>
    text.replace(/\{(\d)\}/g, (found, index) => String(values[index] ?? found)),
};
export const env = { language: 'en' };

export class Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };

  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
    this.start = { line: startLine, character: startCharacter };
    this.end = { line: endLine, character: endCharacter };
  }
}

// Modules read these when they are loaded.
export const SymbolKind = {};
export const DiagnosticSeverity = {};
