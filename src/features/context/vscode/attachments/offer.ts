import type { CompletionItem } from '../../../../protocol/attachments.ts';
import type { ContextSource } from '../source.ts';

/**
 * An item of the popup and the source it attaches; without a source it inserts text, or is shown for information only.
 */
export interface Offer extends Omit<CompletionItem, 'id'> {
  readonly source?: () => ContextSource | Promise<ContextSource>;
}
