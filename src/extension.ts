import * as vscode from 'vscode';
import type { ServiceClient } from './client/serviceClient.ts';
import { askReview } from './host/askReview.ts';
import { AuditEvidence } from './host/auditTrail.ts';
import { AuditView } from './host/auditView/auditView.ts';
import { ChatViewProvider } from './host/chatView/chatViewProvider.ts';
import { SvcCodeActions } from './host/codeActions.ts';
import { attach } from './host/commands/attach.ts';
import { exportAuditLog, verifyAuditLog } from './host/commands/audit.ts';
import { explainCode, newChat, openChat } from './host/commands/chat.ts';
import { ConnectCommands } from './host/commands/connect.ts';
import { diagnoseConnection } from './host/commands/diagnose.ts';
import { exportConversation } from './host/commands/exportConversation.ts';
import { generateCode } from './host/commands/generate.ts';
import { showHistory } from './host/commands/history.ts';
import { selectModel } from './host/commands/models.ts';
import { showPolicy, showPosture } from './host/commands/posture.ts';
import { purgeLocalData } from './host/commands/purge.ts';
import { explainTerminal } from './host/commands/terminal.ts';
import { Proposals } from './host/edits/proposals.ts';
import { whyExcluded } from './host/exclusions.ts';
import { historyFolder, purgeHistory } from './host/history.ts';
import { HistoryKeeper } from './host/historyKeeper.ts';
import { ManagedPolicyFile } from './host/managed.ts';
import { readNetwork } from './host/networkSettings.ts';
import { PendingAttachments } from './host/pendingAttachments.ts';
import { ReadOnlyDocuments } from './host/readOnlyDocument.ts';
import { KeyStore } from './host/secrets.ts';
import { StandingReader } from './host/standing.ts';
import { StatusItem } from './host/statusItem.ts';
import { createDispatch } from './session/dispatch.ts';
import { Session } from './session/session.ts';
import { createConversationStore } from './store/conversations.ts';

let close: () => Promise<void> = async () => undefined;

/** settings and secret -> policy -> gate -> client -> session -> view */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, globalStorageUri, secrets, subscriptions } = context;
  const version = String(context.extension.packageJSON.version);
  const log = vscode.window.createOutputChannel('Svc', { log: true });
  const keys = new KeyStore(secrets, context.globalState);
  const managed = new ManagedPolicyFile(context.extensionMode);
  const standing = new StandingReader(keys, managed);
  const audit = new AuditEvidence({
    storage: globalStorageUri,
    secrets,
    versions: () => ({ 'svc-coder': version, vscode: vscode.version, policy: managed.digest }),
    logger: log,
  });

  // The client and undici in it are a bundle of their own, loaded at the first request; so is what looks for secrets.
  let loaded: Promise<ServiceClient> | undefined;
  const client = (): Promise<ServiceClient> => {
    loaded ??= import('./client/serviceClient.ts').then(({ createServiceClient }) =>
      createServiceClient({ logger: log, userAgent: `svc-coder/${version}`, network: readNetwork }),
    );
    return loaded;
  };

  const dispatch = createDispatch({
    circumstances: (outgoing) => standing.forRequest(outgoing),
    exclusion: whyExcluded,
    scanner: () => import('./gate/secrets/scanner.ts'),
    apiKey: (connection) => keys.get(connection),
    audit,
    logger: log,
    client,
  });
  const session = new Session(dispatch);
  const store = createConversationStore({ folder: historyFolder(globalStorageUri), logger: log });
  const retention = standing.retention.bind(standing);
  const keeper = new HistoryKeeper({ session, store, state: context.workspaceState, retention, logger: log });
  const documents = new ReadOnlyDocuments();
  const attachments = new PendingAttachments();
  const proposals = new Proposals();
  const onFirstShown = (): void => void keeper.restore();
  const view = new ChatViewProvider({
    extensionUri,
    session,
    standing,
    documents,
    attachments,
    proposals,
    onFirstShown,
    logger: log,
  });
  const auditView = new AuditView(extensionUri, audit);
  const review = askReview(documents);
  const note = audit.note.bind(audit);
  const parts = { dispatch, proposals, review };
  const code = () => import('./host/commands/codeCommands.ts');
  const connect = new ConnectCommands({ keys, standing, client, note });
  const purge = { session, view, keys, audit, purgeHistory: () => purgeHistory(globalStorageUri, log) };
  const diagnosis = { keys, standing, client, documents, version };
  const command = vscode.commands.registerCommand;

  close = async () => {
    await Promise.all([keeper.flush(), audit.close()]);
  };
  subscriptions.push(
    log,
    keys,
    managed,
    managed.onDidReplace((entry) => note(entry)),
    session,
    store,
    keeper,
    standing.onDidChange(() => keeper.reconsider()),
    documents,
    attachments,
    view,
    proposals,
    audit,
    auditView,
    new StatusItem(standing),
    { dispose: () => loaded?.then((created) => created.dispose()) },
    vscode.window.registerWebviewViewProvider(ChatViewProvider.viewId, view),
    command('svc.openChat', (options) => openChat(view, session, options)),
    command('svc.newChat', () => newChat(view, session)),
    command('svc.showHistory', () => showHistory(view, session, store)),
    command('svc.exportConversation', (options) => exportConversation(session, standing, options)),
    command('svc.attach', (uri, uris) => attach(view, attachments, uri, uris)),
    command('svc.explainCode', () => explainCode(view, session)),
    command('svc.generateCode', (options) => generateCode(parts, options)),
    command('svc.editCode', async (options) => (await code()).editCode(parts, options)),
    command('svc.fixProblems', async (options) => (await code()).fixProblems(parts, options)),
    command('svc.documentCode', async (options) => (await code()).documentCode(parts, options)),
    command('svc.generateTests', async (options) => (await code()).generateTests(parts, options)),
    command('svc.generateCommitMessage', async (chosen) => (await code()).generateCommitMessage(parts, chosen)),
    command('svc.explainTerminal', () => explainTerminal(view, session)),
    vscode.languages.registerCodeActionsProvider({ pattern: '**' }, new SvcCodeActions(), SvcCodeActions.metadata),
    command('svc.acceptProposal', (uri) => proposals.accept(uri)),
    command('svc.rejectProposal', (uri) => proposals.reject(uri)),
    command('svc.acceptHunk', (uri, line) => proposals.acceptHunk(uri, line)),
    command('svc.rejectHunk', (uri, line) => proposals.rejectHunk(uri, line)),
    command('svc.setApiKey', (options) => connect.setApiKey(options)),
    command('svc.removeApiKey', () => connect.removeApiKey()),
    command('svc.selectConnection', () => connect.selectConnection()),
    command('svc.checkHealth', () => connect.checkHealth()),
    command('svc.validateToken', () => connect.validateToken()),
    command('svc.diagnoseConnection', () => diagnoseConnection({ ...diagnosis, folders: session.folders })),
    command('svc.selectModel', () => selectModel(keys, standing, client)),
    command('svc.showPosture', () => showPosture(standing, session.folders)),
    command('svc.previewRequest', () => view.previewRequest()),
    command('svc.showPolicy', () => showPolicy(managed, documents)),
    command('svc.auditLog.open', () => auditView.show()),
    command('svc.auditLog.verify', () => verifyAuditLog(audit)),
    command('svc.auditLog.export', (options) => exportAuditLog(audit, standing, options)),
    command('svc.purgeLocalData', (options) => purgeLocalData(purge, options)),
    command('svc.showLog', () => log.show()),
  );
}

/** What waits to be written is on the disk when it resolves. */
export function deactivate(): Promise<void> {
  return close();
}
