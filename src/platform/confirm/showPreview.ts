import * as vscode from 'vscode';
import type { Preview } from '../../send/confirmation.ts';
import type { Turn } from '../../session/conversation/turn.ts';
import { stepDone } from '../messages/firstStep.ts';
import { previewPage } from './previewPage.ts';
import type { ReadOnlyDocuments } from './readOnlyDocument.ts';

/** Opens the exact text of a request that has not been sent. */
export async function showPreview(documents: ReadOnlyDocuments, preview: Preview): Promise<void> {
  await documents.show(`${vscode.l10n.t('Request Preview')}.txt`, previewPage(preview));
  stepDone('looked');
}

/** Opens the exact text of a turn that waits for confirmation. */
export async function showExactText(documents: ReadOnlyDocuments, turns: readonly Turn[], id: string): Promise<void> {
  const state = turns.find((turn) => turn.id === id)?.state;
  if (state?.status === 'confirming') await showPreview(documents, state.request.preview);
}
