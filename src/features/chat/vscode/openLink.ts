import * as vscode from 'vscode';
import { showWarning } from '../../../platform/messages/show.ts';
import { Refusal } from '../../../platform/pages/callError.ts';
import { type LinkTarget, linkTarget } from '../../../protocol/linkTarget.ts';

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

/**
 * Returns the target that VS Code opens for a link, or null if it is not a link or VS Code would open another target. VS Code
 * decodes a whole URI and encodes it again with fewer characters: https://evil%2F@good/ would become
 * https://evil/@good/ (https://github.com/microsoft/vscode/issues/85930).
 */
export function openedAs(link: string): (LinkTarget & { readonly uri: vscode.Uri }) | null {
  const asked = linkTarget(link);
  if (asked === undefined) return null;
  const uri = vscode.Uri.parse(asked.href, true);
  const made = linkTarget(encodeURI(uri.toString(true)));
  return made === undefined || made.place !== asked.place ? null : { ...made, uri };
}
