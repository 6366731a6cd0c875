import * as vscode from 'vscode';
import type { Connection } from '../../../policy/connection.ts';
import { asText } from '../../messages/asText.ts';
import { openedAs } from '../../messages/openedAs.ts';
import { panelPlace } from '../../messages/panelPlace.ts';
import { showInformation } from '../../messages/show.ts';
import type { SignIn } from './helperAnswer.ts';

const t = vscode.l10n.t;

/**
 * Shows the page on which a credential helper asks the user to sign in: in the panel while it is visible, otherwise in
 * messages of VS Code. The page is opened only by a click. Returns what removes the messages.
 */
export function showSignIn({ visit, code }: SignIn, { baseUrl }: Connection, cancel: () => void): () => void {
  const title = t('Sign in to get an API key for {0}', new URL(baseUrl).host);
  const words =
    code === undefined
      ? t('The credential helper asks you to open {0}.', visit)
      : t('The credential helper asks you to open {0} and to enter the code {1}.', visit, code);
  const opened = openedAs(visit);
  const button =
    opened === null ? {} : { button: { label: t('Open Page'), run: () => vscode.env.openExternal(opened.uri) } };
  const panel = panelPlace();
  if (panel === undefined) return showMessages(`${title}. ${words}`, button.button, cancel);
  const work = panel.begin(title, cancel);
  work.show({ words, ...button });
  return work.end;
}

function showMessages(
  words: string,
  button: { readonly label: string; readonly run: () => unknown } | undefined,
  cancel: () => void,
): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  const options = { location: vscode.ProgressLocation.Notification, title: asText(words), cancellable: true };
  void vscode.window.withProgress(options, (_progress, token) => {
    token.onCancellationRequested(cancel);
    return promise;
  });
  const offer = async (label: string, run: () => unknown): Promise<void> => {
    if ((await showInformation(words, label)) === label && !isOver) await run();
  };
  if (button !== undefined) void offer(button.label, button.run);
  return () => {
    isOver = true;
    resolve();
  };
}
