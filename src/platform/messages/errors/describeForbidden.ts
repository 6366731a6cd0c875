import * as vscode from 'vscode';
import type { NotAdmitted } from '../../../gate/admit.ts';
import { SettingsFileError } from '../../../policy/files/settingsFile.ts';
import { ManagedPolicyError, PolicyError } from '../../../policy/policyError.ts';
import type { ErrorDetails, ServiceError } from '../../../util/errors.ts';
import type { Words } from '../cardWords.ts';
import { describeProblem } from '../describePolicy.ts';
import { managedProblemWords } from '../managedWords.ts';
import { describeSettingsFile } from './describeSettingsFile.ts';

const t = vscode.l10n.t;

/** Explains why no request may be sent. This is a separate module, because a new window needs only these messages. */
export function notAdmittedWords(error: NotAdmitted): Words {
  return error.kind === 'policy' ? forbiddenWords(error) : untrustedWords(error.details);
}

/** Explains why the settings or the administrator's policy forbid sending. */
export function forbiddenWords(error: ServiceError<'policy'>): Words {
  if (error instanceof PolicyError) {
    const isOfConversation = error.problems.some((problem) => problem.isOfConversation);
    return {
      title: t('Nothing was sent: your settings do not allow it'),
      detail: error.problems.map(describeProblem).join('\n'),
      actions: [isOfConversation ? 'selectModel' : 'openSettings', 'retry'],
    };
  }
  switch (error.code) {
    case 'managed-broken':
      if (error instanceof ManagedPolicyError && error.problem.reason === 'not-fetched')
        return {
          title: t('The managed policy has not been fetched yet'),
          detail: `${error.file ?? ''}\n${managedProblemWords(error.problem)}`,
          severity: 'info',
          actions: ['showPolicy', 'retry'],
        };
      return {
        title: t('Nothing is sent: the managed policy of this machine cannot be used'),
        // Turns from an earlier window do not store the details.
        detail:
          error instanceof ManagedPolicyError
            ? `${error.file ?? ''}\n${managedProblemWords(error.problem)} ${t('Contact your administrator.')}`
            : t('Contact your administrator.'),
        actions: ['showPolicy', 'retry'],
      };
    case 'feature-disabled':
      return {
        title: t('Your administrator has turned this off'),
        ...(error.details.feature === undefined
          ? {}
          : { detail: t('Turned off by the managed policy: {0}.', error.details.feature) }),
        actions: ['showPolicy'],
      };
    case 'settings-file':
      return {
        title: t('Nothing was sent: VS Code could not read all of {0}', error.file ?? ''),
        // Turns from an earlier window do not store the details.
        ...(error instanceof SettingsFileError ? { detail: describeSettingsFile(error.problem) } : {}),
        actions: ['retry'],
      };
    case 'preview-required':
      return { title: t('Every request needs a preview, so inline suggestions are off'), actions: [] };
    case 'context-budget':
      return {
        title: t('Nothing was sent: the settings leave no room for a question'),
        detail: t('The model’s window, less the longest answer, has to leave room for 2,000 tokens or more.'),
        actions: ['openSettings', 'retry'],
        setting: 'svc.context.windows',
      };
    case 'no-base-url':
      return { title: t('The address of the Svc service is not set'), actions: ['setBaseUrl', 'retry'] };
    case 'settings':
    case undefined:
      // The error is a PolicyError from an earlier window, whose problems are not stored.
      return { title: t('Nothing was sent: your settings do not allow it'), actions: ['openSettings', 'retry'] };
  }
}

/** Explains that in Restricted Mode, nothing is sent and no setting is changed. */
export function untrustedWords({ isSetting }: ErrorDetails<'gate'>): Words {
  return {
    title: isSetting
      ? t('The setting was not changed: this workspace is not trusted')
      : t('Nothing was sent: this workspace is not trusted'),
    detail: t(
      'VS Code does not read the settings of this workspace in Restricted Mode, so its compliance settings are unknown.',
    ),
    actions: ['manageTrust', 'retry'],
  };
}
