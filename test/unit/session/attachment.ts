import { asMade } from '../../../src/gate/content.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';

/** An attachment like those of platform/sources/maker.ts. */
export function attachment({
  text = 'a',
  ...over
}: Partial<Omit<Attachment, 'text'>> & { readonly text?: string } = {}): Attachment {
  return {
    label: 'a.ts',
    uri: 'file:///one/a.ts',
    firstLine: 1,
    languageId: 'typescript',
    text: asMade(text),
    folder: null,
    ...over,
  };
}
