import type { EditedSummary, Editing } from '../../protocol/unsentText.ts';

/** The VS Code API that keeps a page's state across reloads. */
export interface PageState {
  getState(): unknown;
  setState(state: unknown): void;
}

/** The draft in the result of getState(), which may be of any earlier version. */
export function draftIn(saved: unknown): string {
  if (typeof saved !== 'object' || saved === null || !('draft' in saved)) return '';
  return typeof saved.draft === 'string' ? saved.draft : '';
}

/** The edited question in the result of getState(). */
export function editingIn(saved: unknown): Editing | undefined {
  if (typeof saved !== 'object' || saved === null || !('editing' in saved)) return undefined;
  const { turnId, text, attachments } = Object(saved.editing) as Readonly<Record<string, unknown>>;
  if (typeof turnId !== 'string' || typeof text !== 'string' || !Array.isArray(attachments)) return undefined;
  return { turnId, text, attachments: attachments.filter((index) => Number.isInteger(index)) };
}

/** The edited summary in the result of getState(). */
export function summaryIn(saved: unknown): EditedSummary | undefined {
  if (typeof saved !== 'object' || saved === null || !('summary' in saved)) return undefined;
  const { turnId, text } = Object(saved.summary) as Readonly<Record<string, unknown>>;
  return typeof turnId === 'string' && typeof text === 'string' ? { turnId, text } : undefined;
}

/** The name after a `/` at the start of a text; empty if there is none. */
export function commandIn(text: string): string {
  return /^\/([a-z][a-z0-9-]{0,99})(?=\s|$)/.exec(text)?.[1] ?? '';
}
