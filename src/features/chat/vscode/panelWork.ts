import * as vscode from 'vscode';
import type { ShownWork } from '../../../platform/messages/panelPlace.ts';
import { retryNow } from '../../../platform/messages/waits.ts';
import type { PanelMessages } from './panelMessages.ts';

const t = vscode.l10n.t;

let count = 0;

/** Shows work that is under way as a message of the panel, which the user can cancel but not close. */
export function showWork(messages: PanelMessages, title: string, cancel: () => void): ShownWork {
  count += 1;
  const id = `work-${count}`;
  const show: ShownWork['show'] = ({ words, canRetryNow = false, button }) => {
    const retry = { id: 'retryNow', label: t('Retry Now') } as const;
    const own = button === undefined ? [] : [{ id: 'reveal', label: button.label } as const];
    const actions = [...(canRetryNow ? [retry] : []), ...own, { id: 'cancelWork', label: t('Cancel') } as const];
    const detail = words === '' ? {} : { detail: words };
    messages.show(
      id,
      { severity: 'info', isQuiet: true, isRunning: true, title, ...detail, actions },
      { cancelWork: cancel, retryNow, ...(button === undefined ? {} : { reveal: button.run }) },
    );
  };
  show({ words: '' });
  return { show, end: () => messages.dismiss(id) };
}
