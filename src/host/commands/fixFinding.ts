import * as vscode from 'vscode';
import { rewriteParts } from '../../session/prompts/prompts.ts';
import { type Proposed, type ProposeParts, propose } from '../edits/propose.ts';
import { replaceTarget } from '../edits/target.ts';
import { partOf } from '../sources/attach.ts';
import { documentContent } from '../sources/maker.ts';

/** Lines of context from the file, before and after the lines to change. */
const linesAround = 60;

/** Proposes replacement lines in a document. The only place where reviews use proposals. */
export function proposeFix(parts: ProposeParts) {
  return async (document: vscode.TextDocument, range: vscode.Range, instruction: string): Promise<Proposed> => {
    const made = await documentContent(document, { outside: 'ask' });
    const lines = partOf(made, document, range);
    const last = Math.min(document.lineCount - 1, range.end.line + linesAround);
    const first = new vscode.Position(Math.max(0, range.start.line - linesAround), 0);
    const around = partOf(made, document, new vscode.Range(first, document.lineAt(last).range.end));
    return propose(parts, {
      target: replaceTarget(document, [range]),
      outgoing: {
        action: 'generate',
        messages: [
          { role: 'user', parts: rewriteParts(instruction, document.languageId, lines, around), secrets: 'ask' },
        ],
        modelKey: 'svc.model.code',
        folders: [],
      },
    });
  };
}
