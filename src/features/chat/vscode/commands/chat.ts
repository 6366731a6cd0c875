import * as vscode from 'vscode';
import { answerLanguage } from '../../../../platform/messages/answerLanguage.ts';
import { showHint } from '../../../../platform/messages/hint.ts';
import { showWarning } from '../../../../platform/messages/show.ts';
import { type Failure, failureOf, notAsked, orFailure } from '../../../../platform/messages/withErrorReporting.ts';
import { attachCode } from '../../../../platform/sources/attach.ts';
import { withEnclosing } from '../../../../platform/sources/enclosing.ts';
import type { TurnStatus } from '../../../../protocol/turnStatus.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import { errorOf, type Question, type Turn } from '../../../../session/conversation/turn.ts';
import { explainText } from '../../../../session/prompts/prompts.ts';
import type { Session } from '../../../../session/session.ts';
import type { ChatViewProvider } from '../chatViewProvider.ts';

const t = vscode.l10n.t;

/** The services that a command needs to ask in the panel. */
export interface AskServices {
  readonly view: ChatViewProvider;
  readonly session: Session;
}

/** The result of a turn that a command started. */
export type Asked = { readonly ok: true; readonly status: TurnStatus; readonly answer: string } | Failure;

/** Opens the panel; with `{ prompt }`, asks it immediately. */
export async function openChat(
  { view, session }: AskServices,
  options?: { readonly prompt?: string | undefined },
): Promise<Asked | { readonly ok: true }> {
  await view.reveal();
  const prompt = options?.prompt;
  if (prompt === undefined || prompt.trim() === '') return { ok: true };
  if (!(await mayAsk(session))) return notAsked();
  return asAsked(await session.ask({ action: 'chat', prompt, attachments: [] }));
}

export async function newChat({ view, session }: AskServices): Promise<{ readonly ok: true }> {
  session.newConversation();
  await view.reveal();
  return { ok: true };
}

/** Streams an explanation of the selection, the symbol at the cursor, or the file into the panel. */
export function explainCode(services: AskServices): Promise<Asked> {
  return orFailure(() => explain(services));
}

async function explain({ view, session }: AskServices): Promise<Asked> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    showHint(t('Open a file to explain its code.'));
    return notAsked();
  }
  const attachment = await attachCode(editor);
  if (attachment.refused === undefined && attachment.text.trim() === '') {
    showHint(t('There is no code to explain.'));
    return notAsked();
  }
  if (!(await mayAsk(session))) return notAsked();
  await view.reveal();
  const attachments = await withEnclosing(attachment);
  const text = explainText('', answerLanguage(), attachments.length > 1);
  const question = { action: 'explain', prompt: t('Explain this code'), command: { name: 'explain', text } } as const;
  return asAsked(await session.ask({ ...question, attachments }));
}

/** Explains a piece of code in the panel, with `prompt` as the question. */
export async function askAbout({ view, session }: AskServices, prompt: string, attachment: Attachment): Promise<Asked> {
  if (!(await mayAsk(session))) return notAsked();
  await view.reveal();
  return asAsked(await session.ask(explanation(prompt, attachment)));
}

/** A built-in question that asks for an explanation with its own prompt. */
export function explanation(prompt: string, attachment: Attachment): Question {
  return { action: 'explain', prompt, attachments: [attachment], command: { name: 'explain', text: prompt } };
}

/** Only one request runs at a time: the user is asked whether to stop the running one. */
export async function mayAsk(session: Session): Promise<boolean> {
  if (!session.isBusy) return true;
  const stop = t('Stop and Send');
  // The question is modal, because the command waits for the answer and a notification would disappear.
  const question = t('An answer is still being written. Stop it and send this request?');
  return (await showWarning(question, { modal: true }, stop)) === stop;
}

export function asAsked(turn: Turn): Asked {
  const error = errorOf(turn);
  return error === undefined ? { ok: true, status: turn.state.status, answer: turn.answer.text } : failureOf(error);
}
