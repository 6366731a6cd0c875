import type { Card } from '../../protocol/card.ts';
import { type CommandAction, performAction } from '../messages/actions.ts';
import { actionLabel } from '../messages/cardWords.ts';
import { describeError } from '../messages/errors/describeError.ts';
import type { Outcomes } from '../messages/outcomes.ts';
import { showInformation, showWarning } from '../messages/show.ts';
import { showFailure } from '../messages/withErrorReporting.ts';
import type { ChatViewProvider } from './chatViewProvider.ts';
import { outcomeIds, type PanelMessages } from './panelMessages.ts';

/**
 * Shows the result of a command in the panel while it is visible: a message of VS Code would cover the composer. Shows
 * it in such a message otherwise.
 */
export function panelOutcomes(view: Pick<ChatViewProvider, 'isVisible'>, messages: PanelMessages): Outcomes {
  const saying =
    (id: string, severity: 'info' | 'warning', show: typeof showInformation) =>
    (title: string, ...ids: readonly CommandAction[]): void => {
      const actions = ids.map((id) => ({ id, label: actionLabel(id) }));
      if (view.isVisible) messages.show(id, { severity, title, actions });
      else void offer(show, title, actions);
    };
  return {
    info: saying(outcomeIds.end, 'info', showInformation),
    warning: saying(outcomeIds.warning, 'warning', showWarning),
    failure: (error, host, retry) => {
      if (!view.isVisible) {
        void showFailure(error, host, retry);
        return;
      }
      const card: Card | null = describeError(error, { host, canRetry: false, canContinue: false });
      if (card !== null) messages.show(outcomeIds.end, card);
    },
  };
}

async function offer(
  show: typeof showInformation,
  title: string,
  actions: readonly { readonly id: CommandAction; readonly label: string }[],
): Promise<void> {
  const chosen = await show(title, ...actions.map(({ label }) => label));
  const action = actions.find(({ label }) => label === chosen);
  if (action !== undefined) await performAction(action.id);
}
