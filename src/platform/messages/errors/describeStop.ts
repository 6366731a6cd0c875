import * as vscode from 'vscode';
import { maxFailures, turnLimits } from '../../../session/tools/stopRules.ts';
import type { StopCode } from '../../../util/errorKinds.ts';
import type { Words } from '../cardWords.ts';
import { describeNumber } from '../describeNumber.ts';

const t = vscode.l10n.t;

/** Describes a turn that was stopped because of its tool calls. */
export function stopWords(code: StopCode, hasProposed: boolean): Words {
  const kept = hasProposed ? t('What was proposed is kept.') : t('What has arrived is kept.');
  return {
    title: titles[code](),
    detail: `${kept} ${t('Continue lets the model go on, with the same limits again.')}`,
    actions: ['retry'],
  };
}

const titles: Readonly<Record<StopCode, () => string>> = {
  calls: () => t('Stopped: the model made the maximum number of tool calls'),
  requests: () => t('Stopped: the tool calls needed {0} requests', turnLimits.requests),
  tokens: () => t('Stopped: the turn used {0} tokens', describeNumber(turnLimits.tokens)),
  failures: () => t('Stopped: {0} tool calls in a row were refused or failed', maxFailures),
  'same-call': () => t('Stopped: the model made the same tool call four times'),
  circle: () => t('Stopped: the model repeated the same few tool calls'),
};
