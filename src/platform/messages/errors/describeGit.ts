import * as vscode from 'vscode';
import type { GitCode } from '../../../util/errorKinds.ts';
import type { ProcessEnd } from '../../../util/errors.ts';
import type { WordsByCode } from '../cardWords.ts';

const t = vscode.l10n.t;

export const gitWords: WordsByCode<GitCode, 'gate'> = {
  'no-repository': () => ({ title: t('This workspace has no Git repository'), actions: [] }),
  'git-off': () => ({ title: t('VS Code’s Git extension is turned off, or Git is not installed'), actions: [] }),
  'git-failed': ({ reason = '', details }) => ({ title: gitTitle(reason, details.git), actions: [] }),
};

/** Describes a failure of git, with git's own reason if there is one. A stored error has no reason. */
function gitTitle(reason: string, end: ProcessEnd | undefined): string {
  const why = reason === '' && end !== undefined ? gitEnd(end) : reason;
  return why === '' ? t('Git could not list the changes') : t('Git could not list the changes: {0}', why);
}

function gitEnd(end: ProcessEnd): string {
  switch (end.is) {
    case 'exit':
      return t('exit code {0}', end.code);
    case 'signal':
      return t('it was ended by {0}', end.name);
    case 'not-started':
      return end.code === 'ENOENT'
        ? t('the program or the folder does not exist')
        : t('it could not be started ({0})', end.code);
  }
}
