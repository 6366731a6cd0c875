import * as vscode from 'vscode';
import { type AnswerBlock, readAnswer } from '../../../../src/edits/reading/answer.ts';
import { isExample } from '../../../../src/edits/reading/candidates.ts';
import { useCode } from '../../../../src/features/edits/vscode/useCode.ts';
import type { Turn } from '../../../../src/session/conversation/turn.ts';
import { parse } from '../../../../src/webview/markdown/parser.ts';
import type { OwnParts } from '../../../integration/suite/ownParts.ts';
import { refuse } from './ask.ts';
import type { Outcome } from './jobs.ts';
import type { Seen } from './questions.ts';
import { Taken } from './taken.ts';

/** Blocks that the user does not apply to a file: what to type, and what is printed. */
const notForFiles = /^(?:ba|z|fi)?sh$|^(?:shell|console|terminal|powershell|text|txt|plaintext|output|log)\b/i;

/** The blocks of an answer as the page shows them, without those that the words above call an example. */
function blocksOf(answer: string): readonly { readonly info: string; readonly text: string }[] {
  const { blocks } = readAnswer(answer);
  const examples = new Set(blocks.filter((block) => blocks.length > 1 && isExample(block)).map(textOf));
  return parse(answer)
    .tokens.filter(({ type, content }) => type === 'fence' && !examples.has(content.trim()))
    .map(({ info, content }) => ({ info, text: content }));
}

function textOf({ lines }: AnswerBlock): string {
  return lines.join('\n').trim();
}

/**
 * Applies each block of an answer that has code for a file, one after the other. A change of a file other than `path` is used
 * only if there is none for `path`: neither do the questions about it.
 */
export async function applied({
  turn,
  path,
  own,
  seen,
}: {
  turn: Turn;
  path: string;
  own: OwnParts;
  seen: Seen;
}): Promise<Pick<Outcome, 'placed' | 'refusal'>> {
  const blocks = blocksOf(turn.answer.text).filter(({ info }) => !notForFiles.test(info.trim().split(/\s/)[0] ?? ''));
  let placed: Outcome['placed'] = null;
  let other: Outcome['placed'] = null;
  let refusal = blocks.length === 0 ? 'no block' : '';
  for (const { info, text } of blocks) {
    const taken = new Taken();
    const sending = { dispatch: own.dispatch, confirmSend: refuse };
    const asked = seen.questions.length;
    try {
      await useCode({ proposals: taken as never, contextReader: own.contextReader, sending }, [turn], {
        turnId: turn.id,
        way: 'apply',
        info,
        text,
      });
    } catch (error) {
      refusal = error instanceof Error ? error.message : String(error);
    }
    const { proposed } = taken;
    if (proposed === null) continue;
    if (proposed.path !== path) {
      other ??= proposed;
      seen.questions.splice(asked);
      continue;
    }
    placed = proposed;
    await write(proposed);
  }
  return { placed: placed ?? other, refusal };
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
