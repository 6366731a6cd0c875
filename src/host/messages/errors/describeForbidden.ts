import * as vscode from 'vscode';
import type { NotAdmitted } from '../../../gate/admit.ts';
import { SettingsFileError } from '../../../policy/files/settingsFile.ts';
import { ManagedPolicyError, PolicyError } from '../../../policy/policyError.ts';
import type { ErrorDetails, ServiceError } from '../../../util/errors.ts';
import { describeProblem } from '../../posture/describePolicy.ts';
import type { Words } from '../cardWords.ts';
import { describeManagedProblem } from '../describeManaged.ts';
import { describeSettingsFile } from './describeSettingsFile.ts';

const t = vscode.l10n.t;

/** Why no request may leave. A window that opens already needs these words, and none of the others. */
export function notAdmittedWords(error: NotAdmitted): Words {
  return error.kind === 'policy' ? forbiddenWords(error) : untrustedWords(error.details);
}

/** Why the settings or the administrator's policy forbid sending. */
export function forbiddenWords(error: ServiceError<'policy'>): Words {
  if (error instanceof PolicyError) {
    const isOfConversation = error.problems.some((problem) => problem.isOfConversation);
    return {
      title: t('Nothing was sent: your settings do not allow it'),
      ...detailOf(error.problems.map(describeProblem), error),
      actions: [...leavingOut(error), isOfConversation ? 'selectModel' : 'openSettings', 'retry'],
    };
  }
  switch (error.code) {
    case 'managed-broken':
      return {
        title: t('Nothing is sent: the managed policy of this machine cannot be used'),
        // Turns from an earlier window do not store the details.
        detail:
          error instanceof ManagedPolicyError
            ? `${error.file ?? ''}\n${describeManagedProblem(error.problem)} ${t('Contact your administrator.')}`
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
        ...detailOf(error instanceof SettingsFileError ? [describeSettingsFile(error.problem)] : [], error),
        actions: [...leavingOut(error), 'retry'],
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
      // A PolicyError from an earlier window, whose problems are not stored.
      return {
        title: t('Nothing was sent: your settings do not allow it'),
        ...detailOf([], error),
        actions: [...leavingOut(error), 'openSettings', 'retry'],
      };
  }
}

/** The lines, and why the settings of a folder apply if only the instructions of the project bring them in. */
function detailOf(lines: readonly string[], { details }: ServiceError<'policy'>): Pick<Words, 'detail'> {
  const labels = (details.instructions ?? []).map(({ label }) => label);
  const names = new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(labels);
  const because =
    labels.length === 1
      ? t('The settings of its folder apply because {0} is included as instructions.', names)
      : t('The settings of their folders apply because {0} are included as instructions.', names);
  const all = labels.length === 0 ? lines : [...lines, because];
  return all.length === 0 ? {} : { detail: all.join('\n') };
}

function leavingOut({ details: { instructions = [] } }: ServiceError<'policy'>): Words['actions'] {
  return instructions.length === 0 ? [] : ['leaveOutConflicting'];
}

/** In Restricted Mode, nothing is sent and no setting is changed. */
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
