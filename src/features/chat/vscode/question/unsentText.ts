import type { PanelCalls } from '../../../../protocol/panelCalls.ts';
import type { ViewEvent } from '../../../../protocol/panelEvents.ts';
import type { UnsentText } from '../../../../protocol/unsentText.ts';

/**
 * The unsent text of a page that may not store it itself, because VS Code would write it to the disk. Kept only in memory:
 * a page that is created again gets it back; after a reload of the window it is lost.
 */
export class KeptText {
  #text: UnsentText = {};

  /** The events that a page that is created again gets with its first snapshot. */
  get events(): readonly ViewEvent[] {
    return Object.keys(this.#text).length === 0 ? [] : [{ type: 'text-restored', text: this.#text }];
  }

  keep(text: UnsentText): void {
    this.#text = text;
  }

  /** Removes a message that was accepted. The page may end before it reports this; text that was typed since stays. */
  sent({ text }: Pick<Parameters<PanelCalls['send']>[0], 'text'>): void {
    const { draft = '', pasted = [], ...others } = this.#text;
    if (messageOf(draft, pasted) === text) this.#text = others;
  }

  edited({ turnId, text }: Parameters<PanelCalls['edit']>[0]): void {
    const { editing, ...others } = this.#text;
    if (editing?.turnId === turnId && editing.text === text) this.#text = others;
  }

  summarized({ turnId, text }: Parameters<PanelCalls['editSummary']>[0]): void {
    const { summary, ...others } = this.#text;
    if (summary?.turnId === turnId && summary.text === text) this.#text = others;
  }

  forget(): void {
    this.#text = {};
  }
}

/** The message, joined like in the page. */
function messageOf(draft: string, pasted: readonly string[]): string {
  if (pasted.length === 0) return draft;
  return (draft.trim() === '' ? pasted : [draft, ...pasted]).join('\n\n');
}
