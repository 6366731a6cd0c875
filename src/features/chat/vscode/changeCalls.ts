import type { CallHandlers } from '../../../platform/pages/channel.ts';
import type { PanelCalls } from '../../../protocol/panelCalls.ts';
import type { PanelChanges } from '../../edits/vscode/changes/panelChanges.ts';
import type { PanelMessages } from './panelMessages.ts';

interface ChangeParts {
  readonly changes: PanelChanges;
  readonly messages: Pick<PanelMessages, 'answering'>;
}

type ChangeCalls = 'openChange' | 'decideChange' | 'carryOverChange' | 'decideChanges' | 'undoChanges' | 'closeChanges';

/** The calls of the panel about proposed changes. */
export function changeCalls(parts: () => ChangeParts): Pick<CallHandlers<PanelCalls>, ChangeCalls> {
  const answering = (work: (changes: PanelChanges) => Promise<void>): Promise<void> => {
    const { changes, messages } = parts();
    return messages.answering(() => work(changes));
  };
  return {
    openChange: ({ id }) => answering((changes) => changes.open(id)),
    decideChange: ({ id, version, decision }) => answering((changes) => changes.decide(id, version, decision)),
    carryOverChange: ({ id, version }) => answering((changes) => changes.carryOver(id, version)),
    decideChanges: ({ shown, decision }) => answering((changes) => changes.decideAll(decision, shown)),
    undoChanges: ({ shown }) => answering(async (changes) => void (await changes.undo(shown))),
    closeChanges: () => parts().changes.close(),
  };
}
