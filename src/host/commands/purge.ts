import * as vscode from 'vscode';
import type { Session } from '../../session/session.ts';
import type { AuditService } from '../audit/auditService.ts';
import type { ChatViewProvider } from '../chatView/chatViewProvider.ts';
import type { ApiKeyStore } from '../config/apiKeyStore.ts';
import { showInformation, showWarning } from '../messages/show.ts';

const t = vscode.l10n.t;

export interface PurgeParts {
  readonly session: Session;
  readonly view: ChatViewProvider;
  readonly keys: ApiKeyStore;
  readonly audit: AuditService;
  /** Deletes the conversations of all workspaces; returns their number. */
  readonly purgeHistory: () => Promise<number>;
}

export interface Purged {
  readonly ok: boolean;
  readonly conversations: number;
  readonly keys: number;
  readonly auditFiles: number;
}

export interface PurgeOptions {
  readonly keys?: boolean | undefined;
  readonly audit?: boolean | undefined;
}

/**
 * Removes conversations and drafts from this machine and, where the user agrees, keys and audit logs. Audit logs are
 * evidence, so the user is asked about them whoever the caller is.
 */
export async function purgeLocalData(parts: PurgeParts, options?: PurgeOptions): Promise<Purged> {
  const chosen = options === undefined ? await ask() : await mayPurge(options);
  if (chosen === undefined) return { ok: false, conversations: 0, keys: 0, auditFiles: 0 };
  parts.session.newConversation();
  const conversations = await parts.purgeHistory();
  await parts.view.forgetDraft();
  const origins = chosen.keys === true ? await parts.keys.removeAll() : [];
  const keys = origins.length;
  const auditFiles = chosen.audit === true ? await parts.audit.purge() : 0;
  // Recorded even where the log was purged: these are the first entries of the new log.
  for (const origin of origins) await parts.audit.note({ kind: 'key-removed', origin });
  await parts.audit.note({ kind: 'data-purged', conversations, keys });
  void showInformation(
    t('Removed: conversations {0}, drafts, keys {1}, audit files {2}.', conversations, keys, auditFiles),
  );
  return { ok: true, conversations, keys, auditFiles };
}

async function ask(): Promise<PurgeOptions | undefined> {
  const items = [
    { label: t('API keys'), id: 'keys' as const },
    { label: t('Audit logs'), detail: t('They may be evidence that you have to keep.'), id: 'audit' as const },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Conversations and drafts are removed. What else?'),
    placeHolder: t('Choose nothing to remove conversations and drafts alone'),
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
