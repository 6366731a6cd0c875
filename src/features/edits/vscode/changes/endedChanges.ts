import * as vscode from 'vscode';
import type { ChangesView } from '../../../../protocol/changesView.ts';
import type { Conversation } from '../../../../session/conversation/conversation.ts';
import { ownTools } from '../../../tools/vscode/own/ownTools.ts';

/**
 * Returns a card for a conversation of which this window has no changes: the proposed ones are gone. Returns undefined if its last
 * answer has proposed none.
 */
export function endedChanges({ turns }: Pick<Conversation, 'turns'>): ChangesView | undefined {
  const steps = turns.at(-1)?.answer.steps ?? [];
  if (!steps.some(({ state, name }) => state === 'done' && ownTools.get(name)?.proposes === true)) return undefined;
  const title = vscode.l10n.t(
    'The proposed changes were in memory and are gone. What you had not accepted was not written.',
  );
  return { shown: { set: '', version: 0 }, title, files: [], canDecide: false, hasOpen: false };
}
