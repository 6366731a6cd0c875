import * as vscode from 'vscode';
import type { ConfirmationChoice, ConfirmSend } from '../../send/confirmation.ts';
import { orAborted } from '../../util/orAborted.ts';
import { asText } from '../messages/asText.ts';
import { describeConfirmation } from './describeConfirmation.ts';
import type { ReadOnlyDocuments } from './readOnlyDocument.ts';
import { showPreview } from './showPreview.ts';

const t = vscode.l10n.t;

interface Choice extends vscode.QuickPickItem {
  readonly choice?: ConfirmationChoice | 'show';
}

/** Asks, outside the panel, whether to send a request. The question stays open while the exact text is shown. */
export function askConfirmation(documents: ReadOnlyDocuments): ConfirmSend {
  return (request, signal) => {
    const { title, found, facts, sendLabel, sendAsIsLabel } = describeConfirmation(request);
    const pick = vscode.window.createQuickPick<Choice>();
    pick.title = title;
    pick.placeholder = asText(facts.map(({ name, value }) => `${name}: ${value}`).join(' · '));
    pick.ignoreFocusOut = true;
    pick.items = [
      { label: `$(send) ${sendLabel}`, choice: 'send-masked' },
      ...(sendAsIsLabel === undefined
        ? []
        : [{ label: `$(warning) ${sendAsIsLabel}`, choice: 'send-as-is' } satisfies Choice]),
      { label: `$(eye) ${t('Show Exact Text')}`, choice: 'show' },
      { label: `$(close) ${t('Cancel')}`, choice: 'cancel' },
      ...(found.length === 0 ? [] : [{ label: t('Found secrets'), kind: vscode.QuickPickItemKind.Separator }]),
      // Choosing a finding shows it in the exact text.
      ...found.map((line): Choice => ({ label: asText(line), choice: 'show' })),
    ];
    const { promise, resolve } = Promise.withResolvers<ConfirmationChoice>();
    pick.onDidAccept(() => {
      const choice = pick.selectedItems[0]?.choice;
      if (choice === 'show') void showPreview(documents, request.preview);
      else if (choice !== undefined) resolve(choice);
    });
    pick.onDidHide(() => resolve('cancel'));
    pick.show();
    return orAborted(promise, signal)
      .catch((): ConfirmationChoice => 'cancel')
      .finally(() => pick.dispose());
  };
}
