import * as vscode from 'vscode';
import type { ChatClient } from './client/chatStream.ts';
import type { ServiceClient } from './client/serviceClient.ts';
import { AuditService } from './features/audit/vscode/auditService.ts';
import { AuditView } from './features/audit/vscode/auditView.ts';
import { auditUser, subjectOf } from './features/audit/vscode/identity.ts';
import { ChatViewProvider } from './features/chat/vscode/chatViewProvider.ts';
import { askAbout } from './features/chat/vscode/commands/chat.ts';
import { FirstSteps } from './features/chat/vscode/firstSteps.ts';
import { historyFolder } from './features/chat/vscode/history/history.ts';
import { HistoryKeeper } from './features/chat/vscode/history/historyKeeper.ts';
import { PanelMessages } from './features/chat/vscode/panelMessages.ts';
import { hintInPanel, panelOutcomes, showInPanel } from './features/chat/vscode/panelOutcomes.ts';
import { showWork } from './features/chat/vscode/panelWork.ts';
import { DecisionsChip } from './features/chat/vscode/question/decisionsChip.ts';
import { Meter } from './features/chat/vscode/question/meter.ts';
import { StarterOffers } from './features/chat/vscode/question/starters.ts';
import { WaitingQuestion } from './features/chat/vscode/question/waitingQuestion.ts';
import { OpenReceipts } from './features/chat/vscode/turn/openReceipts.ts';
import { showPolicyMessages } from './features/compliance/vscode/policyMessages.ts';
import { ConnectCommands } from './features/connection/vscode/connect.ts';
import { CurrentFile } from './features/context/vscode/attachments/currentFile.ts';
import { NextAttachments } from './features/context/vscode/attachments/nextAttachments.ts';
import { PendingAttachments } from './features/context/vscode/attachments/pendingAttachments.ts';
import { ProjectInstructions } from './features/context/vscode/attachments/projectInstructions.ts';
import { Acceptance } from './features/edits/vscode/changes/acceptance.ts';
import { LaterChanges } from './features/edits/vscode/changes/laterChanges.ts';
import { Proposals } from './features/edits/vscode/proposals.ts';
import { InlineCompletions } from './features/inline/vscode/inlineCompletions.ts';
import { InlineCompletionStatus } from './features/inline/vscode/status.ts';
import { Provenance } from './features/provenance/vscode/provenance.ts';
import type { ReviewParts } from './features/review/vscode/parts.ts';
import { FileChanges } from './features/tools/vscode/fileChanges.ts';
import { isAuditRequired } from './gate/admit.ts';
import { askConfirmation } from './platform/confirm/confirmSend.ts';
import { mayOpenUntitled, maySaveAsNew } from './platform/confirm/keptOnDisk.ts';
import { ReadOnlyDocuments } from './platform/confirm/readOnlyDocument.ts';
import { ApiKeyStore } from './platform/keys/apiKeyStore.ts';
import { forgetAnswerEnds, keepAnswerEnds, requireKnownEnd } from './platform/messages/answerEnds.ts';
import { withNames } from './platform/messages/errors/describeBlockingFiles.ts';
import { setPanelPlace } from './platform/messages/panelPlace.ts';
import { setBeforeRetry } from './platform/messages/withErrorReporting.ts';
import { readNetwork, readTimeLimits } from './platform/network/networkSettings.ts';
import { allFolders } from './platform/settings/settingsReader.ts';
import { areToolsEnabled, whyModeOff } from './platform/settings/toolsEnabled.ts';
import { requireTrust } from './platform/settings/trust.ts';
import { withBlockingFiles } from './platform/settings/withBlockingFiles.ts';
import { whyExcluded, whyFileExcluded } from './platform/sources/ignored/exclusions.ts';
import { ContextBudget } from './send/budget/contextBudget.ts';
import { createDispatch } from './send/dispatch.ts';
import { LearnedForms } from './send/form/learnedForms.ts';
import type { Attachment } from './send/message/attachment.ts';
import { Refusals } from './send/refusals.ts';
import type { Services, Start } from './services.ts';
import { Session } from './session/session.ts';
import type { ToolboxSource } from './session/tools/toolbox.ts';
import { createConversationStore } from './store/conversations/conversations.ts';
import { Disposable } from './util/disposable.ts';
import { Lazy } from './util/lazy.ts';

/** Owns the objects that must be disposed of. */
class Owner extends Disposable {
  readonly own = this._register.bind(this);
}

/**
 * Creates the services: settings and secret -> policy -> gate -> client -> session -> view. They are assembled on first use;
 * modules with dynamic imports are loaded later. Each step uses the services of the steps before it.
 */
export function createServices(start: Start) {
  const owner = new Owner();
  const sending = createSending(start, owner);
  const conversation = createConversation({ ...start, ...sending }, owner);
  const panel = createPanel({ ...start, ...sending, ...conversation }, owner);
  const features = createFeatures({ ...start, ...sending, ...conversation, ...panel }, owner);
  const services: Services = { ...start, ...sending, ...conversation, ...panel, ...features };
  return {
    services,
    dispose: () => owner.dispose(),
    /** Resolves when all pending writes are on the disk. */
    close: async (): Promise<void> => {
      await Promise.all([conversation.keeper.flush(), sending.provenance.flush(), sending.refusals.close()]);
      await sending.audit.close();
    },
  };
}

type Sending = Start & ReturnType<typeof createSending>;
type ConversationServices = Sending & ReturnType<typeof createConversation>;
type PanelServices = ConversationServices & ReturnType<typeof createPanel>;

/** Creates the client, dispatch (the only path to it for content), and the services that record and show what is sent. */
function createSending(given: Start, { own }: Owner) {
  const { context, log, keySources, managed, contextReader } = given;
  const version = String(context.extension.packageJSON.version);
  const userAgent = `svc-coder/${version}`;
  const messages = own(new PanelMessages());
  const keys = own(createKeys({ context, keySources, managed }, () => client()));
  const clientLater = createClient({ log, keys }, userAgent, own);
  managed.fetchWith(async (...about) => (await clientLater.get()).fetchPolicy(...about));
  const audit = own(createAudit(given, version, { keys, clientLater, messages }));
  const trusted = async () => {
    requireTrust();
    return clientLater.get();
  };
  // Only dispatch may use the call that carries content.
  const chatClient: () => Promise<ChatClient> = trusted;
  const client: () => Promise<ServiceClient> = trusted;
  const scanner = () => import('./gate/secrets/scanner.ts');
  const excludedContent = createExcludedContent(own);
  const learned = createLearned(context, own);
  const refusals = new Refusals({ audit, logger: log });
  const windows = new ContextBudget();
  const dispatch = createDispatch(
    {
      userAgent,
      requestContext: (...about) => contextReader.forRequest(...about),
      exclusion: whyExcluded,
      recognition: async (wanted, signal) => {
        const content = await excludedContent.get();
        return content.recognition(wanted, signal);
      },
      scanner,
      apiKey: (connection, signal) => keys.get(connection, signal),
      helpers: keys,
      audit,
      requireDelivery: (signal) => audit.requireDelivery(signal),
      reserve: (limits, record) => audit.reserve(limits, record),
      logger: log,
      chatClient,
    },
    learned,
    windows,
    refusals,
  );
  const documents = own(new ReadOnlyDocuments());
  const provenance = new Provenance({
    storage: context.globalStorageUri,
    secrets: context.secrets,
    logger: log,
    note: audit.noteAt.bind(audit),
  });
  const confirmSend = askConfirmation(documents);
  return {
    ...{ keys, version, audit, provenance, client, scanner, dispatch, learned, windows, refusals },
    ...{ documents, confirmSend, messages },
  };
}

/** Creates the store of keys; the credential helpers are loaded when one is needed. */
function createKeys(
  { context, keySources, managed }: Pick<Start, 'context' | 'keySources' | 'managed'>,
  client: () => Promise<ServiceClient>,
): ApiKeyStore {
  const keys: ApiKeyStore = new ApiKeyStore(
    context.secrets,
    keySources,
    () => managed.state,
    async () => {
      const { createHelperKeys } = await import('./platform/keys/helper/createHelperKeys.ts');
      const { clock } = keys;
      const folder = context.globalStorageUri.fsPath;
      return createHelperKeys({ folder, isOpen: managed.isOpen, clock, knownKeys: () => keys.all(), client });
    },
  );
  return keys;
}

/** Creates the index of excluded files when the first request needs it. */
function createExcludedContent(own: Owner['own']) {
  const excludedContent = new Lazy(async () => {
    const { ExcludedContent } = await import('./platform/excludedContent/excludedContent.ts');
    return new ExcludedContent();
  });
  own({ dispose: () => excludedContent.ifMade((made) => made.dispose()) });
  return excludedContent;
}

/** Creates the audit log of this machine. */
function createAudit(
  { context, log, managed, contextReader }: Start,
  version: string,
  {
    keys,
    clientLater,
    messages,
  }: { readonly keys: ApiKeyStore; readonly clientLater: Lazy<ServiceClient>; readonly messages: PanelMessages },
): AuditService {
  return new AuditService({
    storage: context.globalStorageUri,
    extensionUri: context.extensionUri,
    secrets: context.secrets,
    versions: () => ({ 'svc-coder': version, vscode: vscode.version, policy: managed.digest }),
    user: (of) => auditUser(managed.state, of === undefined ? subjectOf({ contextReader, keys }) : () => of.subject),
    policy: () => (managed.state.state === 'in-force' ? managed.state.policy.evidence : {}),
    tell: (...about) => messages.keep(...about),
    send: async (...about) => (await clientLater.get()).sendLogs(...about),
    version,
    logger: log,
  });
}

/** Creates the client on first use: a window that opens needs none. */
function createClient(
  { log, keys }: Pick<Start, 'log'> & { readonly keys: ApiKeyStore },
  userAgent: string,
  own: Owner['own'],
) {
  const client = new Lazy(async () => {
    const { createServiceClient } = await import('./client/serviceClient.ts');
    return createServiceClient({
      logger: log,
      userAgent,
      network: readNetwork,
      limits: readTimeLimits,
      storedKeys: () => keys.all(),
      clock: keys.clock,
    });
  });
  own({ dispose: () => client.ifMade((made) => made.dispose()) });
  return client;
}

/** Creates the memory of the request forms that services refuse, and of how their answers end. */
function createLearned({ globalState }: Start['context'], own: Owner['own']): LearnedForms {
  keepAnswerEnds(globalState);
  const learned = own(new LearnedForms());
  own(learned.onDidForget(({ origin, model }) => void forgetAnswerEnds(origin, model)));
  return learned;
}

/** Creates the conversation, its tools, what they propose, and the store that keeps it on the disk. */
function createConversation(
  { context, log, keys, managed, contextReader, audit, provenance, dispatch, messages }: Sending,
  { own }: Owner,
) {
  const unlessKept = (ask: () => Promise<boolean>) => async () =>
    contextReader.retention(allFolders()) === 'keep' || (await ask());
  const keeping = { mayOpenUntitled: unlessKept(mayOpenUntitled), maySaveAsNew: unlessKept(maySaveAsNew) };
  const onAccepted = provenance.accepted.bind(provenance);
  const acceptance = new Acceptance({
    audit,
    onAccepted,
    isAuditRequired: () => {
      const { managed, policy } = contextReader.requestContext({ modelKey: 'svc.model.chat', folders: allFolders() });
      return managed.state === 'broken' || !policy.ok || isAuditRequired(managed, policy.policy);
    },
    conversation: () => session.conversation.id,
  });
  const proposals = own(new Proposals({ keeping, acceptance, logger: log }));
  const changes: LaterChanges = own(
    new LaterChanges(
      () => session.conversation,
      async () => {
        const { Changes } = await import('./features/edits/vscode/changes/changes.ts');
        return new Changes({ session, proposals, acceptance, policy: contextReader });
      },
    ),
  );
  const tasks = new Lazy(async () => {
    const { Tasks } = await import('./features/tools/vscode/tasks/tasks.ts');
    return own(new Tasks(keys.all.bind(keys)));
  });
  const toolboxes = new Lazy(async () => {
    const { createToolboxes } = await import('./features/tools/vscode/toolboxes.ts');
    const fileChanges = own(new FileChanges());
    const proposed = changes.proposedIn.bind(changes);
    const buildFiles = () => acceptance.buildFiles;
    return createToolboxes({ contextReader, audit, fileChanges, proposed, buildFiles, tasks: () => tasks.get() });
  });
  const openTools: ToolboxSource = async (conversationId, mode) => {
    if (!areToolsEnabled(contextReader)) return null;
    // A file that was read for a plan can be edited when the plan is carried out.
    if (mode !== 'ask' && whyModeOff(contextReader, mode) === null) await changes.start();
    return (await toolboxes.get())(conversationId, mode);
  };
  const session = own(
    new Session(
      dispatch,
      openTools,
      (conversationId) => instructions.read(conversationId),
      async (attached) => (await import('./platform/sources/outdated.ts')).outdatedAttachments(attached),
      (mode) => whyModeOff(contextReader, mode) === null,
    ),
  );
  const firstSteps = own(new FirstSteps(context.globalState, session));
  const store = own(createConversationStore({ folder: historyFolder(context.globalStorageUri), logger: log }));
  const retention = contextReader.retention.bind(contextReader);
  const state = context.workspaceState;
  contextReader.blockingFiles = { find: withBlockingFiles, words: withNames };
  const ofOrganization = () => (managed.state.state === 'in-force' ? managed.state.policy.instructions : undefined);
  const about = { session, contextReader, ofOrganization, state, messages };
  const instructions: ProjectInstructions = own(new ProjectInstructions(about));
  const keeper = own(new HistoryKeeper({ session, store, state, retention, messages, logger: log }));
  own(contextReader.onDidChange(() => keeper.reconsider()));
  return { session, firstSteps, store, keeper, instructions, proposals, changes, acceptance };
}

/** Creates the panel, and the attachments of its next question. */
function createPanel(given: ConversationServices, { own }: Owner) {
  const { context, log, contextReader, next, audit, scanner, learned, windows, documents, proposals, changes } = given;
  const { session, messages, keeper, instructions, dispatch, confirmSend, managed } = given;
  const { extensionUri } = context;
  const pending = { limits: () => contextReader.limits(), scanner };
  const attachments = own(new PendingAttachments(pending));
  const contextService = new Lazy(async () => {
    const { createContextService } = await import('./features/context/vscode/attachments/contextService.ts');
    return createContextService({ attachments, whyExcluded: whyFileExcluded });
  });
  const commandAbout = async (name: string) => (await contextService.get()).commandAbout(name);
  const commandContent = async (name: string) =>
    (await contextService.get()).commandContent(name, nextAttachments.keys);
  const onDidChangeRules = contextReader.onDidChange.bind(contextReader);
  const currentFile = own(
    new CurrentFile({ ...pending, session, attached: attachments, onDidChangeRules, logger: log }),
  );
  const nextAttachments = new NextAttachments(currentFile, attachments);
  next.connect({ session, attachments: nextAttachments, instructions, commandAbout, commandContent });
  const shared = { session, attachments, messages, context: () => contextService.get(), logger: log };
  own(new DecisionsChip({ session, changes, attachments, logger: log }));
  const waiting = own(new WaitingQuestion({ ...shared, held: own(new PendingAttachments(pending)) }));
  const meterInputs = [contextReader, instructions, next, learned].map((part) => part.onDidChange.bind(part));
  const meter = own(new Meter({ session, next, attachments: nextAttachments, changes: meterInputs, logger: log }));
  const view = own(
    new ChatViewProvider({
      ...shared,
      extensionUri,
      contextReader,
      next,
      learned,
      windows,
      documents,
      instructions,
      proposals,
      waiting,
      changes,
      meter,
      currentFile,
      nextAttachments,
      sending: { dispatch, confirmSend },
      receipts: new OpenReceipts(),
      starters: own(new StarterOffers(session, contextReader)),
      onFirstShown: () => {
        instructions.start();
        currentFile.start();
        const tell = (): void =>
          void showPolicyMessages(given).catch(() =>
            log.warn('What the managed policy says could not be shown in the panel.'),
          );
        tell();
        own(managed.onDidChange(tell));
        // The name of the user is not known until there is a first key.
        own(audit.onDidChange(tell));
        void keeper.restore();
      },
    }),
  );
  return { attachments, contextService, view, auditView: own(new AuditView(extensionUri, audit, log)) };
}

/** Creates all other features that send requests: connection checks, reviews, completions, and VS Code's own chat. */
function createFeatures(given: PanelServices, { own }: Owner) {
  const { keys, known, contextReader, version, audit, provenance, client, dispatch, refusals, confirmSend } = given;
  const { managed, proposals, view, messages, learned, instructions } = given;
  const outcomes = panelOutcomes(view, messages);
  own(
    setPanelPlace({
      isVisible: () => view.isVisible,
      begin: (title, cancel) => showWork(messages, title, cancel),
      fail: (card, retry) => showInPanel(messages, card, retry),
      hint: (hint) => hintInPanel(messages, hint),
    }),
  );
  const connect = new ConnectCommands({
    keys,
    contextReader,
    managed: () => managed.state,
    client,
    note: audit.note.bind(audit),
    outcomes,
    openChat: () => view.reveal(),
  });
  const compliance = new Lazy(async () => {
    const { createReview } = await import('./features/review/vscode/review.ts');
    const propose: ReviewParts['propose'] = async (...asked) => {
      const { fixFinding } = await import('./codeCommands.ts');
      return fixFinding({ dispatch, proposals, confirmSend, instructions }, ...asked);
    };
    const explain = (prompt: string, attachment: Attachment) => askAbout(given, prompt, attachment);
    return createReview({ dispatch, refusals, confirmSend, contextReader, propose, explain, outcomes, version });
  });
  own({ dispose: () => compliance.ifMade((made) => made.dispose()) });
  const completions = own(
    new InlineCompletions({
      dispatch,
      contextReader,
      requireEnd: requireKnownEnd,
      onAccepted: provenance.accepted.bind(provenance),
    }),
  );
  own(new InlineCompletionStatus(completions));
  setBeforeRetry(({ origin }) => learned.forgetAt(origin));
  const languageModels = new Lazy(async () => {
    const { LanguageModels } = await import('./features/vscodeChat/vscode/languageModels.ts');
    return new LanguageModels({ dispatch, confirmSend, contextReader, keys, known, client });
  });
  const notes = new Lazy(async () => {
    const { startNotes } = await import('./features/provenance/vscode/startNotes.ts');
    return startNotes(given);
  });
  own({ dispose: () => notes.ifMade((made) => made.dispose()) });
  const participant = new Lazy(async () => {
    const { Participant } = await import('./features/vscodeChat/vscode/participant/participant.ts');
    return new Participant({ dispatch, refusals, confirmSend, contextReader });
  });
  return { outcomes, connect, compliance, completions, languageModels, participant, notes };
}
