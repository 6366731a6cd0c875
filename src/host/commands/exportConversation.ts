import * as vscode from 'vscode';
import { allTurns } from '../../session/branches.ts';
import { foldersOf } from '../../session/conversation.ts';
import { conversationAsJson, conversationAsMarkdown, type ExportWords } from '../../session/exportConversation.ts';
import type { Session } from '../../session/session.ts';
import { describeLayer } from '../describePolicy.ts';
import { receiptLabel } from '../describeReceipt.ts';
import { toolStateWords } from '../describeTool.ts';
import type { StandingReader } from '../standing.ts';

const t = vscode.l10n.t;

export interface ExportOptions {
  readonly format?: 'markdown' | 'json';
  /** A URI; spares the question. */
  readonly target?: string;
}

/**
 * Writes the shown conversation where the person says, with posture and receipt of each turn. Under zero retention
 * only after they have said that they mean it.
 */
export async function exportConversation(
  session: Session,
  standing: StandingReader,
  options: ExportOptions = {},
): Promise<{ readonly ok: boolean }> {
  const { conversation } = session;
  if (conversation.turns.length === 0) {
    void vscode.window.showInformationMessage(t('There is no conversation to export.'));
    return { ok: false };
  }
  if (standing.retention(foldersOf(allTurns(conversation))) !== 'keep' && !(await mayLeaveAFile()))
    return { ok: false };
  const format = options.format ?? (await askFormat());
  if (format === undefined) return { ok: false };
  const target = options.target === undefined ? await askTarget(format) : vscode.Uri.parse(options.target, true);
  if (target === undefined) return { ok: false };
  const text =
    format === 'json' ? conversationAsJson(conversation) : conversationAsMarkdown(conversation, exportWords());
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  void vscode.window.showInformationMessage(t('The conversation was exported.'));
  return { ok: true };
}

async function mayLeaveAFile(): Promise<boolean> {
  const yes = t('Export All the Same');
  const message = t(
    'Zero retention holds, or may hold: nothing of this conversation is kept. An exported file would be.',
  );
  return (await vscode.window.showWarningMessage(message, { modal: true }, yes)) === yes;
}

async function askFormat(): Promise<ExportOptions['format']> {
  const items = [
    { label: 'Markdown', detail: t('To read'), format: 'markdown' as const },
    { label: 'JSON', detail: t('For other programs'), format: 'json' as const },
  ];
  return (await vscode.window.showQuickPick(items, { title: t('Export the conversation') }))?.format;
}

function askTarget(format: 'markdown' | 'json'): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `svc-conversation.${format === 'json' ? 'json' : 'md'}`;
  return vscode.window.showSaveDialog({
    title: t('Export the conversation'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
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
    finishReason: t('Ended by'),
    requestId: t('Request'),
    tokens: t('Tokens'),
    masked: t('Secrets masked'),
    columns: [t('Header'), t('Requested'), t('Asked for by'), t('The service says'), t('Verdict')],
    receipt: t('Receipt of the service:'),
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
    case 'reviewing':
    case 'calling':
    case 'waiting':
    case 'retrying':
    case 'streaming':
      return t('still going on');
  }
};
