import * as vscode from 'vscode';
import { isGone } from '../sources/isGone.ts';

/** What is used of the API of VS Code's own git extension, version 1. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** Of the source control view: where the user writes the message of the next commit. */
  readonly inputBox: { value: string };
  log(options: { readonly maxEntries: number }): Promise<readonly { readonly message: string }[]>;
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly repositories: readonly GitRepository[];
  /** The program that the extension found and the user trusts. */
  readonly git: { readonly path: string };
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

export type GitState =
  | { readonly is: 'ready'; readonly program: string; readonly repositories: readonly GitRepository[] }
  | { readonly is: 'off' }
  | { readonly is: 'no-repository' };

/** At start-up git looks for repositories; longer than this (milliseconds) nobody waits for it. */
const patienceMs = 5_000;

/** The repositories that the git extension knows once it has looked for them: it is given some time for that. */
export async function gitState(): Promise<GitState> {
  const api = await gitApi();
  if (api?.state === 'uninitialized') await initialized(api);
  return withoutGone(stateOf(api));
}

/** The same, with the repositories that the workspace folders lie in, also where they were closed in the view. */
export async function gitStateOfFolders(): Promise<GitState> {
  const api = await gitApi();
  if (api?.state === 'uninitialized') await initialized(api);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) await api?.openRepository(uri).catch(() => null);
  return withoutGone(stateOf(api));
}

/** The extension goes on listing repositories whose folders were deleted. */
async function withoutGone(state: GitState): Promise<GitState> {
  if (state.is !== 'ready') return state;
  const gone = await Promise.all(state.repositories.map(({ rootUri }) => isGone(rootUri)));
  const repositories = state.repositories.filter((_, index) => gone[index] === false);
  return repositories.length === 0 ? { is: 'no-repository' } : { ...state, repositories };
}

/** The same at once, for who cannot wait. */
export async function gitStateNow(): Promise<GitState | { readonly is: 'starting' }> {
  const asked = gitApi();
  // It looks for git before it is active, which takes seconds in a window that was just opened.
  if (gitExtension()?.isActive === false) return { is: 'starting' };
  const api = await asked;
  return api?.state === 'uninitialized' ? { is: 'starting' } : stateOf(api);
}

/** The program, at once: the one that the extension found, null where it is not active or found none. */
export function gitProgramNow(): string | null {
  const extension = gitExtension();
  try {
    return extension?.isActive ? extension.exports.getAPI(1).git.path : null;
  } catch {
    return null;
  }
}

function stateOf(api: GitApi | null): GitState {
  if (api === null) return { is: 'off' };
  const { repositories, git } = api;
  return repositories.length === 0 ? { is: 'no-repository' } : { is: 'ready', program: git.path, repositories };
}

/** getAPI throws where git.enabled is false, or there is no git on the machine. */
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
