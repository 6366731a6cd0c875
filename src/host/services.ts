import type * as vscode from 'vscode';
import type { ServiceClient } from '../client/serviceClient.ts';
import type { ConfirmSend } from '../session/dispatch/confirmation.ts';
import type { Dispatch } from '../session/dispatch/dispatch.ts';
import type { LearnedForms } from '../session/dispatch/form/learnedForms.ts';
import type { Refusals } from '../session/dispatch/refusals.ts';
import type { Session } from '../session/session.ts';
import type { ConversationStore } from '../store/conversations/conversations.ts';
import type { Lazy } from '../util/lazy.ts';
import type { ContextService } from './attachments/contextService.ts';
import type { PendingAttachments } from './attachments/pendingAttachments.ts';
import type { ProjectInstructions } from './attachments/projectInstructions.ts';
import type { AuditService } from './audit/auditService.ts';
import type { AuditView } from './audit/auditView.ts';
import type { ChatViewProvider } from './chatView/chatViewProvider.ts';
import type { FirstSteps } from './chatView/firstSteps.ts';
import type { PanelMessages } from './chatView/panelMessages.ts';
import type { ApiKeyStore } from './config/apiKeyStore.ts';
import type { ManagedPolicyFile } from './config/managed.ts';
import type { RequestContextReader } from './config/requestContextReader.ts';
import type { ReadOnlyDocuments } from './confirm/readOnlyDocument.ts';
import type { ConnectCommands } from './connection/connect.ts';
import type { Proposals } from './edits/proposals.ts';
import type { InlineCompletions } from './inlineCompletions/inlineCompletions.ts';
import type { KnownModels } from './languageModel/knownModels.ts';
import type { LanguageModels } from './languageModel/languageModels.ts';
import type { Outcomes } from './messages/outcomes.ts';
import type { Participant } from './participant/participant.ts';
import type { NextRequest } from './posture/nextRequest.ts';
import type { NoteKeeper } from './provenance/noteKeeper.ts';
import type { Provenance } from './provenance/provenance.ts';
import type { ComplianceReview } from './review/review.ts';

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

/**
 * What exists once in a window: createServices.ts makes it on first use. A command takes it, and names in its type what
 * it uses of it: `Pick<Services, 'view' | 'session'>`. What is Lazy is loaded when it is first wanted.
 */
export interface Services extends Start {
  /** The version of the extension. */
  readonly version: string;
  readonly audit: AuditService;
  readonly provenance: Provenance;
  /** The requests without content. Throws in an untrusted workspace. */
  readonly client: () => Promise<ServiceClient>;
  readonly dispatch: Dispatch;
  /** What services do not accept of requests. */
  readonly learned: LearnedForms;
  /** Records what was refused before it came to dispatch. */
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
