import * as vscode from 'vscode';
import { commentText } from '../../session/commentText.ts';
import type { Attachment } from '../../session/conversation.ts';
import { generateParts } from '../../session/prompts.ts';
import { attachRange } from '../attachCode.ts';
import { type Proposed, type ProposeParts, propose } from '../edits/propose.ts';
import { insertTarget } from '../edits/target.ts';
import { notAsked } from './attempt.ts';

const t = vscode.l10n.t;

/** Lines of the file that go along, before and after the place the code is for. */
const linesAround = 150;

/**
 * Asks what to write (a selected comment says it already) and proposes the code, at each cursor. A document that cannot
 * be changed is refused before anything is asked.
 */
export async function generateCode(
  parts: ProposeParts,
  options?: { readonly instruction?: string },
): Promise<Proposed> {
  const editor = vscode.window.activeTextEditor;
  const target = insertTarget(editor);
  if (target.kind === 'document' && !(await parts.proposals.canChange(target.document))) return notAsked();
  const instruction = options?.instruction ?? (await askInstruction(editor));
  if (instruction === undefined || instruction.trim() === '') return notAsked();
  const first = target.kind === 'document' ? (target.places[0]?.start ?? 0) : 0;
  const around = editor === undefined ? null : attachAround(editor.document, first);
  const languageId = editor?.document.languageId ?? 'plaintext';
  return propose(parts, {
    target,
    isSameEverywhere: true,
    outgoing: {
      action: 'generate',
      messages: [{ role: 'user', parts: generateParts(instruction, languageId, around), secrets: 'ask' }],
      modelKey: 'svc.model.code',
      folders: around?.folder == null ? [] : [around.folder],
    },
  });
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
