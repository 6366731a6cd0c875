import * as vscode from 'vscode';
import type { ChatClient } from './client/chatStream.ts';
import type { ServiceClient } from './client/serviceClient.ts';
import { PendingAttachments } from './host/attachments/pendingAttachments.ts';
import { AuditService } from './host/audit/auditService.ts';
import { AuditView } from './host/audit/auditView.ts';
import { ChatViewProvider } from './host/chatView/chatViewProvider.ts';
import { FirstSteps } from './host/chatView/firstSteps.ts';
import { PanelMessages } from './host/chatView/panelMessages.ts';
import { askAbout } from './host/commands/chat.ts';
import { proposeFix } from './host/commands/fixFinding.ts';
import type { ApiKeyStore } from './host/config/apiKeyStore.ts';
import type { ManagedPolicyFile } from './host/config/managed.ts';
import { readNetwork, readTimeLimits } from './host/config/networkSettings.ts';
import type { RequestContextReader } from './host/config/requestContextReader.ts';
import { allFolders } from './host/config/settingsReader.ts';
import { areToolsEnabled } from './host/config/toolsEnabled.ts';
import { requireTrust } from './host/config/trust.ts';
import { askConfirmation } from './host/confirm/confirmSend.ts';
import { ReadOnlyDocuments } from './host/confirm/readOnlyDocument.ts';
import { ConnectCommands } from './host/connection/connect.ts';
import { Proposals } from './host/edits/proposals.ts';
import { historyFolder } from './host/history/history.ts';
import { HistoryKeeper } from './host/history/historyKeeper.ts';
import { mayOpenUntitled, maySaveAsNew } from './host/history/keptOnDisk.ts';
import { InlineCompletions } from './host/inlineCompletions/inlineCompletions.ts';
import { InlineCompletionStatus } from './host/inlineCompletions/status.ts';
import type { KnownModels } from './host/languageModel/knownModels.ts';
import type { NextRequest } from './host/posture/nextRequest.ts';
import { whyExcluded, whyFileExcluded } from './host/sources/ignored/exclusions.ts';
import { createDispatch } from './session/dispatch/dispatch.ts';
import { Session } from './session/session.ts';
import { createConversationStore } from './store/conversations/conversations.ts';
import { Lazy } from './util/lazy.ts';

/** What exists from the start: enough for the status bar. */
export interface Start {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly keys: ApiKeyStore;
  readonly managed: ManagedPolicyFile;
  readonly contextReader: RequestContextReader;
  readonly next: NextRequest;
  readonly known: KnownModels;
}

export type Parts = ReturnType<typeof assemble>;

/**
 * settings and secret -> policy -> gate -> client -> session -> view. Assembled on first use; dynamic imports, later.
 */
export function assemble({ context, log, keys, managed, contextReader, next, known }: Start) {
  const { extensionUri, globalStorageUri, secrets } = context;
  const version = String(context.extension.packageJSON.version);
  const userAgent = `svc-coder/${version}`;
  const audit = new AuditService({
    storage: globalStorageUri,
    secrets,
    versions: () => ({ 'svc-coder': version, vscode: vscode.version, policy: managed.digest }),
    logger: log,
  });

  const clientLater = new Lazy(async () => {
    const { createServiceClient } = await import('./client/serviceClient.ts');
    return createServiceClient({
      logger: log,
      userAgent,
      network: readNetwork,
      limits: readTimeLimits,
      storedKeys: () => keys.all(),
    });
  });
  const trusted = async () => {
    requireTrust();
    return clientLater.get();
  };
  // Only dispatch may use the call that carries content.
  const chatClient: () => Promise<ChatClient> = trusted;
  const client: () => Promise<ServiceClient> = trusted;
  const scanner = () => import('./gate/secrets/scanner.ts');

  const dispatch = createDispatch({
    userAgent,
    requestContext: (outgoing) => contextReader.forRequest(outgoing),
    exclusion: whyExcluded,
    scanner,
    apiKey: (connection) => keys.get(connection),
    audit,
    logger: log,
    chatClient,
  });
  const toolboxes = new Lazy(async () => {
    const { createToolboxes } = await import('./host/tools/toolboxes.ts');
    return createToolboxes({ contextReader, audit });
  });
  const session = new Session(dispatch, async (about) =>
    areToolsEnabled(contextReader) ? (await toolboxes.get())(about) : null,
  );
  const firstSteps = new FirstSteps(context.globalState, session);
  const store = createConversationStore({ folder: historyFolder(globalStorageUri), logger: log });
  const retention = contextReader.retention.bind(contextReader);
  const messages = new PanelMessages();
  const state = context.workspaceState;
  const keeper = new HistoryKeeper({ session, store, state, retention, messages, logger: log });
  const documents = new ReadOnlyDocuments();
  const attachments = new PendingAttachments({ limits: () => contextReader.limits(), scanner });
  const contextService = new Lazy(async () => {
    const { createContextService } = await import('./host/attachments/contextService.ts');
    return createContextService({ attachments, whyExcluded: whyFileExcluded });
  });
  const commandAbout = async (name: string) => (await contextService.get()).commandAbout(name);
  next.connect({ session, attachments, commandAbout });
  const unlessKept = (ask: () => Promise<boolean>) => async () =>
    contextReader.retention(allFolders()) === 'keep' || (await ask());
  const keeping = { mayOpenUntitled: unlessKept(mayOpenUntitled), maySaveAsNew: unlessKept(maySaveAsNew) };
  const proposals = new Proposals(keeping, log);
  const onFirstShown = (): void => void keeper.restore();
  const view = new ChatViewProvider({
    extensionUri,
    session,
    contextReader,
    next,
    documents,
    attachments,
    messages,
    context: () => contextService.get(),
    proposals,
    onFirstShown,
    logger: log,
  });
  const auditView = new AuditView(extensionUri, audit);
  const confirmSend = askConfirmation(documents);
  const connect = new ConnectCommands({ keys, contextReader, client, note: audit.note.bind(audit) });
  const compliance = new Lazy(async () => {
    const { createReview } = await import('./host/review/review.ts');
    return createReview({
      dispatch,
      confirmSend,
      contextReader,
      propose: proposeFix({ dispatch, proposals, confirmSend }),
      explain: (prompt, attachment) => askAbout(view, session, prompt, attachment),
      version,
    });
  });
  const completions = new InlineCompletions({ dispatch, contextReader });
  const status = new InlineCompletionStatus(completions);
  const languageModels = new Lazy(async () => {
    const { LanguageModels } = await import('./host/languageModel/languageModels.ts');
    return new LanguageModels({ dispatch, confirmSend, contextReader, keys, known, client });
  });
  const participant = new Lazy(async () => {
    const { Participant } = await import('./host/participant/participant.ts');
    return new Participant({ dispatch, confirmSend, contextReader });
  });

  const owned = vscode.Disposable.from(
    session,
    firstSteps,
    store,
    keeper,
    contextReader.onDidChange(() => keeper.reconsider()),
    documents,
    attachments,
    view,
    messages,
    proposals,
    audit,
    auditView,
    completions,
    status,
    { dispose: () => clientLater.ifMade((made) => made.dispose()) },
    { dispose: () => compliance.ifMade((made) => made.dispose()) },
  );
  return {
    log,
    keys,
    managed,
    contextReader,
    next,
    storage: globalStorageUri,
    version,
    audit,
    client,
    dispatch,
    session,
    firstSteps,
    store,
    documents,
    attachments,
    contextService,
    view,
    proposals,
    auditView,
    confirmSend,
    connect,
    compliance,
    completions,
    languageModels,
    participant,
    dispose: () => owned.dispose(),
    /** Resolves when all pending writes are on the disk. */
    close: async (): Promise<void> => {
      await Promise.all([keeper.flush(), audit.close()]);
    },
  };
}
