import type { Attachment } from '../../session/conversation/attachment.ts';

/** Something that can go along with a question: where it is, not what it says. It is read when the question is sent. */
export interface ContextSource {
  /** Of two with the same key the later takes the place of the earlier. */
  readonly key: string;
  /** What the chip says until more is known. */
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
  /** Whether it goes as an editor has it, and not as it is on the disk. */
  isUnsaved?(): boolean;
  /** Throws a ServiceError where there is nothing that could be read. */
  read(): Promise<ContextRead>;
}

export interface ContextRead {
  readonly attachments: readonly Attachment[];
  /** What was left out or cut, in few words, such as `2 left out`: a person must not take a part for the whole. */
  readonly note?: string;
}
