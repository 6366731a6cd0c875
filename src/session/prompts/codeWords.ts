import type { Attachment } from '../../send/message/attachment.ts';
import { fenceFor } from '../../util/text/fence.ts';

/** The placeholder in a request for the line where code is inserted. */
export const insertMark = '<insert here>';

/** Asks for a fence that the code inside it cannot close. `texts` are the sources of the code. */
export function fenceWords(texts: readonly string[]): string {
  const fence = fenceFor(texts.join('\n'));
  return fence.length === 3
    ? 'Where the code itself has fences in it, put a longer one around it.'
    : `The code has fences in it: put it between fences of ${fence.length} backticks, ${fence}.`;
}

/** Asks the model to keep the marks of masked secrets: each is replaced with the secret from its document. */
export const markWords =
  'Marks such as [masked: jwt k3f9q] stand for secrets: where one stays, copy it character for character.';

/** Introduces related code that a model should know besides the code that it changes. */
export function forContext(related: readonly Attachment[]): readonly (string | Attachment)[] {
  return related.length === 0 ? [] : ['For context only, not to be repeated:', ...related];
}
