import * as vscode from 'vscode';
import { codeFromAnswer } from '../../session/codeAnswer.ts';
import { commentText } from '../../session/commentText.ts';
import type { Attachment } from '../../session/conversation.ts';
import type { Dispatch } from '../../session/dispatch.ts';
import { generateParts } from '../../session/prompts.ts';
import type { Review } from '../../session/review.ts';
import { isServiceError, ServiceError } from '../../util/errors.ts';
import { attachRange } from '../attachCode.ts';
import { warnIfContradicted } from '../describeReceipt.ts';
import { anchorAt } from '../edits/proposal.ts';
import type { Proposals } from '../edits/proposals.ts';
import { type Failure, failureOf, showFailure, withProgress } from './attempt.ts';

const t = vscode.l10n.t;

/** Lines of the file that go along, before and after the place the code is for. */
const linesAround = 150;

/**
 * Asks what to write (a selected comment says it already) and streams the code into a proposal that the person sees as
 * a diff. Resolves when the proposal is complete; accepting it is the person's.
 */
export async function generateCode(
  dispatch: Dispatch,
  proposals: Proposals,
  review: Review,
  options?: { readonly instruction?: string },
): Promise<{ readonly ok: true; readonly code: string } | Failure> {
  const editor = vscode.window.activeTextEditor;
  const instruction = options?.instruction ?? (await askInstruction(editor));
  if (instruction === undefined || instruction.trim() === '') return aborted();
  const anchor = editor === undefined ? null : anchorAt(editor);
  const around = editor === undefined ? null : attachAround(editor.document, anchor?.range.start.line ?? 0);
  const languageId = editor?.document.languageId ?? 'plaintext';
  const outgoing = {
    action: 'generate',
    messages: [{ role: 'user', parts: generateParts(instruction, languageId, around), secrets: 'ask' }],
    modelKey: 'svc.model.code',
    folders: around?.folder == null ? [] : [around.folder],
  } as const;
  try {
    return await withProgress(t('Svc is writing a proposal…'), async (signal) => {
      const stop = new AbortController();
      // Before the diff opens: what may not leave shows no empty proposal.
      const { events } = await dispatch.send(outgoing, review, AbortSignal.any([signal, stop.signal]));
      const uri = await proposals.begin(anchor, languageId, () => stop.abort());
      try {
        let answer = '';
        for await (const batch of events) {
          for (const event of batch) {
            if (event.type === 'text-delta') answer += event.text;
            else if (event.type === 'receipt') warnIfContradicted(event.receipt);
          }
          proposals.update(uri, codeFromAnswer(answer));
        }
        const code = codeFromAnswer(answer);
        if (code === '') throw new ServiceError('protocol', 'The answer has no code.', { code: 'no-code' });
        await proposals.complete(uri);
        return { ok: true as const, code };
      } catch (error) {
        // Half a proposal is none: there is nothing to accept.
        await proposals.reject();
        throw error;
      }
    });
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '', () => generateCode(dispatch, proposals, review, { instruction }));
    return failureOf(error);
  }
}

async function askInstruction(editor: vscode.TextEditor | undefined): Promise<string | undefined> {
  const selected = editor === undefined ? '' : editor.document.getText(editor.selection);
  return (
    commentText(selected) ??
    vscode.window.showInputBox({
      title: t('Generate code'),
      prompt: t('What should the code do? You see it as a diff before anything is written.'),
      placeHolder: t('For example: a function that checks a card number with Luhn'),
      ignoreFocusOut: true,
    })
  );
}

/** The file around a line, with a mark where the code goes. */
function attachAround(document: vscode.TextDocument, line: number): Attachment {
  const first = Math.max(0, line - linesAround);
  const last = Math.min(document.lineCount, line + linesAround);
  const upTo = attachRange(document, new vscode.Range(first, 0, line, 0));
  const rest = document.getText(new vscode.Range(line, 0, last, 0));
  return { ...upTo, label: vscode.workspace.asRelativePath(document.uri), text: `${upTo.text}<insert here>\n${rest}` };
}

function aborted(): Failure {
  return failureOf(new ServiceError('aborted', 'Nothing was asked.', { code: 'aborted' }));
}
