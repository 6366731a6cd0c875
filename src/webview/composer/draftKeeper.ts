import type { UnsentText } from '../../protocol/unsentText.ts';
import { longText } from '../longText.ts';
import { type DraftEnd, draftIn, editingIn, endIn, type PageState, summaryIn } from './draft.ts';
import { pastedIn } from './pasted.ts';

/** The time without a change after which a long text is saved, in ms. */
const restMs = 500;

/** A change of some parts; a part that is undefined is removed. */
export type TextChange = { readonly [Part in keyof UnsentText]: UnsentText[Part] | undefined };

/**
 * Keeps unsent text: in the page's state, which VS Code writes to its disk, or, if the policy forbids that, with the
 * host, which has it in memory only. Each save sends the whole text as one message: a short text is saved on each key,
 * a long one when typing pauses or the page is left.
 */
export class DraftKeeper {
  readonly #page: PageState;
  readonly #tellHost: (text: UnsentText) => void;
  #text: UnsentText;
  #end: DraftEnd | undefined;
  #mayKeep = false;
  #isPending = false;
  /** Whether the host has some text, perhaps from an earlier page. */
  #isWithHost = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: PageState, tellHost: (text: UnsentText) => void) {
    this.#page = page;
    this.#tellHost = tellHost;
    const saved = page.getState();
    const [editing, summary] = [editingIn(saved), summaryIn(saved)];
    this.#end = endIn(saved);
    this.#text = withoutEmpty({ draft: draftIn(saved), pasted: pastedIn(saved), editing, summary });
  }

  /** Changes some parts and keeps all other parts. `end` is the end of the conversation for a draft. */
  keep(mayKeep: boolean, change: TextChange, end?: DraftEnd): void {
    this.#mayKeep = mayKeep;
    if (end !== undefined) this.#end = end;
    this.#text = withoutEmpty({ ...this.#text, ...change });
    this.#isPending = true;
    clearTimeout(this.#timer);
    // The saved state is removed immediately, not after a pause: the policy may just have changed.
    if (!mayKeep) this.#setState(undefined);
    if (lengthOf(this.#text) < longText) this.flush();
    else this.#timer = setTimeout(() => this.flush(), restMs);
  }

  /** Called when the host has returned the text that it kept for an earlier page. */
  restored(): void {
    this.#isWithHost = true;
  }

  /** Saves pending changes now. */
  flush(): void {
    clearTimeout(this.#timer);
    if (!this.#isPending) return;
    this.#isPending = false;
    const text = this.#text;
    const isEmpty = Object.keys(text).length === 0;
    const forHost = this.#mayKeep ? {} : text;
    const isForHost = !this.#mayKeep && !isEmpty;
    if (isForHost || this.#isWithHost) this.#tellHost(forHost);
    this.#isWithHost = isForHost;
    const hasDraft = text.draft !== undefined || text.pasted !== undefined;
    const saved = hasDraft && this.#end !== undefined ? { ...text, end: this.#end } : text;
    this.#setState(this.#mayKeep && !isEmpty ? saved : undefined);
  }

  #setState(text: UnsentText | undefined): void {
    if (text !== undefined || this.#page.getState() !== undefined) this.#page.setState(text);
  }
}

function withoutEmpty({ draft = '', pasted = [], editing, summary }: TextChange): UnsentText {
  return {
    ...(draft === '' ? {} : { draft }),
    ...(pasted.length === 0 ? {} : { pasted }),
    ...(editing === undefined ? {} : { editing }),
    ...(summary === undefined ? {} : { summary }),
  };
}

function lengthOf({ draft = '', pasted = [], editing, summary }: UnsentText): number {
  const texts = [draft, ...pasted, editing?.text ?? '', summary?.text ?? ''];
  return texts.reduce((sum, text) => sum + text.length, 0);
}
