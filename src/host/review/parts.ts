import type * as vscode from 'vscode';
import type { Attachment } from '../../session/conversation/attachment.ts';
import type { ConfirmSend } from '../../session/dispatch/confirmation.ts';
import type { Dispatch } from '../../session/dispatch/dispatch.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import type { Outcomes } from '../messages/outcomes.ts';

/** The dependencies of reviews. */
export interface ReviewParts {
  readonly dispatch: Dispatch;
  /** Asks the user whether a request may leave. */
  readonly confirmSend: ConfirmSend;
  readonly contextReader: Pick<RequestContextReader, 'requestContext' | 'requireFeature' | 'retention' | 'onDidChange'>;
  /** Proposes a change to a part of a document, for the user to accept. */
  readonly propose: (document: vscode.TextDocument, range: vscode.Range, instruction: string) => Promise<unknown>;
  /** Asks a question in the panel. */
  readonly explain: (prompt: string, attachment: Attachment) => Promise<unknown>;
  readonly outcomes: Outcomes;
  /** The version of the extension. */
  readonly version: string;
}
