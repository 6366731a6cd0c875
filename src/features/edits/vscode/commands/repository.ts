import * as vscode from 'vscode';
import { type GitRepository, gitState, repositoryName } from '../../../../platform/git/api.ts';
import { asText } from '../../../../platform/messages/asText.ts';
import { showHint } from '../../../../platform/messages/hint.ts';

const t = vscode.l10n.t;

export interface ChosenRepository {
  readonly program: string;
  readonly repository: GitRepository;
  /** The name of the repository's folder, if more than one repository is open. */
  readonly name: string | null;
}

/**
 * Returns the repository that a command is about: the one at this root, the only one, or the one that the user picks.
 * Returns null if the user was told why there is none, or picked none.
 */
export async function repositoryFor(root: vscode.Uri | undefined): Promise<ChosenRepository | null> {
  const state = await gitState();
  if (state.is !== 'ready') {
    showHint(
      state.is === 'off'
        ? t('Git is not available: it is not installed, or the setting git.enabled turns it off.')
        : t('No git repository is open.'),
    );
    return null;
  }
  const { program, repositories } = state;
  const named = repositories.find(({ rootUri }) => rootUri.toString() === root?.toString());
  const repository = named ?? (repositories.length > 1 ? await pick(repositories) : repositories[0]);
  if (repository === undefined) return null;
  return { program, repository, name: repositories.length > 1 ? repositoryName(repository) : null };
}

/** Asks the user to pick a repository. The repository of the active file comes first. */
async function pick(repositories: readonly GitRepository[]): Promise<GitRepository | undefined> {
  const file = vscode.window.activeTextEditor?.document.uri;
  const contains = ({ rootUri }: GitRepository): number =>
    file?.scheme === rootUri.scheme && `${file.path}/`.startsWith(`${rootUri.path}/`) ? rootUri.path.length : 0;
  const items = repositories
    .toSorted((a, b) => contains(b) - contains(a))
    .map((repository) => ({
      label: asText(repositoryName(repository)),
      description: asText(repository.rootUri.path),
      repository,
    }));
  const options = { title: t('Which repository?'), matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.repository;
}
