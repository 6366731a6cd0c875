// Loaded with a stand-in for VS Code: the tools of a conversation with proposed changes.
import { ConversationChanges } from '../../../../src/features/edits/vscode/changes/conversationChanges.ts';
import { ProposedChanges } from '../../../../src/features/edits/vscode/changes/proposedChanges.ts';
import { ownTools } from '../../../../src/features/tools/vscode/own/ownTools.ts';
import { ToolRefusal } from '../../../../src/features/tools/vscode/own/place.ts';
import type { ToolOutput } from '../../../../src/session/tools/toolStep.ts';
import { noTasks } from '../../../tools/noTasks.ts';

export function propose(): ProposedChanges {
  const changes = new ConversationChanges();
  return new ProposedChanges({ changes, isAttached: () => true, source: () => ({}), onDidPropose: () => undefined });
}

export async function run(name: string, input: object, proposed: ProposedChanges): Promise<ToolOutput> {
  try {
    const output = await ownTools.get(name)?.run({ ...input }, new AbortController().signal, proposed, noTasks);
    return output ?? { text: 'no such tool' as ToolOutput['text'], attachments: [] };
  } catch (error) {
    if (error instanceof ToolRefusal) return { text: error.words, attachments: error.attachments };
    throw error;
  }
}
