import * as vscode from 'vscode';
import { lineOfKey } from '../policy/keyInSettings.ts';
import type { SettingsFileProblem, SettingsFilesState, SettingsTextProblem } from '../policy/settingsFile.ts';
import type { SettingsFileKind } from '../policy/settingsText.ts';
import { Disposable } from '../util/disposable.ts';
import { isGone } from './isGone.ts';
import { allFolders, foldersAt } from './settingsReader.ts';

/** Looks at the text of a settings file: problemIn of policy/settingsText.ts. */
export type ProblemIn = (text: string, kind: SettingsFileKind) => SettingsTextProblem | null;

interface SettingsFile {
  readonly uri: vscode.Uri;
  readonly kind: SettingsFileKind;
}

interface Looked {
  /** As it was; null where there is no file, or it cannot be read. */
  readonly text: string | null;
  readonly problem: SettingsTextProblem | null;
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
  readonly #problemIn: () => Promise<ProblemIn>;
  readonly #known = new Map<string, Looked>();
  #watchers: readonly vscode.Disposable[] = [];

  /** `globalStorage` is the extension's own, which lies beside the user's settings. */
  constructor(globalStorage: vscode.Uri, problemIn: () => Promise<ProblemIn>) {
    super();
    this.#userData = vscode.Uri.joinPath(globalStorage, '..', '..', '..');
    this.#problemIn = problemIn;
    this._register({ dispose: () => this.#unwatch() });
    this._register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#begin()));
    this.#begin();
  }

  /** The problems of the files whose settings count for what is at `places`, as far as they have been read. */
  stateFor(places: readonly string[]): SettingsFilesState {
    const files = this.#filesFor(places);
    const known = files.map(({ uri }) => this.#known.get(uri.toString()));
    if (known.includes(undefined)) return 'unread';
    return known.flatMap((looked, index): readonly SettingsFileProblem[] => {
      const uri = files[index]?.uri;
      return looked?.problem == null || uri === undefined ? [] : [{ ...looked.problem, file: nameOf(uri) }];
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
    if (found() !== before) this.#changed.fire();
  }

  async #look({ uri, kind }: SettingsFile): Promise<void> {
    const key = uri.toString();
    try {
      let text = await textOf(uri);
      const known = this.#known.get(key);
      if (known?.text === text && known.problem?.reason !== 'unreadable') return;
      let problem = text.trim() === '' ? null : (await this.#problemIn())(text, kind);
      // Half of it may be written: then it is another in a moment.
      for (let times = 0; problem !== null && times < 5; times += 1) {
        const now = await textOf(uri);
        if (now === text) break;
        text = now;
        problem = (await this.#problemIn())(text, kind);
      }
      this.#known.set(key, { text, problem, keyLine: lineOfKey(text) });
    } catch (error) {
      const detail = error instanceof vscode.FileSystemError ? error.code : '';
      const problem = (await isNone(uri)) ? null : { reason: 'unreadable' as const, line: 1, detail };
      this.#known.set(key, { text: null, problem, keyLine: null });
    }
  }

  #filesFor(places: readonly string[]): readonly SettingsFile[] {
    const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
    const folders = workspaceFile === undefined ? workspaceFolders : foldersAt(places);
    return [
      { uri: vscode.Uri.joinPath(this.#userData, 'User', 'settings.json'), kind: 'settings' },
      ...(vscode.env.remoteName === undefined
        ? []
        : [{ uri: vscode.Uri.joinPath(this.#userData, 'Machine', 'settings.json'), kind: 'settings' as const }]),
      // That of a workspace that is not saved yet cannot be reached.
      ...(workspaceFile === undefined || workspaceFile.scheme === 'untitled'
        ? []
        : [{ uri: workspaceFile, kind: 'workspace' as const }]),
      ...folders.map(({ uri }) => ({
        uri: vscode.Uri.joinPath(uri, '.vscode', 'settings.json'),
        kind: 'settings' as const,
      })),
    ];
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
