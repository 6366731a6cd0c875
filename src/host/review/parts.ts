import type * as vscode from 'vscode';
import type { Attachment } from '../../session/conversation/attachment.ts';
import type { Review } from '../../session/dispatch/confirmation.ts';
import type { Dispatch } from '../../session/dispatch/dispatch.ts';
import type { StandingReader } from '../config/requestContextReader.ts';

/** What reviews need of the rest of the extension. */
export interface ReviewParts {
  readonly dispatch: Dispatch;
  /** Asks the person whether a request may leave. */
  readonly ask: Review;
  readonly standing: Pick<StandingReader, 'circumstances' | 'requireFeature' | 'retention' | 'onDidChange'>;
  /** Shows how a part of a document could be changed, for the person to accept. */
  readonly propose: (document: vscode.TextDocument, range: vscode.Range, instruction: string) => Promise<unknown>;
  /** Asks in the panel. */
  readonly explain: (prompt: string, attachment: Attachment) => Promise<unknown>;
  /** Of the extension. */
  readonly version: string;
}
