import * as vscode from 'vscode';
import { forgetWords } from '../../../../platform/commands/askWords.ts';
import type { ApiKeyStore } from '../../../../platform/keys/apiKeyStore.ts';
import { forgetAnswerEnds } from '../../../../platform/messages/answerEnds.ts';
import { describeNumber } from '../../../../platform/messages/describeNumber.ts';
import type { Outcomes } from '../../../../platform/messages/outcomes.ts';
import { showWarning } from '../../../../platform/messages/show.ts';
import type { Session } from '../../../../session/session.ts';
import type { AuditService } from '../../../audit/vscode/auditService.ts';
import type { ProjectInstructions } from '../../../context/vscode/attachments/projectInstructions.ts';
import type { Provenance } from '../../../provenance/vscode/provenance.ts';
import type { ChatViewProvider } from '../chatViewProvider.ts';
import { countHistory, purgeHistory } from '../history/history.ts';

const t = vscode.l10n.t;

interface PurgeServices {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly session: Session;
  readonly view: ChatViewProvider;
  readonly instructions: ProjectInstructions;
  readonly keys: ApiKeyStore;
  readonly audit: AuditService;
  readonly provenance: Provenance;
  readonly outcomes: Outcomes;
}

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
 * Removes conversations and the draft of this window from this machine and, if the user agrees, keys and audit logs. Audit
 * logs are evidence, so the user is always asked about them, regardless of the caller.
 */
export async function purgeLocalData(services: PurgeServices, options?: PurgeOptions): Promise<Purged> {
  const { context, log, session, view, instructions, keys, audit, provenance } = services;
  const chosen = options === undefined ? await ask(services) : await mayPurge(services, options);
  if (chosen === undefined) return { ok: false, conversations: 0, keys: 0, auditFiles: 0 };
  if (chosen.audit === true) await audit.requireDelivered();
  session.newConversation();
  const conversations = await purgeHistory(context.globalStorageUri, log);
  await view.forgetDraft();
  forgetWords();
  await forgetAnswerEnds();
  await instructions.forget();
  await provenance.purge();
  const origins = chosen.keys === true ? await keys.removeAll() : [];
  const removed = origins.length;
  const auditFiles = chosen.audit === true ? await audit.purge(chosen.keys === true) : 0;
  // The removal is recorded even if the log was purged: these are the first entries of the new log.
  for (const origin of origins) await audit.note({ kind: 'key-removed', origin });
  await audit.note({ kind: 'data-purged', conversations, keys: removed });
  services.outcomes.info(
    t('Deleted: conversations {0}, drafts, keys {1}, audit log files {2}.', conversations, removed, auditFiles),
  );
  return { ok: true, conversations, keys: removed, auditFiles };
}

async function ask(services: PurgeServices): Promise<PurgeOptions | undefined> {
  const counts = await count(services);
  const items = [
    { label: t('API keys'), description: describeNumber(counts.keys), id: 'keys' as const },
    {
      label: t('Audit logs'),
      description: describeNumber(counts.auditFiles),
      detail: t('You may be required to keep audit logs as evidence.'),
      id: 'audit' as const,
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Conversations and drafts will be deleted. What else do you want to delete?'),
    placeHolder: t('Select nothing to delete only conversations and drafts'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  const has = (id: 'keys' | 'audit'): boolean => chosen.some((item) => item.id === id);
  const options = { keys: has('keys'), audit: has('audit') };
  return (await confirm(counts, options)) ? options : undefined;
}

async function mayPurge(services: PurgeServices, options: PurgeOptions): Promise<PurgeOptions | undefined> {
  return options.audit !== true || (await confirm(await count(services), options)) ? options : undefined;
}

type Counts = Omit<Purged, 'ok'>;

/** Counts the items that are stored for this user on this machine, in all workspaces. */
async function count({ context, log, keys, audit }: PurgeServices): Promise<Counts> {
  return {
    conversations: await countHistory(context.globalStorageUri, log),
    // A key of the environment or of a credential helper is not stored.
    keys: keys.sources.slots.length,
    auditFiles: await audit.countFiles(),
  };
}

async function confirm({ conversations, keys, auditFiles }: Counts, options: PurgeOptions): Promise<boolean> {
  const yes = t('Delete');
  const lines = [
    t('Conversations in all workspaces, with the draft of this window: {0}', describeNumber(conversations)),
    ...(options.keys === true ? [t('API keys: {0}', describeNumber(keys))] : []),
    ...(options.audit === true ? [t('Audit log files of all windows: {0}', describeNumber(auditFiles))] : []),
    t('Only data of your user account on this machine is deleted. This cannot be undone.'),
  ];
  const message = t('Delete your local data of Svc Coder?');
  return (await showWarning(message, { modal: true, detail: lines.join('\n') }, yes)) === yes;
}
