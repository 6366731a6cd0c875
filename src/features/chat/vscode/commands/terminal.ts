import * as vscode from 'vscode';
import { showHint } from '../../../../platform/messages/hint.ts';
import { notAsked } from '../../../../platform/messages/withErrorReporting.ts';
import { namelessText } from '../../../../platform/sources/maker.ts';
import type { Question } from '../../../../session/conversation/turn.ts';

import { selectedInTerminal } from '../../../context/vscode/terminal.ts';
import { type Asked, type AskServices, asAsked, explanation, mayAsk } from './chat.ts';

const t = vscode.l10n.t;

/** Explains the selection of the terminal in the panel; secrets in it are detected as in any attachment. */
export async function explainTerminal({ view, session }: AskServices): Promise<Asked> {
  const text = await selectedInTerminal();
  if (text === undefined) return notAsked();
  if (text.trim() === '') {
    showHint(t('Select text in the terminal first.'));
    return notAsked();
  }
  if (!(await mayAsk(session))) return notAsked();
  await view.reveal();
  return asAsked(await session.ask(terminalQuestion(text)));
}

/** Returns the question that asks for an explanation of terminal output. */
export function terminalQuestion(output: string): Question {
  const about = { label: t('terminal'), languageId: 'text' };
  const attachment = { ...about, ...namelessText(output, 'untitled:terminal') };
  return explanation(t('Explain this terminal output. What happened, and how can I fix any errors?'), attachment);
}
