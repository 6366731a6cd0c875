import * as vscode from 'vscode';
import { type ToolsOff, whyModeOff } from '../../../../platform/settings/toolsEnabled.ts';
import type { Mode } from '../../../../protocol/mode.ts';
import type { ModeView } from '../../../../protocol/panelEvents.ts';
import type { Session } from '../../../../session/session.ts';
import { whyLocked } from '../../../tools/vscode/describeTools.ts';

const t = vscode.l10n.t;

/** The mode of the next question, for the panel. */
export function viewMode(session: Pick<Session, 'mode'>, contextReader: Parameters<typeof whyModeOff>[0]): ModeView {
  const { mode } = session;
  return {
    label: modeLabel(mode),
    detail: modeDetail(mode),
    whyNoChange: modeOffWords('change', whyModeOff(contextReader, 'change')),
  };
}

export function modeLabel(mode: Mode): string {
  switch (mode) {
    case 'ask':
      return t('Ask');
    case 'plan':
      return t('Plan');
    case 'change':
      return t('Change');
  }
}

export function modeDetail(mode: Mode): string {
  switch (mode) {
    case 'ask':
      return t('Answers questions.');
    case 'plan':
      return t('Reads files with tools, and answers with a plan. Changes nothing.');
    case 'change':
      return t('Reads files with tools, and proposes changes to files. Nothing is written until you accept it.');
  }
}

/** Returns the reason why the user cannot choose a mode here, or an empty string if they can. */
export function modeOffWords(mode: Mode, off: ToolsOff | null): string {
  const why = whyLocked(off);
  return why === '' ? '' : t('{0} is not available. {1}', modeLabel(mode), why);
}
