import * as vscode from 'vscode';
import { showHint } from '../../../platform/messages/hint.ts';
import { showError } from '../../../platform/messages/show.ts';
import { type Hunk, hunkAt } from '../common/hunks.ts';
import type { Proposal } from './proposal.ts';
import type { Front } from './shown/front.ts';
import { hasText, isInSight } from './shown/proposalTabs.ts';

const t = vscode.l10n.t;

/** The result of an accept or a reject, returned to keybindings and other callers. */
export type Decided =
  | { readonly ok: true; readonly left: number }
  | { readonly ok: false; readonly reason: 'none' | 'ended' | 'changed' | 'gone' | 'refused' | 'cancelled' };

export const nothing: Decided = { ok: false, reason: 'none' };

/** The message that the proposal named by a command, or any proposal, is not open. */
export function noneOpen(named: unknown): string {
  return named === undefined
    ? t('No diff with changes is open.')
    : t('These changes are no longer open. Nothing was written.');
}

/** Selects a change by its ID, which is never reused; or else by a line of the proposed text, or by the cursor. */
export interface HunkRef {
  readonly line?: number | undefined;
  readonly id?: number | undefined;
}

/**
 * Returns a message that explains why the proposal cannot be decided now, or null if it can. A proposal must be
 * complete and visible, so that the user decides only on what they see. `front` is passed if the command names no
 * proposal.
 */
export function whyUndecided(proposal: Proposal | undefined, front: Front | undefined): string | null {
  if (proposal === undefined) return noneOpen(front === undefined ? 'named' : undefined);
  const { name, uri, text, draft } = proposal;
  // VS Code may still show the text before the last delta, or before the last decision.
  if (!draft.isComplete || !hasText(uri, text)) return t('The changes to {0} are not complete yet.', name);
  if (!isInSight(uri)) return t('The changes to {0} are not visible. Nothing was written.', name);
  if (front?.takeUnasked(proposal) !== true) return null;
  return t(
    'The changes that were open are closed, and the changes to {0} are open now. Choose again to accept or reject these.',
    name,
  );
}

/** Returns the selected change; shows a message and returns an empty list if there is none. */
export function hunkOf({ draft, uri }: Proposal, { line, id }: HunkRef): readonly Hunk[] {
  if (id !== undefined) {
    const named = draft.hunks.filter((hunk) => hunk.id === id);
    if (named.length === 0) showHint(t('This change is already accepted or rejected.'));
    return named;
  }
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const asked = line ?? editor?.selection.active.line;
  const found = asked === undefined ? undefined : hunkAt(draft.hunks, asked);
  if (found === undefined) showHint(t('Place the cursor on a change first.'));
  return found === undefined ? [] : [found];
}

/**
 * Reports that the document is not the one that the proposal was made for. The user can save the proposed text as a new
 * file.
 */
export function showChanged(saveElsewhere: () => unknown): Decided {
  void offerSave(
    t('The file changed after this diff was created, so nothing was written. Reject the changes and ask again.'),
    saveElsewhere,
  );
  return { ok: false, reason: 'changed' };
}

/** Commands do not wait for this: they have ended. */
async function offerSave(words: string, saveElsewhere: () => unknown): Promise<void> {
  const save = t('Save as New File…');
  if ((await showError(words, save)) === save) await saveElsewhere();
}

/** Reports why the changes were not written. The user can save the proposed text as a new file. */
export function showRefused(failure: string, saveElsewhere: () => unknown): Decided {
  void offerSave(failure, saveElsewhere);
  return { ok: false, reason: 'refused' };
}
