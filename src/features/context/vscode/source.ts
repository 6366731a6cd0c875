import type { CompletionItem } from '../../../protocol/attachments.ts';
import type { Attachment } from '../../../send/message/attachment.ts';

/** A source of context for a question: a reference without content. It is read when the question is sent. */
export interface ContextSource {
  /** A later source with the same key replaces the earlier one. */
  readonly key: string;
  /** The label of the chip until the source has been read. */
  readonly label: string;
  /** The ID of a codicon. */
  readonly icon: string;
  /** Whether it has the user's decisions about proposed changes. */
  readonly isDecisions?: true;
  /** Whether the editor's unsaved text is sent instead of the file on disk. */
  isUnsaved?(): boolean;
  /** Throws a ServiceError if there is nothing to read. */
  read(): Promise<ContextRead>;
}

export interface ContextRead {
  readonly attachments: readonly Attachment[];
  /**
   * A note on what was left out or cut, such as `2 left out`, so that the user knows that the content is incomplete.
   */
  readonly note?: string;
}

/**
 * An item of the popup and the source it attaches; without a source it inserts text, or is shown for information only.
 */
export interface Offer extends Omit<CompletionItem, 'id'> {
  readonly source?: () => ContextSource | Promise<ContextSource>;
}
