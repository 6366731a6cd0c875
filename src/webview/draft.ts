import type { Posture } from '../protocol/messages.ts';
import type { PageState } from './panel.ts';

/** A question of an earlier turn that is being changed. */
export interface Editing {
  readonly turnId: string;
  readonly text: string;
  /** Which of the turn's attachments go along again, by index. */
  readonly attachments: readonly number[];
}

/** What the page keeps while it is away: what was typed and not sent. */
export interface Kept {
  readonly draft?: string;
  readonly editing?: Editing | undefined;
}

/**
 * Whether an unsent message may be kept in the webview's state, which VS Code writes to disk. Not under zero
 * retention, and not where the policy is unknown or does not resolve: it may be asking for just that.
 */
export function mayKeepDraft(posture: Posture | undefined): boolean {
  if (posture === undefined || posture.problems.length > 0) return false;
  return !posture.headers.some(
    ({ name, value }) => name.toLowerCase() === 'svc-zero-retention' && value.trim().toLowerCase() === 'true',
  );
}

/** Keeps a part beside what is kept already, or nothing of either where it may not be. */
export function keep(page: PageState, posture: Posture, part: Kept): void {
  const saved = page.getState();
  const { draft, editing }: Kept = { draft: draftIn(saved), editing: editingIn(saved), ...part };
  const kept = { ...(draft ? { draft } : {}), ...(editing === undefined ? {} : { editing }) };
  page.setState(mayKeepDraft(posture) && Object.keys(kept).length > 0 ? kept : undefined);
}

/** The draft in what getState() returned, which may be anything an older version left. */
export function draftIn(saved: unknown): string {
  if (typeof saved !== 'object' || saved === null || !('draft' in saved)) return '';
  return typeof saved.draft === 'string' ? saved.draft : '';
}

/** The edited question in what getState() returned. */
export function editingIn(saved: unknown): Editing | undefined {
  if (typeof saved !== 'object' || saved === null || !('editing' in saved)) return undefined;
  const { turnId, text, attachments } = Object(saved.editing) as Readonly<Record<string, unknown>>;
  if (typeof turnId !== 'string' || typeof text !== 'string' || !Array.isArray(attachments)) return undefined;
  return { turnId, text, attachments: attachments.filter((index) => Number.isInteger(index)) };
}

/** A draft that asks for what was offered: what was typed stays, a slash command before it goes. */
export function withStarter(starter: string, draft: string): string {
  return starter + draft.replace(/^\s*(\/\S*\s*)?/, '');
}
