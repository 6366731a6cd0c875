import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import { type Failure, notAsked } from '../../../platform/messages/withErrorReporting.ts';
import { writeSetting } from '../../../platform/settings/writeSetting.ts';
import type { Session } from '../../../session/session.ts';

const t = vscode.l10n.t;

export const chatModelKey = 'svc.model.chat';

export interface SelectedModel {
  readonly ok: true;
  readonly model: string;
  readonly for: 'conversation' | 'all';
}

/**
 * Asks whether a model is for this conversation or for all, and applies it: the model is stored with the conversation, or
 * written to the scope that already sets the value, otherwise to the user's settings. Throws a ServiceError if the setting
 * cannot be written.
 */
export async function applyModel(session: Session, model: string): Promise<SelectedModel | Failure> {
  const { id } = session.conversation;
  const target = targetOf();
  const where = target === vscode.ConfigurationTarget.Workspace ? t('workspace settings') : t('user settings');
  const forOne = {
    label: t('For this conversation'),
    detail: t('Other conversations do not change. The model is kept with this one.'),
  };
  const forAll = {
    label: t('For all conversations'),
    detail: t('Sets {0} in the {1}, also for conversations whose model you did not select.', chatModelKey, where),
  };
  const chosen = await vscode.window.showQuickPick([forOne, forAll], {
    title: t('Use {0}', asText(model)),
    placeHolder: t('Where do you want to use this model?'),
  });
  // Another conversation may have been opened in the meantime.
  if (chosen === undefined || session.conversation.id !== id) return notAsked();
  if (chosen === forOne) {
    session.selectModel(model);
    return { ok: true, model, for: 'conversation' };
  }
  await writeSetting(chatModelKey, model, target);
  session.selectModel(null);
  return { ok: true, model, for: 'all' };
}

function targetOf(): vscode.ConfigurationTarget {
  const inspected = vscode.workspace.getConfiguration().inspect(chatModelKey);
  return inspected?.workspaceValue === undefined
    ? vscode.ConfigurationTarget.Global
    : vscode.ConfigurationTarget.Workspace;
}
