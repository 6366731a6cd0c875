import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** Opens a link of an answer after showing the person where it really goes. Anything but web and mail is refused. */
export async function openLink(href: string): Promise<void> {
  if (!URL.canParse(href)) throw new Error('This is not an address.');
  const url = new URL(href);
  if (!['http:', 'https:', 'mailto:'].includes(url.protocol)) throw new Error('This kind of link is not opened.');
  const open = t('Open');
  const where = url.protocol === 'mailto:' ? url.pathname : url.host;
  const detail = url.href.length > 500 ? `${url.href.slice(0, 500)}…` : url.href;
  const message = t('Open a link of this answer? It goes to {0}.', where);
  const chosen = await vscode.window.showWarningMessage(message, { modal: true, detail }, open);
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
