import * as vscode from 'vscode';
import { askWhereToExport, type ExportForm, type ExportOptions } from '../../../../platform/commands/exportFile.ts';
import { isKept, mayLeaveAFile } from '../../../../platform/confirm/keptOnDisk.ts';
import { describeLayer } from '../../../../platform/messages/describePolicy.ts';
import type { Outcomes } from '../../../../platform/messages/outcomes.ts';
import { toolStateWords } from '../../../../platform/messages/toolStateWords.ts';
import type { RequestContextReader } from '../../../../platform/settings/requestContextReader.ts';
import { allTurns } from '../../../../session/conversation/branches.ts';
import {
  conversationAsJson,
  conversationAsMarkdown,
  type ExportWords,
} from '../../../../session/conversation/exportConversation.ts';
import { maskedConversation } from '../../../../session/conversation/maskedExport.ts';
import type { Session } from '../../../../session/session.ts';
import { receiptLabel } from '../../../compliance/vscode/describeReceipt.ts';

const t = vscode.l10n.t;

/**
 * Writes the shown conversation, with posture and receipt of each turn and with its secrets masked, to a file that the
 * user chooses. Under zero retention the user must confirm first.
 */
export async function exportConversation(
  {
    session,
    contextReader,
    outcomes,
  }: { readonly session: Session; readonly contextReader: RequestContextReader; readonly outcomes: Outcomes },
  options?: ExportOptions<'markdown' | 'json'>,
): Promise<{ readonly ok: boolean }> {
  const { conversation } = session;
  if (conversation.turns.length === 0) {
    outcomes.info(t('There is no conversation to export.'));
    return { ok: false };
  }
  if (!isKept(contextReader, allTurns(conversation)) && !(await mayLeaveAFile(keptNowhere()))) return { ok: false };
  const place = await askWhereToExport(exportForm(), options);
  if (place === undefined) return { ok: false };
  const masked = await maskedConversation(conversation, await import('../../../../gate/secrets/scanner.ts'));
  await place.write(
    place.format === 'json' ? conversationAsJson(masked) : conversationAsMarkdown(masked, exportWords()),
  );
  outcomes.info(t('The conversation was exported to {0}.', place.path), ...place.reveal);
  return { ok: true };
}

function keptNowhere(): string {
  return t('Zero retention is or may be on, so this conversation is not saved. An exported file stays on the disk.');
}

function exportForm(): ExportForm<'markdown' | 'json'> {
  return {
    title: t('Export the conversation'),
    formats: [
      { label: 'Markdown', detail: t('To read or share'), format: 'markdown', name: 'svc-conversation.md' },
      { label: 'JSON', detail: t('To import into other programs'), format: 'json', name: 'svc-conversation.json' },
    ],
  };
}

function exportWords(): ExportWords {
  return {
    untitled: t('Conversation'),
    question: t('Question'),
    answer: t('Answer'),
    attached: t('Attached:'),
    tool: t('Tool:'),
    model: t('Model'),
    state: t('State'),
    finishReason: t('Finish reason'),
    requestId: t('Request'),
    tokens: t('Tokens'),
    masked: t('Secrets masked'),
    columns: [t('Header'), t('Requested'), t('Set by'), t('Reported by the service'), t('Result')],
    receipt: t('Receipt of the service:'),
    summary: (turns) => (turns === 1 ? t('Summary of 1 turn') : t('Summary of {0} turns', turns)),
    nothing: t('nothing'),
    time: (epochMs) => new Date(epochMs).toLocaleString(vscode.env.language),
    status: statusWords,
    layer: describeLayer,
    verdict: receiptLabel,
    step: toolStateWords,
  };
}

const statusWords: ExportWords['status'] = (status) => {
  switch (status) {
    case 'complete':
      return t('complete');
    case 'interrupted':
      return t('interrupted');
    case 'stopped':
      return t('stopped');
    case 'failed':
      return t('failed');
    case 'confirming':
    case 'calling':
    case 'waiting':
    case 'retrying':
    case 'streaming':
      return t('still running');
  }
};
