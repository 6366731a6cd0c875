import type { EditedSummary, Editing } from '../../protocol/unsentText.ts';

/** The VS Code API that keeps a page's state across reloads. */
export interface PageState {
  getState(): unknown;
  setState(state: unknown): void;
}

/** Returns the draft from the result of getState(), which any earlier version may have written. */
export function draftIn(saved: unknown): string {
  if (typeof saved !== 'object' || saved === null || !('draft' in saved)) return '';
  return typeof saved.draft === 'string' ? saved.draft : '';
}

/** The end of the conversation that a draft was typed for: the id of the last turn, or an empty id if there was no turn. */
export interface DraftEnd {
  readonly conversationId: string;
  readonly turnId: string;
}

/** Returns the end that was saved with the draft, from the result of getState(). */
export function endIn(saved: unknown): DraftEnd | undefined {
  const { end } = Object(saved) as { readonly end?: unknown };
  const { conversationId, turnId } = Object(end) as Readonly<Record<string, unknown>>;
  return typeof conversationId === 'string' && typeof turnId === 'string' ? { conversationId, turnId } : undefined;
}

/**
 * Whether a saved draft was sent: a turn after its end has its text. VS Code saves a page's state late, and a page may end before
 * the host has accepted its question, so a page can begin with text that was already sent.
 */
export function wasSent(
  message: string,
  end: DraftEnd | undefined,
  conversationId: string | undefined,
  turns: readonly { readonly id: string; readonly prompt: string }[],
): boolean {
  if (message.trim() === '' || end === undefined || end.conversationId !== conversationId) return false;
  const last = turns.findIndex(({ id }) => id === end.turnId);
  if (last === -1 && end.turnId !== '') return false;
  return turns.slice(last + 1).some(({ prompt }) => prompt.trim() === message.trim());
}

/** Returns the edited question from the result of getState(). */
export function editingIn(saved: unknown): Editing | undefined {
  if (typeof saved !== 'object' || saved === null || !('editing' in saved)) return undefined;
  const { turnId, text, attachments } = Object(saved.editing) as Readonly<Record<string, unknown>>;
  if (typeof turnId !== 'string' || typeof text !== 'string' || !Array.isArray(attachments)) return undefined;
  return { turnId, text, attachments: attachments.filter((index) => Number.isInteger(index)) };
}

/** Returns the edited summary from the result of getState(). */
export function summaryIn(saved: unknown): EditedSummary | undefined {
  if (typeof saved !== 'object' || saved === null || !('summary' in saved)) return undefined;
  const { turnId, text } = Object(saved.summary) as Readonly<Record<string, unknown>>;
  return typeof turnId === 'string' && typeof text === 'string' ? { turnId, text } : undefined;
}

/** Returns the command name after a `/` at the start of a text, or an empty string if there is none. */
export function commandIn(text: string): string {
  return /^\/([a-z][a-z0-9-]{0,99})(?=\s|$)/.exec(text)?.[1] ?? '';
}
