import { type Hint, panelPlace } from './panelPlace.ts';
import { showInformation, showWarning } from './show.ts';

/**
 * Shows a short note, such as why a command did nothing: in the panel, until the next action, if it is visible; otherwise as a
 * notification of VS Code.
 */
export function showHint(words: string, about: Omit<Hint, 'words'> = {}): void {
  const panel = panelPlace();
  if (panel !== undefined) panel.hint({ words, ...about });
  else void asNotification(words, about);
}

async function asNotification(words: string, { isWarning = false, button }: Omit<Hint, 'words'>): Promise<void> {
  const labels = button === undefined ? [] : [button.label];
  const chosen = await (isWarning ? showWarning : showInformation)(words, ...labels);
  if (chosen !== undefined) await button?.run();
}
