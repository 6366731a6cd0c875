import * as vscode from 'vscode';
import { lineOfKey } from '../../policy/files/keyInSettings.ts';
import type {
  AskedInFile,
  SettingsFileProblem,
  SettingsFilesState,
  SettingsText,
  SettingsTextProblem,
} from '../../policy/files/settingsFile.ts';
import type { SettingsFileKind } from '../../policy/files/settingsText.ts';
import type { SettingKey } from '../../policy/settings.ts';
import { Disposable } from '../../util/disposable.ts';
import { isGone } from '../files/isGone.ts';
import { allFolders, foldersAt, userLayers } from './settingsReader.ts';

/** Parses the text of a settings file: see policy/files/settingsText.ts. */
type ReadSettingsText = (text: string, kind: SettingsFileKind) => SettingsText;

/**
 * The maximum time in milliseconds that a request waits for VS Code to apply a changed file. VS Code notices the change shortly
 * after this code, or some seconds later.
 */
const patienceMs = 3000;

interface SettingsFile {
  readonly uri: vscode.Uri;
  readonly kind: SettingsFileKind;
  /** Returns the value that VS Code has read; missing if VS Code may use another file. */
  readonly applied?: (key: SettingKey) => unknown;
}

interface ParsedFile extends SettingsText {
  /** The text; null if there is no file, or if it cannot be read. */
  readonly text: string | null;
  /** The line of the first service key in the text. */
  readonly keyLine: number | null;
}

/**
 * Reads the settings files behind the layers. VS Code ignores the broken parts of a file without an error, so the files are
 * read here as well. They are read at each call, and parsed again only when their text has changed.
 */
export class SettingsFiles extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  /** Fires when the problems of a file change. */
  readonly onDidChange = this.#changed.event;
  readonly #userData: vscode.Uri;
  readonly #readText: () => Promise<ReadSettingsText>;
  readonly #known = new Map<string, ParsedFile & { readonly turn: number }>();
  #turns = 0;
  #watchers: readonly vscode.Disposable[] = [];

  /** `globalStorage` is the storage folder of the extension, which is beside the user's settings. */
  constructor(globalStorage: vscode.Uri, readText: () => Promise<ReadSettingsText>) {
    super();
    this.#userData = vscode.Uri.joinPath(globalStorage, '..', '..', '..');
    this.#readText = readText;
    this._register({ dispose: () => this.#unwatch() });
    this._register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#begin()));
    // VS Code has read a changed file, which its file watcher may report much later.
    this._register(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('svc')) void this.read(allFolders());
      }),
    );
    this.#begin();
  }

  /** Returns the problems of the files whose settings apply at `places`, or `unread` if a file has not been read yet. */
  stateFor(places: readonly string[]): SettingsFilesState {
    const files = this.#filesFor(places).map((file) => ({ ...file, parsed: this.#known.get(file.uri.toString()) }));
    if (files.some(({ parsed }) => parsed === undefined)) return 'unread';
    return files.flatMap(({ uri, parsed, applied }): readonly SettingsFileProblem[] => {
      const problem = parsed?.problem ?? notApplied(parsed?.asked ?? [], applied);
      return problem === null ? [] : [{ ...problem, file: nameOf(uri) }];
    });
  }

  /** Returns the positions of service keys in the files whose settings apply at `places`. */
  keysFor(places: readonly string[]): readonly { readonly file: string; readonly line: number }[] {
    return this.#filesFor(places).flatMap(({ uri }) => {
      const line = this.#known.get(uri.toString())?.keyLine ?? null;
      return line === null ? [] : [{ file: nameOf(uri), line }];
    });
  }

  /** Reads the files whose settings apply at `places` now. */
  async read(places: readonly string[]): Promise<void> {
    const found = (): string => JSON.stringify([this.stateFor(places), this.keysFor(places)]);
    const before = found();
    await Promise.all(this.#filesFor(places).map((file) => this.#look(file)));
    await this.#whenApplied(places);
    if (found() !== before) this.#changed.fire();
  }

  /** Resolves when VS Code has applied the values in the files, at the latest after patienceMs. */
  async #whenApplied(places: readonly string[]): Promise<void> {
    const areApplied = (): boolean => {
      const state = this.stateFor(places);
      return state === 'unread' || state.every(({ reason }) => reason !== 'not-taken');
    };
    if (areApplied() || !vscode.workspace.isTrusted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patienceMs);
    const listening = vscode.workspace.onDidChangeConfiguration(() => {
      if (areApplied()) resolve();
    });
    await promise;
    clearTimeout(timer);
    listening.dispose();
  }

  async #look({ uri, kind }: SettingsFile): Promise<void> {
    const key = uri.toString();
    this.#turns += 1;
    const turn = this.#turns;
    // A read that started earlier but ends later does not replace the result of a later read.
    const keep = (parsed: ParsedFile): void => {
      if ((this.#known.get(key)?.turn ?? 0) < turn) this.#known.set(key, { ...parsed, turn });
    };
    try {
      let text = await textOf(uri);
      const known = this.#known.get(key);
      if (known?.text === text && known.problem?.reason !== 'unreadable') return keep(known);
      let read = await this.#read(text, kind);
      // The file may be half written: reads it again until it stops changing.
      for (let times = 0; read.problem !== null && times < 5; times += 1) {
        const now = await textOf(uri);
        if (now === text) break;
        text = now;
        read = await this.#read(text, kind);
      }
      keep({ ...read, text, keyLine: lineOfKey(text) });
    } catch (error) {
      const detail = error instanceof vscode.FileSystemError ? error.code : '';
      const problem = (await isMissing(uri)) ? null : { reason: 'unreadable' as const, line: 1, detail };
      keep({ text: null, problem, asked: [], keyLine: null });
    }
  }

  async #read(text: string, kind: SettingsFileKind): Promise<SettingsText> {
    return text.trim() === '' ? { problem: null, asked: [] } : (await this.#readText())(text, kind);
  }

  #filesFor(places: readonly string[]): readonly SettingsFile[] {
    const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
    const folders = workspaceFile === undefined ? workspaceFolders : foldersAt(places);
    // VS Code copies the tree of all settings for each configuration, so only settings that a file contains are queried.
    const inspect = (key: SettingKey, folder?: vscode.Uri) =>
      vscode.workspace.getConfiguration(undefined, folder).inspect(key);
    const ofWorkspace = (key: SettingKey): unknown => inspect(key)?.workspaceValue;
    const ofFolder = (folder: vscode.Uri) => (key: SettingKey) => inspect(key, folder)?.workspaceFolderValue;
    const userFile = (name: string): vscode.Uri => vscode.Uri.joinPath(this.#userData, name, 'settings.json');
    const files: SettingsFile[] = [
      // The file of the default profile, which may not be the active one.
      { uri: userFile('User'), kind: 'settings' },
      ...folders.map(({ uri }) => ({
        uri: vscode.Uri.joinPath(uri, '.vscode', 'settings.json'),
        kind: 'settings' as const,
        applied: workspaceFile === undefined ? ofWorkspace : ofFolder(uri),
      })),
    ];
    if (vscode.env.remoteName !== undefined) {
      files.push({ uri: userFile('Machine'), kind: 'settings', applied: (key) => userLayers(inspect(key)).remote });
    }
    // The file of an unsaved workspace cannot be read.
    if (workspaceFile !== undefined && workspaceFile.scheme !== 'untitled') {
      files.push({ uri: workspaceFile, kind: 'workspace', applied: ofWorkspace });
    }
    return files;
  }

  /** Reads and watches all files of the window: their state is shown before anything is sent. */
  #begin(): void {
    this.#unwatch();
    const read = (): void => void this.read(allFolders());
    this.#watchers = this.#filesFor(allFolders()).map(({ uri, kind }) => {
      const inFolder = kind === 'settings' && uri.path.endsWith('/.vscode/settings.json');
      const base = vscode.Uri.joinPath(uri, inFolder ? '../..' : '..');
      const pattern = inFolder ? '.vscode/settings.json' : kind === 'workspace' ? '*.code-workspace' : 'settings.json';
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(base, pattern));
      return vscode.Disposable.from(
        watcher,
        watcher.onDidChange(read),
        watcher.onDidCreate(read),
        watcher.onDidDelete(read),
      );
    });
    read();
  }

  #unwatch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = [];
  }
}

/** Returns a problem for the first setting of a file whose value in VS Code differs or is missing, or null if there is none. */
function notApplied(asked: readonly AskedInFile[], applied: SettingsFile['applied']): SettingsTextProblem | null {
  const other = asked.find(
    ({ key, value }) => applied !== undefined && JSON.stringify(applied(key)) !== JSON.stringify(value),
  );
  return other === undefined ? null : { reason: 'not-taken', key: other.key, line: other.line };
}

/** The maximum size in bytes of a settings file that is read; it is larger than the maximum length of the text that is parsed. */
const maxSettingsBytes = 16 * 1024 * 1024;

async function textOf(uri: vscode.Uri): Promise<string> {
  const { readBytes } = await import('../files/readBytes.ts');
  const bytes = await readBytes(uri, maxSettingsBytes);
  if (bytes === null) throw vscode.FileSystemError.Unavailable(uri);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Whether the file does not exist, or its folder does not exist. */
async function isMissing(uri: vscode.Uri): Promise<boolean> {
  return (await isGone(uri)) || isGone(vscode.Uri.joinPath(uri, '..'));
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri) === undefined && uri.scheme === 'file'
    ? uri.fsPath
    : vscode.workspace.asRelativePath(uri);
}
