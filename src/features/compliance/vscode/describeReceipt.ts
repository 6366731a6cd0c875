import * as vscode from 'vscode';
import { showLastingError } from '../../../platform/messages/show.ts';
import type { ReceiptView } from '../../../protocol/turnView.ts';
import type { AuditHeader } from '../../../send/audit.ts';
import type { Receipt, ReceiptHeader } from '../../../send/message/receipt.ts';
import type { Summary } from '../../../session/conversation/summary.ts';

const t = vscode.l10n.t;

/**
 * Returns the receipt of a turn as text, or null before a request was admitted. It states what was requested and what the
 * service reports, and never claims compliance.
 */
export function viewReceipt({ receipt, requested = [], requestId }: ReceiptSource): ReceiptView | null {
  const facts = requestId === undefined ? [] : [{ name: t('Request ID'), value: requestId }];
  const headers = receipt?.headers ?? requested.map(unreported);
  if (receipt === undefined && facts.length + headers.length === 0) return null;
  return {
    ...(receipt === undefined ? {} : { verdict: receipt.verdict }),
    label: receipt === undefined ? t('Request Details') : receiptLabel(receipt.verdict),
    facts,
    headers: headers.map(({ said, ...header }) => ({ ...header, said: said ?? t('nothing') })),
    contradictions: contradictionsIn(headers),
    text: receipt?.text ?? '',
  };
}

type ReceiptSource = Pick<Summary, 'receipt' | 'requested' | 'requestId'>;

/** Returns the row of a header if the answer ended before the service reported anything. */
function unreported({ name, value }: AuditHeader): ReceiptHeader {
  return { name, requested: value, said: null, verdict: 'not-confirmed' };
}

/** Returns a sentence for each header that the service contradicts. A service that reports nothing contradicts nothing. */
function contradictionsIn(headers: readonly ReceiptHeader[]): readonly string[] {
  return headers
    .filter(({ verdict }) => verdict === 'contradicted')
    .map(({ name, requested, said }) =>
      t('{0}: You asked for {1}; the service reports {2}.', name, requested, said ?? t('nothing')),
    );
}

export function receiptLabel(verdict: Receipt['verdict']): string {
  switch (verdict) {
    case 'confirmed':
      return t('Confirmed by the service');
    case 'not-confirmed':
      return t('Not confirmed by the service');
    case 'contradicted':
      return t('Service reports different settings');
  }
}

/** Warns about a contradicted receipt of a request outside the panel: the user must not miss this verdict. */
export function warnIfContradicted({ verdict, headers }: Receipt): void {
  if (verdict !== 'contradicted') return;
  const words = `${receiptLabel(verdict)}. ${contradictionsIn(headers).join(' ')}`;
  void showLastingError(words, t('Show Compliance Settings'), 'svc.showPosture');
}
