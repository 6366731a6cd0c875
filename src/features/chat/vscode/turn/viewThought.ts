import * as vscode from 'vscode';
import { describeBytes, describeNumber } from '../../../../platform/messages/describeNumber.ts';
import type { ThoughtView } from '../../../../protocol/turnView.ts';
import { maxThinkingBytes, type Thinking } from '../../../../session/conversation/thinking.ts';

const t = vscode.l10n.t;

/** The line above the thinking of a model. */
export function viewThought({ ms, since, isCut }: Thinking): ThoughtView {
  return {
    label: since === undefined ? timeWords(Math.round(ms / 1000)) : t('Thinking…'),
    isOpen: since !== undefined,
    ...(isCut ? { rest: t('The limit is {0}. The rest is not shown.', describeBytes(maxThinkingBytes)) } : {}),
  };
}

function timeWords(seconds: number): string {
  // The thinking came in one piece with the answer, so that its duration is unknown.
  if (seconds === 0) return t('Thought process');
  if (seconds < 60) return t('Thought for {0} s', describeNumber(seconds));
  return t('Thought for {0} min {1} s', describeNumber(Math.floor(seconds / 60)), describeNumber(seconds % 60));
}
