import * as vscode from 'vscode';

/** What is used of the API of VS Code's own git extension, version 1. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** Without a path, the files that differ; with one, the text of its diff. */
  diffWith(ref: string): Promise<readonly GitChange[]>;
  diffWith(ref: string, path: string): Promise<string>;
  diffIndexWithHEAD(): Promise<readonly GitChange[]>;
  diffIndexWithHEAD(path: string): Promise<string>;
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly originalUri: vscode.Uri;
  readonly renameUri: vscode.Uri | undefined;
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly repositories: readonly GitRepository[];
}

export type GitState =
  | { readonly is: 'ready'; readonly repositories: readonly GitRepository[] }
  | { readonly is: 'off' }
  | { readonly is: 'no-repository' };

/** At start-up git looks for repositories; longer than this (milliseconds) nobody waits for it. */
const patienceMs = 5_000;

/** The repositories that the git extension knows once it has looked for them: it is given some time for that. */
export async function gitState(): Promise<GitState> {
  const api = await gitApi();
  if (api?.state === 'uninitialized') await initialized(api);
  return stateOf(api);
}

/** The same at once, for who cannot wait. */
export async function gitStateNow(): Promise<GitState | { readonly is: 'starting' }> {
  const api = await gitApi();
  return api?.state === 'uninitialized' ? { is: 'starting' } : stateOf(api);
}

function stateOf(api: GitApi | null): GitState {
  if (api === null) return { is: 'off' };
  return api.repositories.length === 0 ? { is: 'no-repository' } : { is: 'ready', repositories: api.repositories };
}

async function gitApi(): Promise<GitApi | null> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  if (extension === undefined) return null;
  try {
    // getAPI throws where git.enabled is false, or there is no git on the machine.
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
