import * as vscode from 'vscode';
import { describeBytes, describeNumber } from '../../../platform/messages/describeNumber.ts';
import { errorName } from '../../../platform/messages/errorName.ts';
import type { DeliveryStatus } from '../../../store/audit/delivery/delivery.ts';

const t = vscode.l10n.t;

/** Returns a sentence about the days for which the policy keeps logs, or an empty array if it sets no number. */
export function keptWords(days: number | undefined): readonly string[] {
  if (days === undefined) return [];
  const format = new Intl.NumberFormat(vscode.env.language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  return [t('The managed policy sets how long the logs of closed windows are kept: {0}.', format.format(days))];
}

/** Returns sentences about the delivery of the log, or an empty array if no collector is configured. */
export function deliveryWords(status: DeliveryStatus | null): readonly string[] {
  if (status === null) return [];
  const { backlog, host, failure, rejected } = status;
  return [
    backlog === 0
      ? t('Everything has been delivered to {0}.', host)
      : t('Not yet delivered to {0}: {1}.', host, describeBytes(backlog)),
    ...(failure === undefined ? [] : [t('The last attempt failed: {0}.', errorName(failure))]),
    ...(rejected === 0 ? [] : [t('The collector rejected records: {0}.', describeNumber(rejected))]),
  ];
}
