import * as vscode from 'vscode';
import { useCode } from '../../../../src/host/edits/useCode.ts';
import type { Turn } from '../../../../src/session/conversation/conversation.ts';
import { parse } from '../../../../src/webview/markdown/parser.ts';
import type { OwnParts } from '../../../integration/suite/ownParts.ts';
import type { Outcome } from './jobs.ts';
import { Taken } from './taken.ts';

/** Blocks that the user does not apply to a file: what to type, and what is printed. */
const notForFiles = /^(?:ba|z|fi)?sh$|^(?:shell|console|terminal|powershell|text|txt|plaintext|output|log)\b/i;

/** The blocks of an answer as the page shows them. */
function blocksOf(answer: string): readonly { readonly info: string; readonly text: string }[] {
  return parse(answer)
    .tokens.filter(({ type }) => type === 'fence')
    .map(({ info, content }) => ({ info, text: content }));
}

/** Applies each block of an answer that has code for a file, one after the other. */
export async function applied(turn: Turn, own: OwnParts): Promise<Pick<Outcome, 'placed' | 'refusal'>> {
  const blocks = blocksOf(turn.answer).filter(({ info }) => !notForFiles.test(info.trim().split(/\s/)[0] ?? ''));
  let placed: Outcome['placed'] = null;
  let refusal = blocks.length === 0 ? 'no block' : '';
  for (const { info, text } of blocks) {
    const taken = new Taken();
    try {
      await useCode(taken as never, own.contextReader, [turn], { turnId: turn.id, way: 'apply', info, text });
    } catch (error) {
      refusal = error instanceof Error ? error.message : String(error);
    }
    const { proposed } = taken;
    if (proposed === null) continue;
    // Of several files, the first is the one that was asked about.
    placed = placed === null || placed.path === proposed.path ? proposed : placed;
    await write(proposed);
  }
  return { placed, refusal };
}

/** Accepted, so that the next block is applied to it. */
async function write({ path, text }: NonNullable<Outcome['placed']>): Promise<void> {
  const document = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'file' && vscode.workspace.asRelativePath(uri, false) === path,
  );
  if (document === undefined) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
}
