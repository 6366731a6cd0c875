import * as vscode from 'vscode';
import { isGone } from '../files/isGone.ts';

/** The part of the API of VS Code's git extension (version 1) that is used here. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** The input box of the source control view, where the user writes the next commit message. */
  readonly inputBox: { value: string };
  readonly state: {
    readonly HEAD: { readonly commit?: string } | undefined;
    readonly onDidChange: vscode.Event<void>;
  };
}

/** Returns the name of the folder that a repository is in. */
export function repositoryName({ rootUri }: GitRepository): string {
  return rootUri.path.slice(rootUri.path.lastIndexOf('/') + 1);
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly repositories: readonly GitRepository[];
  /** The git program that the extension found and that the user trusts. */
  readonly git: { readonly path: string };
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

type GitState =
  | { readonly is: 'ready'; readonly program: string; readonly repositories: readonly GitRepository[] }
  | { readonly is: 'off' }
  | { readonly is: 'no-repository' };

/** The maximum time in milliseconds to wait for the git extension to find the repositories at start-up. */
const patienceMs = 5_000;

/** Returns the repositories that the git extension knows. Waits for a limited time until it has searched for them. */
export async function gitState(): Promise<GitState> {
  const api = await gitApi();
  if (api?.state === 'uninitialized') await initialized(api);
  return withoutDeleted(stateOf(api));
}

/**
 * Like gitState(), but includes the repositories that contain the workspace folders, even if the user closed them in the
 * view.
 */
export async function gitStateOfFolders(): Promise<GitState> {
  const api = await gitApi();
  if (api?.state === 'uninitialized') await initialized(api);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) await api?.openRepository(uri).catch(() => null);
  return withoutDeleted(stateOf(api));
}

/** Drops repositories whose folders were deleted: the git extension still lists them. */
async function withoutDeleted(state: GitState): Promise<GitState> {
  if (state.is !== 'ready') return state;
  const isDeleted = await Promise.all(state.repositories.map(({ rootUri }) => isGone(rootUri)));
  const repositories = state.repositories.filter((_, index) => isDeleted[index] === false);
  return repositories.length === 0 ? { is: 'no-repository' } : { ...state, repositories };
}

/** Like gitState(), but does not wait. */
export async function gitStateNow(): Promise<GitState | { readonly is: 'starting' }> {
  const pendingApi = gitApi();
  // The extension looks for git before it becomes active. In a window that was just opened this takes seconds.
  if (gitExtension()?.isActive === false) return { is: 'starting' };
  const api = await pendingApi;
  return api?.state === 'uninitialized' ? { is: 'starting' } : stateOf(api);
}

/**
 * Returns the git program that the extension found, or null if the extension is not active or found no program. Does not
 * wait.
 */
export function gitProgramNow(): string | null {
  const extension = gitExtension();
  try {
    return extension?.isActive ? extension.exports.getAPI(1).git.path : null;
  } catch {
    return null;
  }
}

/** Like gitProgramNow(), but waits until the extension has become active. */
export async function gitProgram(): Promise<string | null> {
  return (await gitApi())?.git.path ?? null;
}

/**
 * Calls `look` for each repository of the git extension: now, when another repository is opened, and when a repository has
 * changed. Waits for the extension.
 */
export async function watchRepositories(
  look: (program: string, repository: GitRepository) => void,
): Promise<vscode.Disposable> {
  const api = await gitApi();
  if (api === null) return new vscode.Disposable(() => undefined);
  const watching = new Map<string, vscode.Disposable>();
  const watch = (repository: GitRepository): void => {
    const onChange = (): void => look(api.git.path, repository);
    watching.get(repository.rootUri.toString())?.dispose();
    watching.set(repository.rootUri.toString(), repository.state.onDidChange(onChange));
    onChange();
  };
  const opening = api.onDidOpenRepository(watch);
  for (const repository of api.repositories) watch(repository);
  return vscode.Disposable.from(opening, { dispose: () => watching.forEach((each) => void each.dispose()) });
}

function stateOf(api: GitApi | null): GitState {
  if (api === null) return { is: 'off' };
  const { repositories, git } = api;
  return repositories.length === 0 ? { is: 'no-repository' } : { is: 'ready', program: git.path, repositories };
}

/** Returns VS Code's git extension. Its getAPI() throws if `git.enabled` is false or git is not installed. */
function gitExtension(): vscode.Extension<{ getAPI(version: 1): GitApi }> | undefined {
  return vscode.extensions.getExtension('vscode.git');
}

async function gitApi(): Promise<GitApi | null> {
  const extension = gitExtension();
  if (extension === undefined) return null;
  try {
    return (await extension.activate()).getAPI(1);
  } catch {
    return null;
  }
}

function initialized(api: GitApi): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(limit);
      listening.dispose();
      resolve();
    };
    const limit = setTimeout(done, patienceMs);
    const listening = api.onDidChangeState(() => {
      if (api.state === 'initialized') done();
    });
  });
}
