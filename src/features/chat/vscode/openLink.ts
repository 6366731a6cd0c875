import * as vscode from 'vscode';
import { openedAs } from '../../../platform/messages/openedAs.ts';
import { showWarning } from '../../../platform/messages/show.ts';
import { Refusal } from '../../../platform/pages/callError.ts';

const t = vscode.l10n.t;

/**
 * Opens a link of an answer after showing the user its real target. Throws a Refusal for anything but web and mail
 * links.
 */
export async function openLink(link: string): Promise<void> {
  const opened = openedAs(link);
  if (opened === null) {
    throw new Refusal(t('The link was not opened: only web and mail addresses are allowed.'));
  }
  const { uri, href, place } = opened;
  const open = t('Open');
  const detail = href.length > 500 ? `${href.slice(0, 500)}…` : href;
  const message = t('Open this link? It leads to {0}.', place);
  const chosen = await showWarning(message, { modal: true, detail }, open);
  if (chosen === open) await vscode.env.openExternal(uri);
}
