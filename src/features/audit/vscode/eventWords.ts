import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import { describeBytes, describeNumber } from '../../../platform/messages/describeNumber.ts';
import { toolStateWords } from '../../../platform/messages/toolStateWords.ts';
import type { AuditEventRow } from '../../../protocol/audit/auditMessages.ts';
import type { AuditEntryOf } from '../../../send/audit.ts';
import type { ToolEntry } from '../../../session/tools/toolbox.ts';
import { type StampedEntry, timeOf } from './rows.ts';

const t = vscode.l10n.t;

/** Describes the recorded events other than requests and refusals, oldest first. */
export function eventRows(records: readonly StampedEntry[]): readonly AuditEventRow[] {
  return records.flatMap((record) => {
    const text = eventWords(record);
    return text === null ? [] : [{ at: timeOf(record.time), text: asText(text) }];
  });
}

function eventWords(record: StampedEntry): string | null {
  switch (record.kind) {
    case 'request-intent':
    case 'request-outcome':
    case 'refused':
      return null;
    case 'session-started':
      return t(
        'Log session started: {0}',
        Object.entries(record.versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(', '),
      );
    case 'tool-call':
      return t(
        'Tool call: {0}',
        [record.tool, decisionWords(record.decision), outcomeWords(record.outcome), describeBytes(record.bytes)]
          .filter((words) => words !== '')
          .join(', '),
      );
    case 'code-accepted':
      return t('Code accepted: {0}, lines added {1}, removed {2}', record.language, record.added, record.removed);
    case 'key-set':
      return t('API key for {0} set', record.origin);
    case 'key-removed':
      return t('API key for {0} removed', record.origin);
    case 'policy-changed':
      return t('Managed policy changed: {0}', [stateWords(record.state), record.digest ?? ''].join(' ').trim());
    case 'log-exported':
      return t('Log exported as {0}, records: {1}', record.format, describeNumber(record.records));
    case 'log-verified':
      return t(
        'Log verified: {0}, records: {1}',
        record.verdict === 'intact' ? t('intact') : t('changed'),
        describeNumber(record.records),
      );
    case 'data-purged':
      return t('Local data deleted: conversations {0}, keys {1}', record.conversations, record.keys);
    case 'changes-accept':
      return acceptWords(record);
    case 'changes-written':
      return writtenWords(record);
    case 'changes-rejected':
      return t('Changes rejected: files {0}', record.files);
    case 'changes-undone':
      return t('Changes undone: files {0}, left alone {1}', record.files, record.leftAlone);
  }
}

function acceptWords(record: AuditEntryOf<'changes-accept'>): string {
  return t(
    'Changes accepted: files {0} (new {1}, deleted {2}, renamed {3}), diffs shown {4}, lines added {5}, removed {6}',
    describeNumber(record.files),
    describeNumber(record.created),
    describeNumber(record.deleted),
    describeNumber(record.renamed),
    describeNumber(record.shown),
    describeNumber(record.added),
    describeNumber(record.removed),
  );
}

function writtenWords({ files, outcome }: AuditEntryOf<'changes-written'>): string {
  switch (outcome) {
    case 'complete':
      return t('Changes written: files {0}', files);
    case 'partly':
      return t('Changes written in part, then stopped by an error: files {0}', files);
    case 'failed':
      return t('Changes not written because of an error');
  }
}

function decisionWords(decision: ToolEntry['decision']): string {
  switch (decision) {
    case 'once':
      return t('allowed once');
    case 'conversation':
      return t('allowed in this conversation');
    case 'denied':
    case 'none':
      return '';
  }
}

function outcomeWords(outcome: ToolEntry['outcome']): string {
  return outcome === 'done' ? '' : toolStateWords(outcome);
}

/** A state that this version does not know is shown unchanged. */
function stateWords(state: string): string {
  switch (state) {
    case 'in-force':
      return t('active');
    case 'none':
      return t('none');
    case 'broken':
      return t('cannot be used');
    default:
      return state;
  }
}
