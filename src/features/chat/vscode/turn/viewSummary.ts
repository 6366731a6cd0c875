import * as vscode from 'vscode';
import { describeNumber } from '../../../../platform/messages/describeNumber.ts';
import type { SummaryView } from '../../../../protocol/turnView.ts';
import type { Summary } from '../../../../session/conversation/summary.ts';
import { viewReceipt } from '../../../compliance/vscode/describeReceipt.ts';
import { viewContentLeftOut, viewLeftOut } from './describeFit.ts';

const t = vscode.l10n.t;

export function viewSummary(summary: Summary): SummaryView {
  const { text, turns, shortened, contentLeftOut } = summary;
  const receipt = viewReceipt(summary);
  return {
    text,
    label:
      turns === 1
        ? t('Summary of 1 turn, sent instead of it. Your question is still sent word for word.')
        : t(
            'Summary of {0} turns, sent instead of them. Your questions are still sent word for word.',
            describeNumber(turns),
          ),
    footer: footerOf(summary),
    ...(shortened === undefined ? {} : { leftOut: viewLeftOut(shortened) }),
    ...(contentLeftOut === undefined ? {} : { contentLeftOut: viewContentLeftOut(contentLeftOut) }),
    ...(receipt === null ? {} : { receipt }),
  };
}

/** The text of a turn that waits while earlier turns are summarized. */
export function summarizingWords(turns: number): string {
  return turns === 1 ? t('Summarizing 1 turn…') : t('Summarizing {0} turns…', describeNumber(turns));
}

function footerOf({ model, usage, masked = 0, isEdited }: Summary): string {
  const parts = [
    isEdited ? t('edited') : '',
    model,
    usage?.totalTokens === undefined ? '' : t('{0} tokens', describeNumber(usage.totalTokens)),
    masked === 0 ? '' : t('secrets masked: {0}', masked),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
