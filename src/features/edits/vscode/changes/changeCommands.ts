import * as vscode from 'vscode';
import { showHint } from '../../../../platform/messages/hint.ts';
import { showError } from '../../../../platform/messages/show.ts';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { ChangeDecision } from '../../../../protocol/changesView.ts';
import type { Acceptance } from './acceptance.ts';
import type { PanelChanges } from './panelChanges.ts';

const t = vscode.l10n.t;

interface ChangesService {
  readonly changes: PanelChanges;
  readonly acceptance: Pick<Acceptance, 'next' | 'undo'>;
}

/** The result of a decision, returned to keybindings and other callers. */
export type ChangesDecided = { readonly ok: true } | { readonly ok: false; readonly reason: 'none' | 'refused' };

export async function acceptChanges({ changes }: ChangesService): Promise<ChangesDecided> {
  return decided(() => decideAll(changes, 'accept'), noneProposed());
}

export async function rejectChanges({ changes }: ChangesService): Promise<ChangesDecided> {
  return decided(() => decideAll(changes, 'reject'), noneProposed());
}

/** Undoes the last accept, of changes in the panel or of a diff. */
export async function undoChanges({ acceptance }: ChangesService): Promise<ChangesDecided> {
  return decided(() => acceptance.next(() => acceptance.undo()), t('There are no accepted changes to undo.'));
}

async function decideAll(changes: PanelChanges, decision: ChangeDecision): Promise<boolean> {
  if (changes.view()?.hasOpen !== true) return false;
  await changes.decideAll(decision);
  return true;
}

/** `act` returns false if there is nothing to decide about; then `none` is shown. */
async function decided(act: () => Promise<boolean>, none: string): Promise<ChangesDecided> {
  try {
    if (await act()) return { ok: true };
    showHint(none);
    return { ok: false, reason: 'none' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    void showError(error.message);
    return { ok: false, reason: 'refused' };
  }
}

function noneProposed(): string {
  return t('There are no proposed changes to accept or reject.');
}
