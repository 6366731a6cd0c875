import * as vscode from 'vscode';
import type { ReadOnlyDocuments } from '../../../platform/confirm/readOnlyDocument.ts';
import { describeBytes } from '../../../platform/messages/describeNumber.ts';
import { escapeHidden } from '../../../platform/messages/foreignText.ts';
import { toolStateWords } from '../../../platform/messages/toolStateWords.ts';
import type { ToolStepView } from '../../../protocol/turnView.ts';
import { quote } from '../../../send/message/quote.ts';
import type { Turn } from '../../../session/conversation/turn.ts';

import { bytesOf, type ToolStep } from '../../../session/tools/toolStep.ts';
import { callWords } from './callWords.ts';
import { ownTools } from './own/ownTools.ts';

const t = vscode.l10n.t;

/** The maximum length in characters of a result in the panel. The full result opens in an editor. */
const maxShown = 2_000;

/** A tool call in the form that the panel shows. */
export function viewStep(step: ToolStep): ToolStepView {
  const { id, at, state, input, output, isOnlyOnce, question: detail, asked } = step;
  const { words, areComplete } = callWords(step);
  const result = output === undefined ? undefined : resultText(step);
  return {
    id,
    title: words.charAt(0).toLocaleUpperCase(vscode.env.language) + words.slice(1),
    ...(state === 'asking' ? { question: t('Svc wants to {0}', words) } : {}),
    ...(isOnlyOnce === undefined ? {} : { isOnlyOnce }),
    ...(detail === undefined ? {} : { detail }),
    ...(asked === undefined ? {} : { asked }),
    ...(areComplete ? {} : { showsInput: true as const }),
    state,
    at,
    note: noteOf(step),
    input: escapeHidden(JSON.stringify(input, null, 2)),
    ...(result === undefined ? {} : { result: result.slice(0, maxShown).toWellFormed() }),
    ...(result !== undefined && result.length > maxShown ? { hasMore: true } : {}),
  };
}

function noteOf(step: ToolStep): string {
  const { state, allowed, output, name } = step;
  if (state !== 'done') return toolStateWords(state);
  if (ownTools.get(name)?.proposes) return t('proposed');
  const parts = [
    allowedWords(allowed),
    describeBytes(bytesOf(step)),
    output?.cutFrom === undefined ? '' : t('cut, there were {0}', describeBytes(output.cutFrom)),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Returns an empty text for a call that ran without a question. */
function allowedWords(allowed: ToolStep['allowed']): string {
  switch (allowed) {
    case 'conversation':
      return t('allowed in this conversation');
    case 'once':
      return t('allowed once');
    case undefined:
      return '';
  }
}

export function withoutToolsWords(model: string): string {
  return t('Tools are not used: {0} does not support them.', model);
}

/** The result that the model receives, before secrets are masked. */
function resultText({ output }: ToolStep): string {
  const { text, attachments } = output ?? { text: '', attachments: [] };
  return [text, ...attachments.map(quote)].filter((part) => part !== '').join('\n\n');
}

/** Opens the full result that the model received. */
export async function showToolResult(
  documents: ReadOnlyDocuments,
  turns: readonly Turn[],
  { turnId, stepId }: { readonly turnId: string; readonly stepId: string },
): Promise<void> {
  const step = turns.find(({ id }) => id === turnId)?.answer.steps.find(({ id }) => id === stepId);
  if (step !== undefined) await documents.show(`${t('Tool Result')}.txt`, resultText(step));
}
