import { longText } from '../longText.ts';
import { draftIn, editingIn, type Kept, type PageState, summaryIn } from './draft.ts';
import { pastedIn } from './pasted.ts';

/** Milliseconds without a change before a long text is saved. */
const restMs = 500;

/**
 * Keeps unsent text in the page's state, which VS Code writes to its disk, if the policy allows it. Each save sends the
 * whole state to VS Code as one message: a short text is saved on each key, a long one when typing pauses or the page
 * is left.
 */
export class DraftKeeper {
  readonly #page: PageState;
  #mayKeep = false;
  #waiting: Kept = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: PageState) {
    this.#page = page;
  }

  /** Changes a part of the state; the others stay. */
  keep(mayKeep: boolean, part: Kept): void {
    this.#mayKeep = mayKeep;
    this.#waiting = { ...this.#waiting, ...part };
    clearTimeout(this.#timer);
    const { draft = '', pasted = [], editing, summary } = this.#kept();
    const length = [draft, ...pasted, editing?.text ?? '', summary?.text ?? ''].reduce(
      (sum, text) => sum + text.length,
      0,
    );
    if (!mayKeep || length < longText) this.#write();
    else this.#timer = setTimeout(() => this.flush(), restMs);
  }

  /** Saves pending changes now. */
  flush(): void {
    clearTimeout(this.#timer);
    if (Object.keys(this.#waiting).length > 0) this.#write();
  }

  #kept(): Kept {
    const saved = this.#page.getState();
    const before = {
      draft: draftIn(saved),
      pasted: pastedIn(saved),
      editing: editingIn(saved),
      summary: summaryIn(saved),
    };
    const { draft, pasted = [], editing, summary }: Kept = { ...before, ...this.#waiting };
    return {
      ...(draft ? { draft } : {}),
      ...(pasted.length === 0 ? {} : { pasted }),
      ...(editing === undefined ? {} : { editing }),
      ...(summary === undefined ? {} : { summary }),
    };
  }

  #write(): void {
    const kept = this.#kept();
    this.#waiting = {};
    this.#page.setState(this.#mayKeep && Object.keys(kept).length > 0 ? kept : undefined);
  }
}
