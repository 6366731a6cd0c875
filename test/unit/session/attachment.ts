import type { Attachment } from '../../../src/session/conversation.ts';

export function attachment(over: Partial<Attachment> = {}): Attachment {
  return {
    label: 'a.ts',
    uri: 'file:///one/a.ts',
    firstLine: 1,
    languageId: 'typescript',
    text: 'a',
    folder: null,
    ...over,
  };
}
