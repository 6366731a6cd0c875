import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import { describeNumber } from '../../../platform/messages/describeNumber.ts';
import { readLayers, userValue } from '../../../platform/settings/settingsReader.ts';
import { writeSetting } from '../../../platform/settings/writeSetting.ts';
import { windowLimits, withModelWindow } from '../../../policy/modelWindows.ts';
import { readValue } from '../../../policy/readValue.ts';
import { resolveSetting } from '../../../policy/resolveSetting.ts';
import type { ContextBudget } from '../../../send/budget/contextBudget.ts';
import { declaredWindow } from '../../../send/budget/contextWindow.ts';
import { errorOf, type Turn } from '../../../session/conversation/turn.ts';
import type { ErrorDetails } from '../../../util/errors.ts';
import { outcomeIds, type PanelMessages } from './panelMessages.ts';

const t = vscode.l10n.t;
const key = 'svc.context.windows';

interface Parts {
  readonly messages: Pick<PanelMessages, 'show'>;
  readonly windows: Pick<ContextBudget, 'forgetWindow'>;
}

/**
 * Asks how many tokens the model of a turn reads, with the number that the service has counted or named, or that its
 * refusals show, and writes it into the user's settings. The learned window is forgotten. Throws a ServiceError if
 * the settings cannot be written.
 */
export async function setModelWindow(turn: Turn, { messages, windows }: Parts): Promise<void> {
  const known = windowIn(turn);
  if (known === null) return;
  const { model } = known;
  const read = readValue(key, userValue(key));
  if (read.is === 'invalid') {
    // An invalid value blocks each request anyway, with a message that explains it.
    await vscode.commands.executeCommand('workbench.action.openSettings', key);
    return;
  }
  const list = read.is === 'value' ? (read.value as readonly string[]) : [];
  const answer = await askTokens(known);
  const changed = answer === undefined ? null : withModelWindow(list, model, answer);
  if (answer === undefined || changed === null) return;
  await writeSetting(key, changed, vscode.ConfigurationTarget.Global);
  windows.forgetWindow(model);
  const used = resolveSetting(readLayers([]), key);
  // The settings of a workspace take precedence over the user's.
  const isUsed = used.ok && declaredWindow(model, used.value as readonly string[]) === answer;
  const title = isUsed
    ? t('{0} is set to read {1} tokens.', model, describeNumber(answer))
    : t('The number is saved, but the workspace sets {0}, which is used instead.', key);
  messages.show(outcomeIds.end, { severity: isUsed ? 'info' : 'warning', title, actions: [] });
}

interface KnownWindow {
  readonly model: string;
  readonly tokens: number;
  /** Whether the service counted this number of tokens; otherwise, it named the number, or refused more. */
  readonly isCounted: boolean;
}

/** Returns the window that a turn shows, or null if it shows no window. */
function windowIn(turn: Turn): KnownWindow | null {
  const { model, readsLess, sentAgain } = turn.lastRequest ?? {};
  const error = errorOf(turn);
  const learned = error?.kind === 'gate' ? (error.details as ErrorDetails<'gate'>).learned : undefined;
  if (learned !== undefined) return { ...learned, isCounted: false };
  const tokens = error?.code === 'context-length' ? error.contextTokens : (readsLess?.counted ?? sentAgain?.window);
  if (model === undefined || tokens === undefined) return null;
  return { model, tokens, isCounted: error === undefined && readsLess !== undefined };
}

async function askTokens({ model, tokens, isCounted }: KnownWindow): Promise<number | undefined> {
  const { least, most } = windowLimits;
  const known = Math.min(most, Math.max(tokens, least));
  const answer = await vscode.window.showInputBox({
    title: t('Context window of {0}', asText(model)),
    prompt: isCounted
      ? t('How many tokens does the context window of this model have? The service counted {0}.', describeNumber(known))
      : t(
          'How many tokens does the context window of this model have? The refusals of the service show {0}.',
          describeNumber(known),
        ),
    value: String(known),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const isNumber = /^\d{4,8}$/.test(text.trim());
      if (isNumber && Number(text) >= least && Number(text) <= most) return null;
      return t('Enter a number from {0} to {1}.', describeNumber(least), describeNumber(most));
    },
  });
  return answer === undefined ? undefined : Number(answer.trim());
}
