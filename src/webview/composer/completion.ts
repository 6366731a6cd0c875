import type { CompletionItem, CompletionTrigger } from '../../protocol/attachments.ts';

/** The typed text that opens the popup: `text.slice(start, caret)` is the trigger and the query after it. */
interface Trigger {
  readonly trigger: CompletionTrigger;
  readonly start: number;
  readonly query: string;
}

/** The open popup. */
export interface Completion extends Trigger {
  /** The number of the latest request to the host. */
  readonly request: number;
  /** The items of the last answer, which stay while the next request is pending; null until the first answer. */
  readonly items: readonly CompletionItem[] | null;
  /** The number of the request that `items` answer; null until the first answer. */
  readonly shown: number | null;
  /** The index of the item that Enter selects. */
  readonly selected: number;
}

/** The maximum length of a query in characters: no typed name is longer. */
const maxQuery = 200;

/** A mention: at the start of a word, or after a Chinese, Japanese or Korean character, because these words have no spaces between. */
const mention = /(?<=^|[\s\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef])@\S*$/;

/** Returns the trigger before the caret: `@` at the start of a word, `/` only at the start of the message. */
export function triggerAt(text: string, caret: number): Trigger | null {
  // Longer text is not scanned: this runs on each key, and a text may have megabytes.
  const from = Math.max(0, caret - maxQuery - 1);
  const before = text.slice(from, caret);
  const found = (from === 0 ? /^\/\S*$/.exec(before) : null) ?? mention.exec(before);
  if (found === null || found[0].length > maxQuery) return null;
  return { trigger: found[0].startsWith('/') ? '/' : '@', start: from + found.index, query: found[0].slice(1) };
}

/** Returns the popup while its request is pending: the items for the same trigger stay until the answer arrives. */
export function asked(before: Completion | null, trigger: Trigger, request: number): Completion {
  const isSame = before?.trigger === trigger.trigger && before.start === trigger.start;
  const { items, shown, selected } = isSame ? before : { items: null, shown: null, selected: 0 };
  return { ...trigger, request, items, shown, selected };
}

/** Returns the popup with an answer; an answer to an older request changes nothing. */
export function answered(
  completion: Completion | null,
  answer: { readonly request: number; readonly items: readonly CompletionItem[] },
): Completion | null {
  if (completion === null || completion.request !== answer.request) return completion;
  const { items, request: shown } = answer;
  return { ...completion, items, shown, selected: Math.max(0, items.findIndex(canBeChosen)) };
}

/** Moves the selection; after the last item comes the first. */
export function moved(completion: Completion, step: 1 | -1): Completion {
  const count = completion.items?.length ?? 0;
  return count === 0 ? completion : { ...completion, selected: (completion.selected + step + count) % count };
}

/** Returns what a key does in the open popup, or null if the popup does not handle it. */
export function popupAction(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  { items, selected }: Pick<Completion, 'items' | 'selected'>,
): 'next' | 'previous' | 'choose' | 'wait' | 'dismiss' | null {
  const hasItem = items?.[selected] !== undefined;
  switch (key) {
    case 'ArrowDown':
      return hasItem ? 'next' : null;
    case 'ArrowUp':
      return hasItem ? 'previous' : null;
    case 'Enter':
    case 'Tab':
      if (shiftKey) return null;
      if (hasItem) return 'choose';
      // No matches: the text was not a trigger. No answer yet: half-typed text is not sent.
      return items === null ? 'wait' : null;
    case 'Escape':
      return 'dismiss';
    default:
      return null;
  }
}

export function canBeChosen({ isBlocked }: CompletionItem): boolean {
  return isBlocked !== true;
}
