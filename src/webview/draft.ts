/** What VS Code gives a page to keep across reloads. */
export interface PageState {
  getState(): unknown;
  setState(state: unknown): void;
}

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
  /** Long texts that were pasted beside it. */
  readonly pasted?: readonly string[];
  readonly editing?: Editing | undefined;
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

/** The name behind a `/` at the start of a text; empty where there is none. */
export function commandIn(text: string): string {
  return /^\/([a-z][a-z0-9-]{0,99})(?=\s|$)/.exec(text)?.[1] ?? '';
}
