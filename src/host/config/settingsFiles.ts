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
import { isGone } from '../sources/isGone.ts';
import { allFolders, foldersAt, userLayers } from './settingsReader.ts';

/** Looks at the text of a settings file: see policy/files/settingsText.ts. */
export type ReadSettingsText = (text: string, kind: SettingsFileKind) => SettingsText;

/** VS Code sees that a file has changed a moment after us, or after some seconds: so long a request waits for it. */
const patienceMs = 3000;

interface SettingsFile {
  readonly uri: vscode.Uri;
  readonly kind: SettingsFileKind;
  /** What VS Code has made of it; absent where the file may be another than VS Code's. */
  readonly taken?: (key: SettingKey) => unknown;
}

interface Looked extends SettingsText {
  /** As it was; null where there is no file, or it cannot be read. */
  readonly text: string | null;
  /** Of the first key of the service in it. */
  readonly keyLine: number | null;
}

/**
 * The settings files behind the layers. VS Code takes what it can from a broken one, so they are read here as well: each
 * time when asked, and looked at when their text is another than before.
 */
export class SettingsFiles extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  /** A file has a problem, or none any more. */
  readonly onDidChange = this.#changed.event;
  readonly #userData: vscode.Uri;
  readonly #readText: () => Promise<ReadSettingsText>;
  readonly #known = new Map<string, Looked>();
  #watchers: readonly vscode.Disposable[] = [];

  /** `globalStorage` is the extension's own, which lies beside the user's settings. */
  constructor(globalStorage: vscode.Uri, readText: () => Promise<ReadSettingsText>) {
    super();
    this.#userData = vscode.Uri.joinPath(globalStorage, '..', '..', '..');
    this.#readText = readText;
    this._register({ dispose: () => this.#unwatch() });
    this._register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#begin()));
    this.#begin();
  }

  /** The problems of the files whose settings count for what is at `places`, as far as they have been read. */
  stateFor(places: readonly string[]): SettingsFilesState {
    const files = this.#filesFor(places).map((file) => ({ ...file, looked: this.#known.get(file.uri.toString()) }));
    if (files.some(({ looked }) => looked === undefined)) return 'unread';
    return files.flatMap(({ uri, looked, taken }): readonly SettingsFileProblem[] => {
      const problem = looked?.problem ?? notTaken(looked?.asked ?? [], taken);
      return problem === null ? [] : [{ ...problem, file: nameOf(uri) }];
    });
  }

  /** Where a key of the service is written into those files. */
  keysFor(places: readonly string[]): readonly { readonly file: string; readonly line: number }[] {
    return this.#filesFor(places).flatMap(({ uri }) => {
      const line = this.#known.get(uri.toString())?.keyLine ?? null;
      return line === null ? [] : [{ file: nameOf(uri), line }];
    });
  }

  /** Reads those files as they are now. */
  async read(places: readonly string[]): Promise<void> {
    const found = (): string => JSON.stringify([this.stateFor(places), this.keysFor(places)]);
    const before = found();
    await Promise.all(this.#filesFor(places).map((file) => this.#look(file)));
    await this.#whenTaken(places);
    if (found() !== before) this.#changed.fire();
  }

  /** Resolves as soon as VS Code has what is in the files, and at the latest when its time is over. */
  async #whenTaken(places: readonly string[]): Promise<void> {
    const isTaken = (): boolean => {
      const state = this.stateFor(places);
      return state === 'unread' || state.every(({ reason }) => reason !== 'not-taken');
    };
    if (isTaken() || !vscode.workspace.isTrusted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patienceMs);
    const listening = vscode.workspace.onDidChangeConfiguration(() => {
      if (isTaken()) resolve();
    });
    await promise;
    clearTimeout(timer);
    listening.dispose();
  }

  async #look({ uri, kind }: SettingsFile): Promise<void> {
    const key = uri.toString();
    try {
      let text = await textOf(uri);
      const known = this.#known.get(key);
      if (known?.text === text && known.problem?.reason !== 'unreadable') return;
      let read = await this.#read(text, kind);
      // Half of it may be written: then it is another in a moment.
      for (let times = 0; read.problem !== null && times < 5; times += 1) {
        const now = await textOf(uri);
        if (now === text) break;
        text = now;
        read = await this.#read(text, kind);
      }
      this.#known.set(key, { ...read, text, keyLine: lineOfKey(text) });
    } catch (error) {
      const detail = error instanceof vscode.FileSystemError ? error.code : '';
      const problem = (await isNone(uri)) ? null : { reason: 'unreadable' as const, line: 1, detail };
      this.#known.set(key, { text: null, problem, asked: [], keyLine: null });
    }
  }

  async #read(text: string, kind: SettingsFileKind): Promise<SettingsText> {
    return text.trim() === '' ? { problem: null, asked: [] } : (await this.#readText())(text, kind);
  }

  #filesFor(places: readonly string[]): readonly SettingsFile[] {
    const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
    const folders = workspaceFile === undefined ? workspaceFolders : foldersAt(places);
    const root = vscode.workspace.getConfiguration();
    const ofWorkspace = (key: SettingKey): unknown => root.inspect(key)?.workspaceValue;
    const ofFolder = (folder: vscode.Uri) => (key: SettingKey) =>
      vscode.workspace.getConfiguration(undefined, folder).inspect(key)?.workspaceFolderValue;
    const own = (name: string): vscode.Uri => vscode.Uri.joinPath(this.#userData, name, 'settings.json');
    const files: SettingsFile[] = [
      // That of the default profile, which need not be the one in use.
      { uri: own('User'), kind: 'settings' },
      ...folders.map(({ uri }) => ({
        uri: vscode.Uri.joinPath(uri, '.vscode', 'settings.json'),
        kind: 'settings' as const,
        taken: workspaceFile === undefined ? ofWorkspace : ofFolder(uri),
      })),
    ];
    if (vscode.env.remoteName !== undefined) {
      files.push({ uri: own('Machine'), kind: 'settings', taken: (key) => userLayers(root.inspect(key)).remote });
    }
    // That of a workspace that is not saved yet cannot be reached.
    if (workspaceFile !== undefined && workspaceFile.scheme !== 'untitled') {
      files.push({ uri: workspaceFile, kind: 'workspace', taken: ofWorkspace });
    }
    return files;
  }

  /** Reads all of the window, and watches them: how things stand is shown before anything is sent. */
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

/** The first setting of a file that VS Code has with another value, or not at all. */
function notTaken(asked: readonly AskedInFile[], taken: SettingsFile['taken']): SettingsTextProblem | null {
  const other = asked.find(
    ({ key, value }) => taken !== undefined && JSON.stringify(taken(key)) !== JSON.stringify(value),
  );
  return other === undefined ? null : { reason: 'not-taken', key: other.key, line: other.line };
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(uri));
}

/** Whether there is no such file: then the folder that it would be in can be looked at, or is not there either. */
async function isNone(uri: vscode.Uri): Promise<boolean> {
  return (await isGone(uri)) || isGone(vscode.Uri.joinPath(uri, '..'));
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri) === undefined && uri.scheme === 'file'
    ? uri.fsPath
    : vscode.workspace.asRelativePath(uri);
}
