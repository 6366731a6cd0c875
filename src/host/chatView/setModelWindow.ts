import * as vscode from 'vscode';
import { windowLimits, withModelWindow } from '../../policy/modelWindows.ts';
import { readValue } from '../../policy/readValue.ts';
import { resolveSetting } from '../../policy/resolveSetting.ts';
import { declaredWindow } from '../../session/budget/contextWindow.ts';
import type { Turn } from '../../session/conversation/conversation.ts';
import { asText } from '../asText.ts';
import { readLayers, userValue } from '../config/settingsReader.ts';
import { writeSetting } from '../config/writeSetting.ts';
import { describeNumber } from '../messages/describeNumber.ts';
import { outcomeIds, type PanelMessages } from './panelMessages.ts';

const t = vscode.l10n.t;
const key = 'svc.context.windows';

/**
 * Asks how many tokens the model of a turn reads, with the number that the service has counted, and writes it into the
 * user's settings. Throws a ServiceError where they cannot be written.
 */
export async function setModelWindow(
  { model, readsLess }: Pick<Turn, 'model' | 'readsLess'>,
  messages: Pick<PanelMessages, 'show'>,
): Promise<void> {
  if (model === null || readsLess === undefined) return;
  const read = readValue(key, userValue(key));
  if (read.is === 'invalid') {
    // An invalid value blocks each request anyway, with a message that explains it.
    await vscode.commands.executeCommand('workbench.action.openSettings', key);
    return;
  }
  const list = read.is === 'value' ? (read.value as readonly string[]) : [];
  const answer = await askTokens(model, Math.max(readsLess.counted, windowLimits.least));
  const changed = answer === undefined ? null : withModelWindow(list, model, answer);
  if (answer === undefined || changed === null) return;
  await writeSetting(key, changed, vscode.ConfigurationTarget.Global);
  const used = resolveSetting(readLayers([]), key);
  // The settings of a workspace take precedence over the user's.
  const isUsed = used.ok && declaredWindow(model, used.value as readonly string[]) === answer;
  const title = isUsed
    ? t('{0} is set to read {1} tokens.', model, describeNumber(answer))
    : t('The number is saved, but the workspace sets {0}, which is used instead.', key);
  messages.show(outcomeIds.end, { severity: isUsed ? 'info' : 'warning', title, actions: [] });
}

async function askTokens(model: string, counted: number): Promise<number | undefined> {
  const { least, most } = windowLimits;
  const answer = await vscode.window.showInputBox({
    title: t('Context window of {0}', asText(model)),
    prompt: t('How many tokens does this model read? The service counted {0}.', describeNumber(counted)),
    value: String(counted),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const isNumber = /^\d{4,8}$/.test(text.trim());
      if (isNumber && Number(text) >= least && Number(text) <= most) return null;
      return t('Enter a number from {0} to {1}.', describeNumber(least), describeNumber(most));
    },
  });
  return answer === undefined ? undefined : Number(answer.trim());
}
