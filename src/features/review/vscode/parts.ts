import type * as vscode from 'vscode';
import type { Outcomes } from '../../../platform/messages/outcomes.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import type { ConfirmSend } from '../../../send/confirmation.ts';
import type { Dispatch } from '../../../send/dispatch.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import type { Refusals } from '../../../send/refusals.ts';
import type { Problem } from '../../../session/prompts/editPrompts.ts';

/** The dependencies of reviews. */
export interface ReviewParts {
  readonly dispatch: Dispatch;
  readonly refusals: Pick<Refusals, 'watch' | 'watchPreparing'>;
  /** Asks the user whether a request may be sent. */
  readonly confirmSend: ConfirmSend;
  readonly contextReader: Pick<RequestContextReader, 'requestContext' | 'requireFeature' | 'retention' | 'onDidChange'>;
  /** Proposes a fix in a document, for the user to accept; `how` describes the fix. */
  readonly propose: (document: vscode.TextDocument, problem: Problem, how: string) => Promise<{ readonly ok: boolean }>;
  /** Asks a question in the panel. */
  readonly explain: (prompt: string, attachment: Attachment) => Promise<unknown>;
  readonly outcomes: Outcomes;
  /** The version of the extension. */
  readonly version: string;
}
