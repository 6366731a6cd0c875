import * as vscode from 'vscode';
import { purgeHistory } from '../history/history.ts';
import { showInformation, showWarning } from '../messages/show.ts';
import type { Services } from '../services.ts';

const t = vscode.l10n.t;

type PurgeServices = Pick<
  Services,
  'context' | 'log' | 'session' | 'view' | 'instructions' | 'keys' | 'audit' | 'provenance'
>;

interface Purged {
  readonly ok: boolean;
  readonly conversations: number;
  readonly keys: number;
  readonly auditFiles: number;
}

interface PurgeOptions {
  readonly keys?: boolean | undefined;
  readonly audit?: boolean | undefined;
}

/**
 * Removes conversations and drafts from this machine and, where the user agrees, keys and audit logs. Audit logs are
 * evidence, so the user is always asked about them, regardless of the caller.
 */
export async function purgeLocalData(services: PurgeServices, options?: PurgeOptions): Promise<Purged> {
  const { context, log, session, view, instructions, keys, audit, provenance } = services;
  const chosen = options === undefined ? await ask() : await mayPurge(options);
  if (chosen === undefined) return { ok: false, conversations: 0, keys: 0, auditFiles: 0 };
  if (chosen.audit === true) await audit.requireDelivered();
  session.newConversation();
  const conversations = await purgeHistory(context.globalStorageUri, log);
  await view.forgetDraft();
  await instructions.forget();
  await provenance.purge();
  const origins = chosen.keys === true ? await keys.removeAll() : [];
  const removed = origins.length;
  const auditFiles = chosen.audit === true ? await audit.purge(chosen.keys === true) : 0;
  // Recorded even where the log was purged: these are the first entries of the new log.
  for (const origin of origins) await audit.note({ kind: 'key-removed', origin });
  await audit.note({ kind: 'data-purged', conversations, keys: removed });
  void showInformation(
    t('Deleted: conversations {0}, drafts, keys {1}, audit log files {2}.', conversations, removed, auditFiles),
  );
  return { ok: true, conversations, keys: removed, auditFiles };
}

async function ask(): Promise<PurgeOptions | undefined> {
  const items = [
    { label: t('API keys'), id: 'keys' as const },
    { label: t('Audit logs'), detail: t('You may be required to keep audit logs as evidence.'), id: 'audit' as const },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Conversations and drafts will be deleted. What else do you want to delete?'),
    placeHolder: t('Select nothing to delete only conversations and drafts'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  const isAgreed = await confirm([t('conversations, drafts'), ...chosen.map(({ label }) => label)]);
  if (!isAgreed) return undefined;
  return { keys: chosen.some(({ id }) => id === 'keys'), audit: chosen.some(({ id }) => id === 'audit') };
}

async function mayPurge(options: PurgeOptions): Promise<PurgeOptions | undefined> {
  if (options.audit !== true) return options;
  const parts = [t('conversations, drafts'), ...(options.keys === true ? [t('API keys')] : []), t('Audit logs')];
  return (await confirm(parts)) ? options : undefined;
}

async function confirm(parts: readonly string[]): Promise<boolean> {
  const yes = t('Remove');
  const message = t('Remove {0} from this machine? This cannot be undone.', parts.join(', '));
  return (await showWarning(message, { modal: true }, yes)) === yes;
}
