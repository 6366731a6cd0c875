import * as vscode from 'vscode';
import { showWarning } from '../../../../platform/messages/show.ts';
import { Refusal } from '../../../../platform/pages/callError.ts';
import {
  isUsersChoice,
  readToolSwitches,
  whyChangesOff,
  whyModeOff,
} from '../../../../platform/settings/toolsEnabled.ts';
import { writeSetting } from '../../../../platform/settings/writeSetting.ts';
import type { Mode } from '../../../../protocol/mode.ts';
import type { Session } from '../../../../session/session.ts';
import { abortedError } from '../../../../util/errors.ts';
import { modeLabel, modeOffWords } from './viewMode.ts';

const t = vscode.l10n.t;

export interface ModeParts {
  readonly session: Pick<Session, 'conversation' | 'mode' | 'selectMode'>;
  readonly contextReader: Parameters<typeof whyModeOff>[0];
}

/**
 * Selects a mode for the next questions. The user is asked before their settings are changed for it. Returns null if the mode
 * is selected, otherwise the reason, which is empty if the user cancelled.
 */
export async function useMode({ session, contextReader }: ModeParts, mode: Mode): Promise<string | null> {
  const off = whyModeOff(contextReader, mode);
  if (off !== null) {
    if (!isUsersChoice(off)) return modeOffWords(mode, off);
    const { id } = session.conversation;
    // Another conversation may be opened while the user is asked.
    if (!(await turnOn(contextReader, mode)) || session.conversation.id !== id) return '';
    const still = whyModeOff(contextReader, mode);
    // The settings of a remote machine may take precedence over the written ones.
    if (still !== null) return modeOffWords(mode, still) || t('Other settings turn {0} off.', modeLabel(mode));
  }
  session.selectMode(mode);
  return null;
}

/** Selects the mode `change`. Throws a Refusal with the reason if it cannot be used, and a ServiceError `aborted` if the user cancelled. */
export async function requireChange(parts: ModeParts): Promise<void> {
  const why = await useMode(parts, 'change');
  if (why === '') throw abortedError();
  if (why !== null) throw new Refusal(why);
}

/** Asks whether to turn on the user's own switches that a mode needs. Returns whether they were written. */
async function turnOn(contextReader: ModeParts['contextReader'], mode: Mode): Promise<boolean> {
  const keys = [
    ...(readToolSwitches(contextReader).off === null ? [] : ['svc.tools.enabled']),
    ...(mode === 'change' && whyChangesOff(contextReader) !== null ? ['svc.changes.enabled'] : []),
  ];
  const question =
    mode === 'change'
      ? t('Let the model read files with tools and propose changes?')
      : t('Let the model read files with tools?');
  const detail = t('Nothing is written until you accept it. This turns on in your user settings: {0}', keys.join(', '));
  const yes = t('Turn On');
  if ((await showWarning(question, { modal: true, detail }, yes)) !== yes) return false;
  for (const key of keys) await writeSetting(key, true, vscode.ConfigurationTarget.Global);
  return true;
}
