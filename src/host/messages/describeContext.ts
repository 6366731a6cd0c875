import * as vscode from 'vscode';
import type { ServiceError } from '../../util/errors.ts';

const t = vscode.l10n.t;

/** Why an attachment cannot be sent with a question; the user has to choose again. */
export function contextWords({ code, file = '', reason = '' }: ServiceError): {
  readonly title: string;
  readonly detail?: string;
  readonly actions: readonly [];
} {
  switch (code) {
    case 'over-budget':
      return {
        title: t('Nothing was sent: more is attached than may go along. Remove {0}', file),
        ...(reason === '' ? {} : { detail: reason }),
        actions: [],
      };
    case 'nothing-to-work-on':
      return { title: t('{0} needs something to work on: open a file, or attach one', file), actions: [] };
    case 'broken-prompt':
      return { title: t('The prompt {0} cannot be used: {1}', file, reason), actions: [] };
    case 'not-here':
      return { title: t('{0} is no file or folder that can be attached', file), actions: [] };
    case 'outside-workspace':
      return {
        title: t('Nothing was sent: {0} is outside the workspace', file),
        detail: t('Open it in an editor, or open its folder, if it is meant.'),
        actions: [],
      };
    case 'nothing-there':
      return { title: t('There is nothing in {0}', file), actions: [] };
    case 'no-repository':
      return { title: t('There is no git repository in this workspace'), actions: [] };
    case 'git-off':
      return { title: t('The git extension of VS Code is off, or there is no git on this machine'), actions: [] };
    case 'git-failed':
      return { title: t('Git could not tell what has changed: {0}', reason), actions: [] };
    default:
      return { title: t('Nothing was sent: something in the request may not leave'), actions: [] };
  }
}
