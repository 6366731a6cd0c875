import * as vscode from 'vscode';
import type { Git } from '../../../evidence/provenance/repository/objects.ts';
import { exists } from '../../../platform/files/isGone.ts';

interface RepositoryFacts {
  /** Whether a rebase is in progress. */
  readonly isRewriting: boolean;
  /** Whether Git AI is used in this repository, and writes the notes. */
  readonly hasGitAi: boolean;
  /** The email address of the committer; empty if git has none. */
  readonly email: string;
}

export async function repositoryFacts(git: Git): Promise<RepositoryFacts> {
  const [gitDir = '', commonDir = ''] = (
    await git(['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir'])
  )
    .toString()
    .split('\n');
  const existsIn = (folder: string, name: string) => exists(vscode.Uri.joinPath(vscode.Uri.file(folder), name));
  const [merge, apply, gitAi] = await Promise.all([
    existsIn(gitDir, 'rebase-merge'),
    existsIn(gitDir, 'rebase-apply'),
    existsIn(commonDir, 'ai'),
  ]);
  const ident = await git(['var', 'GIT_COMMITTER_IDENT']).catch(() => Buffer.of());
  const [, email = ''] = /<([^<>]*)> \d+ [+-]\d+\s*$/.exec(ident.toString()) ?? [];
  return { isRewriting: merge || apply, hasGitAi: gitAi, email };
}
