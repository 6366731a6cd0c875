import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import type { AuditRefusalRow } from '../../../protocol/audit/auditMessages.ts';
import type { AuditAsked, AuditRefusal } from '../../../protocol/audit/auditValues.ts';
import type { AuditEntryOf } from '../../../send/audit.ts';
import { type StampedEntry, timeOf } from './rows.ts';

const t = vscode.l10n.t;

/** Returns the rows of requests that were refused at the gate, oldest first. */
export function refusalRows(records: readonly StampedEntry[]): readonly AuditRefusalRow[] {
  return records.flatMap((record) => {
    if (record.kind !== 'refused') return [];
    const { time, action, count } = record;
    return [{ at: timeOf(time), action, reason: asText(reasonText(record)), count }];
  });
}

function reasonText({ reason, settings = [], asked = [], request }: AuditEntryOf<'refused'>): string {
  const more = [...settings, ...asked.map(askedWords), ...(request === undefined ? [] : [t('before a retry')])];
  const words = reasonWords(reason);
  return more.length === 0 ? words : `${words} (${more.join(', ')})`;
}

function reasonWords(reason: AuditRefusal): string {
  const words: Readonly<Record<AuditRefusal, string>> = {
    untrusted: t('the workspace is not trusted'),
    'policy-unusable': t('the managed policy cannot be used'),
    'feature-disabled': t('turned off by the managed policy'),
    policy: t('not allowed by the managed policy'),
    'settings-conflict': t('two settings conflict'),
    'settings-invalid': t('a setting is not valid'),
    'settings-file': t('a settings file cannot be read'),
    'no-address': t('no address is set'),
    'no-key': t('no API key'),
    excluded: t('a file is excluded'),
    'not-recognized': t('excluded files are not recognized yet'),
    'outside-workspace': t('a file is outside the workspace'),
    'not-masked': t('secrets could not be masked'),
    'too-large': t('too large'),
    'too-long': t('larger than the context window of the model'),
    changed: t('changed before a retry'),
    declined: t('declined by the user'),
    stopped: t('stopped before it was sent'),
    'preview-required': t('a preview is required, which inline suggestions cannot show'),
    'not-recorded': t('the audit log could not be written'),
    'not-delivered': t('the collector cannot be reached'),
    'day-limit': t('a daily limit of the managed policy is reached'),
    fault: t('a check could not be completed'),
  };
  return words[reason];
}

function askedWords(asked: AuditAsked): string {
  const words: Readonly<Record<AuditAsked, string>> = {
    secrets: t('secrets found'),
    'excluded-content': t('text of excluded files found'),
    address: t('a different address'),
    'changed-form': t('sent again in a different form'),
    preview: t('preview'),
  };
  return words[asked];
}
