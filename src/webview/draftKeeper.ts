import { draftIn, editingIn, type Kept, type PageState } from './draft.ts';
import { longText } from './longText.ts';
import { pastedIn } from './pasted.ts';

/** Milliseconds without a change after which a long text is kept. */
const restMs = 500;

/**
 * Keeps what was typed in the page's state, which VS Code writes to its disk, where it may be there. Each time, all that is
 * kept goes to VS Code as one message: a short text goes with each key, a long one once typing rests or the page is left.
 */
export class DraftKeeper {
  readonly #page: PageState;
  #mayKeep = false;
  #waiting: Kept = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: PageState) {
    this.#page = page;
  }

  /** Changes a part of what is kept; the others stay. */
  keep(mayKeep: boolean, part: Kept): void {
    this.#mayKeep = mayKeep;
    this.#waiting = { ...this.#waiting, ...part };
    clearTimeout(this.#timer);
    const { draft = '', pasted = [], editing } = this.#kept();
    const length = [draft, ...pasted, editing?.text ?? ''].reduce((sum, text) => sum + text.length, 0);
    if (!mayKeep || length < longText) this.#write();
    else this.#timer = setTimeout(() => this.flush(), restMs);
  }

  /** What still waits is kept now. */
  flush(): void {
    clearTimeout(this.#timer);
    if (Object.keys(this.#waiting).length > 0) this.#write();
  }

  #kept(): Kept {
    const saved = this.#page.getState();
    const before = { draft: draftIn(saved), pasted: pastedIn(saved), editing: editingIn(saved) };
    const { draft, pasted = [], editing }: Kept = { ...before, ...this.#waiting };
    return {
      ...(draft ? { draft } : {}),
      ...(pasted.length === 0 ? {} : { pasted }),
      ...(editing === undefined ? {} : { editing }),
    };
  }

  #write(): void {
    const kept = this.#kept();
    this.#waiting = {};
    this.#page.setState(this.#mayKeep && Object.keys(kept).length > 0 ? kept : undefined);
  }
}
