import type * as vscode from 'vscode';
import type { ServiceClient } from './client/serviceClient.ts';
import type { AuditService } from './features/audit/vscode/auditService.ts';
import type { AuditView } from './features/audit/vscode/auditView.ts';
import type { ChatViewProvider } from './features/chat/vscode/chatViewProvider.ts';
import type { FirstSteps } from './features/chat/vscode/firstSteps.ts';
import type { PanelMessages } from './features/chat/vscode/panelMessages.ts';
import type { ConnectCommands } from './features/connection/vscode/connect.ts';
import type { ContextService } from './features/context/vscode/attachments/contextService.ts';
import type { PendingAttachments } from './features/context/vscode/attachments/pendingAttachments.ts';
import type { ProjectInstructions } from './features/context/vscode/attachments/projectInstructions.ts';
import type { NextRequest } from './features/context/vscode/nextRequest.ts';
import type { Acceptance } from './features/edits/vscode/changes/acceptance.ts';
import type { PanelChanges } from './features/edits/vscode/changes/panelChanges.ts';
import type { Proposals } from './features/edits/vscode/proposals.ts';
import type { InlineCompletions } from './features/inline/vscode/inlineCompletions.ts';
import type { NoteKeeper } from './features/provenance/vscode/noteKeeper.ts';
import type { Provenance } from './features/provenance/vscode/provenance.ts';
import type { ComplianceReview } from './features/review/vscode/review.ts';
import type { KnownModels } from './features/vscodeChat/vscode/knownModels.ts';
import type { LanguageModels } from './features/vscodeChat/vscode/languageModels.ts';
import type { Participant } from './features/vscodeChat/vscode/participant/participant.ts';
import type { ReadOnlyDocuments } from './platform/confirm/readOnlyDocument.ts';
import type { ApiKeyStore } from './platform/keys/apiKeyStore.ts';
import type { KeySources } from './platform/keys/keySources.ts';
import type { Outcomes } from './platform/messages/outcomes.ts';
import type { ManagedPolicyFile } from './platform/settings/managed.ts';
import type { RequestContextReader } from './platform/settings/requestContextReader.ts';
import type { ConfirmSend } from './send/confirmation.ts';
import type { Dispatch } from './send/dispatch.ts';
import type { LearnedForms } from './send/form/learnedForms.ts';
import type { Refusals } from './send/refusals.ts';
import type { Session } from './session/session.ts';
import type { ConversationStore } from './store/conversations/conversations.ts';
import type { Lazy } from './util/lazy.ts';

/** The objects that exist from the start: enough for the status bar. */
export interface Start {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly keySources: KeySources;
  readonly managed: ManagedPolicyFile;
  readonly contextReader: RequestContextReader;
  readonly next: NextRequest;
  readonly known: KnownModels;
}

/**
 * The services, which exist once in a window: createServices.ts creates them on first use. A command gets all of them, and its
 * type names the services that it uses: `Pick<Services, 'view' | 'session'>`. Services that are Lazy are loaded when they are
 * first needed.
 */
export interface Services extends Start {
  readonly keys: ApiKeyStore;
  /** The version of the extension. */
  readonly version: string;
  readonly audit: AuditService;
  readonly provenance: Provenance;
  /** Returns the client, for requests without content. Throws in an untrusted workspace. */
  readonly client: () => Promise<ServiceClient>;
  readonly dispatch: Dispatch;
  /** The forms of requests that services do not accept. */
  readonly learned: LearnedForms;
  /** Records requests that were refused before they reached dispatch. */
  readonly refusals: Refusals;
  readonly confirmSend: ConfirmSend;
  readonly documents: ReadOnlyDocuments;
  readonly session: Session;
  readonly firstSteps: FirstSteps;
  readonly store: ConversationStore;
  readonly messages: PanelMessages;
  readonly attachments: PendingAttachments;
  readonly instructions: ProjectInstructions;
  readonly contextService: Lazy<ContextService>;
  readonly proposals: Proposals;
  readonly changes: PanelChanges;
  readonly acceptance: Acceptance;
  readonly view: ChatViewProvider;
  readonly auditView: AuditView;
  readonly outcomes: Outcomes;
  readonly connect: ConnectCommands;
  readonly compliance: Lazy<ComplianceReview>;
  readonly completions: InlineCompletions;
  readonly languageModels: Lazy<LanguageModels>;
  readonly participant: Lazy<Participant>;
  readonly notes: Lazy<NoteKeeper>;
}
