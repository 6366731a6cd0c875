import { type CommandAction, type OwnAction, performAction } from '../../../platform/messages/actions.ts';
import { actionLabel } from '../../../platform/messages/cardWords.ts';
import type { Outcomes } from '../../../platform/messages/outcomes.ts';
import type { Hint } from '../../../platform/messages/panelPlace.ts';
import { showInformation, showWarning } from '../../../platform/messages/show.ts';
import { showFailure } from '../../../platform/messages/withErrorReporting.ts';
import type { Card } from '../../../protocol/card.ts';
import type { ChatViewProvider } from './chatViewProvider.ts';
import { outcomeIds, type PanelMessages } from './panelMessages.ts';

/**
 * Shows the result of a command in the panel while it is visible: a message of VS Code would cover the composer. Shows
 * it in such a message otherwise.
 */
export function panelOutcomes(view: Pick<ChatViewProvider, 'isVisible'>, messages: PanelMessages): Outcomes {
  const saying =
    (id: string, severity: 'info' | 'warning', show: typeof showInformation) =>
    (title: string, ...offered: readonly (CommandAction | OwnAction)[]): void => {
      const actions = offered.map((one) => {
        if (typeof one !== 'string') return one;
        return { id: one, label: actionLabel(one), run: () => performAction(one) };
      });
      if (view.isVisible) {
        const card = { severity, title, actions: actions.map(({ id, label }) => ({ id, label })) };
        messages.show(id, card, Object.fromEntries(actions.map(({ id, run }) => [id, run])));
      } else void offer(show, title, actions);
    };
  return {
    info: saying(outcomeIds.end, 'info', showInformation),
    warning: saying(outcomeIds.warning, 'warning', showWarning),
    review: (isComplete, ...told) =>
      isComplete
        ? saying(outcomeIds.review, 'info', showInformation)(...told)
        : saying(outcomeIds.review, 'warning', showWarning)(...told),
    failure: (...about) => void showFailure(...about),
  };
}

/** Shows the error of a command in the panel. */
export function showInPanel(messages: PanelMessages, card: Card, retry: (() => unknown) | undefined): void {
  const again = (): void => {
    messages.dismiss(outcomeIds.end);
    retry?.();
  };
  messages.show(outcomeIds.end, card, retry === undefined ? {} : { retry: again });
}

/** Shows a short note in the panel, until the next action. */
export function hintInPanel(messages: PanelMessages, { words, isWarning = false, button }: Hint): void {
  const actions = button === undefined ? [] : ([{ id: 'reveal', label: button.label }] as const);
  const card = { severity: isWarning ? 'warning' : 'info', isQuiet: true, title: words, actions } as const;
  messages.show(outcomeIds.hint, card, button === undefined ? {} : { reveal: button.run });
}

async function offer(
  show: typeof showInformation,
  title: string,
  actions: readonly { readonly label: string; readonly run: () => unknown }[],
): Promise<void> {
  const chosen = await show(title, ...actions.map(({ label }) => label));
  await actions.find(({ label }) => label === chosen)?.run();
}
