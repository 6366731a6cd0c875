import type { CompletionItem } from '../../protocol/messages.ts';
import type { ContextSource } from '../context/source.ts';

/** An item of the popup and what choosing it attaches; without a source it is for the text, or for reading alone. */
export interface Offer extends Omit<CompletionItem, 'id'> {
  readonly source?: () => ContextSource | Promise<ContextSource>;
}
