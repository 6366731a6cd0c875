import * as vscode from 'vscode';
import { showHint } from '../../../../platform/messages/hint.ts';
import { showError } from '../../../../platform/messages/show.ts';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { PanelChanges } from './panelChanges.ts';

const t = vscode.l10n.t;

interface ChangesService {
  readonly changes: PanelChanges;
}

/** The result of a decision, returned to keybindings and other callers. */
export type ChangesDecided = { readonly ok: true } | { readonly ok: false; readonly reason: 'none' | 'refused' };

export async function acceptChanges({ changes }: ChangesService): Promise<ChangesDecided> {
  return changes.view()?.hasOpen === true ? decided(() => changes.decideAll('accept')) : none();
}

export async function rejectChanges({ changes }: ChangesService): Promise<ChangesDecided> {
  return changes.view()?.hasOpen === true ? decided(() => changes.decideAll('reject')) : none();
}

export async function undoChanges({ changes }: ChangesService): Promise<ChangesDecided> {
  return changes.view()?.undo === undefined ? none() : decided(() => changes.undo());
}

async function decided(act: () => Promise<void>): Promise<ChangesDecided> {
  try {
    await act();
    return { ok: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    void showError(error.message);
    return { ok: false, reason: 'refused' };
  }
}

function none(): ChangesDecided {
  showHint(t('This conversation has no changes of files to decide about.'));
  return { ok: false, reason: 'none' };
}
