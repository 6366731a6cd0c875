import * as vscode from 'vscode';
import type { ReceiptView } from '../../protocol/turnView.ts';
import type { Receipt } from '../../session/conversation/receipt.ts';
import { showLastingError } from '../messages/show.ts';

const t = vscode.l10n.t;

/**
 * The receipt of a turn as text. It states what was requested and what the service reports, and never claims
 * compliance.
 */
export function viewReceipt({ verdict, headers, text }: Receipt): ReceiptView {
  return {
    verdict,
    label: receiptLabel(verdict),
    headers: headers.map(({ said, ...header }) => ({ ...header, said: said ?? t('nothing') })),
    text,
  };
}

export function receiptLabel(verdict: Receipt['verdict']): string {
  switch (verdict) {
    case 'confirmed':
      return t('Requested, and confirmed by the service');
    case 'not-confirmed':
      return t('Requested, not confirmed by the service');
    case 'contradicted':
      return t('Requested, contradicted by the service');
  }
}

/** Warns about a contradicted receipt of a request outside the panel: the user must not miss this verdict. */
export function warnIfContradicted({ verdict, headers }: Receipt): void {
  if (verdict !== 'contradicted') return;
  const contradicted = headers.filter((header) => header.verdict === 'contradicted');
  const lines = contradicted.map(({ name, requested, said }) =>
    t('{0}: requested {1}, the service says {2}', name, requested, said ?? t('nothing')),
  );
  const words = `${receiptLabel(verdict)}. ${lines.join('; ')}`;
  void showLastingError(words, t('Show Compliance Settings'), 'svc.showPosture');
}
