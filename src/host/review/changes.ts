import * as vscode from 'vscode';
import { joinOf } from '../../gate/content.ts';
import { changedLines } from '../../review/diff.ts';
import type { ReviewTarget } from './plan.ts';

/** What reviews need of the API of VS Code's own git extension, version 1. */
interface GitApi {
  openRepository(root: vscode.Uri): Promise<Repository | null>;
  readonly repositories: readonly Repository[];
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly mergeChanges: readonly Change[];
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly untrackedChanges?: readonly Change[];
  };
  status(): Promise<void>;
  diffWith(ref: string, path: string): Promise<string>;
}

interface Change {
  readonly uri: vscode.Uri;
}

/** The files that differ from the last commit, staged or not, in all repositories of the workspace; null without git. */
export async function changedFiles(): Promise<readonly ChangedFile[] | null> {
  const git = await gitApi();
  if (git === null) return null;
  const found = new Map<string, ChangedFile>();
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    // Repositories above or beside are found by the extension itself.
    await git.openRepository(uri).catch(() => null);
  }
  for (const repository of git.repositories) {
    await repository.status();
    const { mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
    for (const { uri } of [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges]) {
      // A repository may be larger than the workspace.
      if (vscode.workspace.getWorkspaceFolder(uri) === undefined || !(await isFile(uri))) continue;
      found.set(uri.toString(), { uri, repository });
    }
  }
  return [...found.values()];
}

/** What was deleted has nothing left to review; a submodule is a folder. */
async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

export interface ChangedFile {
  readonly uri: vscode.Uri;
  readonly repository: Pick<Repository, 'diffWith'>;
}

/** With its changes since the last commit; a file that git does not know yet has changed as a whole. */
export async function withChanges(target: ReviewTarget, { uri, repository }: ChangedFile): Promise<ReviewTarget> {
  // Not diffWithHEAD, which with a path compares with the index. Fails before the first commit.
  const diff = await repository.diffWith('HEAD', uri.fsPath).catch(() => '');
  const lines = changedLines(diff);
  const all = [{ first: 1, last: Number.MAX_SAFE_INTEGER }];
  return { ...target, changes: { diff: joinOf([diff]), lines: lines.length === 0 ? all : lines } };
}

async function gitApi(): Promise<GitApi | null> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>(
    'vscode.git',
  );
  if (extension === undefined) return null;
  const exports = await extension.activate();
  // getAPI throws where git is switched off by its setting.
  return exports.enabled ? exports.getAPI(1) : null;
}
