import { type Hint, panelPlace } from './panelPlace.ts';
import { showInformation, showWarning } from './show.ts';

/**
 * Shows a short note, such as why a command did nothing: in the panel while it is visible, where it stays until the next
 * action, otherwise in a message of VS Code.
 */
export function showHint(words: string, about: Omit<Hint, 'words'> = {}): void {
  const panel = panelPlace();
  if (panel !== undefined) panel.hint({ words, ...about });
  else void inMessage(words, about);
}

async function inMessage(words: string, { isWarning = false, button }: Omit<Hint, 'words'>): Promise<void> {
  const labels = button === undefined ? [] : [button.label];
  const chosen = await (isWarning ? showWarning : showInformation)(words, ...labels);
  if (chosen !== undefined) await button?.run();
}
