import * as vscode from 'vscode';
import type { Preview } from '../../session/dispatch/confirmation.ts';
import { stepDone } from '../chatView/firstSteps.ts';
import { previewPage } from './previewPage.ts';
import type { ReadOnlyDocuments } from './readOnlyDocument.ts';

/** Opens the exact text of a request that has not been sent. */
export async function showPreview(documents: ReadOnlyDocuments, preview: Preview): Promise<void> {
  await documents.show(`${vscode.l10n.t('Request Preview')}.txt`, previewPage(preview));
  stepDone('looked');
}
