import type { PanelCalls } from '../../../../protocol/panelCalls.ts';
import type { ViewEvent } from '../../../../protocol/panelEvents.ts';
import type { UnsentText } from '../../../../protocol/unsentText.ts';

/**
 * The unsent text of a page that may not keep it itself, because VS Code would write it to the disk. Only in memory:
 * a page that is created again gets it back, a window that is loaded again does not.
 */
export class KeptText {
  #text: UnsentText = {};

  /** What a page that is created again gets with its first snapshot. */
  get events(): readonly ViewEvent[] {
    return Object.keys(this.#text).length === 0 ? [] : [{ type: 'text-restored', text: this.#text }];
  }

  keep(text: UnsentText): void {
    this.#text = text;
  }

  /** A message was taken. The page may end before it says so; what was typed meanwhile stays. */
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

/** As the page joins them. */
function messageOf(draft: string, pasted: readonly string[]): string {
  if (pasted.length === 0) return draft;
  return (draft.trim() === '' ? pasted : [draft, ...pasted]).join('\n\n');
}
