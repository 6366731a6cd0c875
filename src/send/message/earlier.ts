import { fenceFor } from '../../util/text/fence.ts';

/** The text that a request contains instead of turns that are summarized. */
export interface Earlier {
  /** The user's questions in these turns. */
  readonly questions: readonly string[];
  readonly summary: {
    readonly text: string;
    /** Whether the user has changed the text. */
    readonly isEdited?: true;
  };
}

/** A summary for a request: quoted, so that the model reads it as data, like a file. */
export function summaryParts({ text, isEdited }: Earlier['summary']): readonly string[] {
  const fence = fenceFor(text);
  const title = isEdited ? 'Summary, written by a model and edited by the user:' : 'Summary, written by a model:';
  return [title, `${fence}\n${text}\n${fence}`];
}
