import * as vscode from 'vscode';
import { excludedLines, leftOutLines } from '../../../../platform/confirm/leftOutLines.ts';
import { actionLabel, declaredWords } from '../../../../platform/messages/cardWords.ts';
import { describeNumber } from '../../../../platform/messages/describeNumber.ts';
import { windowLimits, withModelWindow } from '../../../../policy/modelWindows.ts';
import type { Card, CardAction } from '../../../../protocol/card.ts';
import type { LeftOutView } from '../../../../protocol/turnView.ts';
import type { Shortened } from '../../../../send/budget/leftOut.ts';
import type { LeftOutContent } from '../../../../send/excludedContent.ts';
import type { LastRequest } from '../../../../session/conversation/turn.ts';

const t = vscode.l10n.t;

/** The parts of the conversation that a request left out, as a line and one by one. */
export function viewLeftOut({ parts, counts, tokens }: Shortened): LeftOutView {
  const kinds = [
    counted(counts.turn, t('1 turn'), (n) => t('{0} turns', n)),
    counted(counts.attachment, t('1 attachment'), (n) => t('{0} attachments', n)),
    counted(counts.result, t('1 tool result'), (n) => t('{0} tool results', n)),
  ].filter((words) => words !== '');
  return {
    label: t('Left out to stay within the limit: {0} (about {1} tokens)', kinds.join(', '), describeNumber(tokens)),
    parts: leftOutLines(parts),
  };
}

/** Text of excluded files that a request left out, wherever it occurred. */
export function viewContentLeftOut(leftOut: readonly LeftOutContent[]): LeftOutView {
  const files = [...new Set(leftOut.flatMap((one) => one.files))];
  return { label: t('Left out as excluded: text of {0}', files.join(', ')), parts: excludedLines(leftOut) };
}

/** Returns a notice about how the model read the request, or null if the user need not know. */
export function fitNotice({ sentAgain, readsLess, model }: LastRequest): Card | null {
  if (readsLess !== undefined) {
    return {
      severity: 'warning',
      title: t('The model may not have read the beginning of this conversation'),
      detail: t(
        'The service counted {0} tokens of about {1} that were sent. The next questions are kept shorter.',
        describeNumber(readsLess.counted),
        describeNumber(readsLess.sent),
      ),
      actions: [windowAction(model)],
    };
  }
  if (sentAgain === undefined) return null;
  const title =
    sentAgain.window === undefined
      ? t('The question was too long for {0}. It was sent again, shorter', model)
      : t(
          '{0} reads about {1} tokens at most. The question was sent again, shorter',
          model,
          describeNumber(sentAgain.window),
        );
  const { declared } = sentAgain;
  const actions = sentAgain.window === undefined && declared === undefined ? [] : [windowAction(model)];
  if (declared === undefined) return { severity: 'info', title, isQuiet: true, actions };
  return { severity: 'info', title, isQuiet: true, detail: declaredWords(declared), actions };
}

const windowSetting = 'svc.context.windows';

/** Returns the action that sets the window of a model. Not every name can be written in the setting. */
function windowAction(model: string): CardAction {
  return withModelWindow([], model, windowLimits.least) === null
    ? { id: 'openSettings', label: actionLabel('openSettings'), setting: windowSetting }
    : { id: 'setModelWindow', label: actionLabel('setModelWindow') };
}

function counted(count: number, one: string, many: (count: string) => string): string {
  return count === 0 ? '' : count === 1 ? one : many(describeNumber(count));
}
