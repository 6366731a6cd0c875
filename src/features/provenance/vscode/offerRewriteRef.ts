import * as vscode from 'vscode';
import { notesRef } from '../../../evidence/provenance/aiNote.ts';
import { type GitPlace, runGit } from '../../../platform/git/run.ts';
import { showInformation } from '../../../platform/messages/show.ts';

const t = vscode.l10n.t;
const key = 'notes.rewriteRef';
const askedSlot = 'svc.provenance.rewriteRefAsked';

/**
 * Offers, once per workspace, to configure git so that it keeps the notes of commits that are rewritten outside VS Code.
 * Nothing is set unless the user agrees.
 */
export async function offerRewriteRef(place: GitPlace, state: vscode.Memento): Promise<void> {
  if (state.get(askedSlot) === true || (await isSet(place))) return;
  await state.update(askedSlot, true);
  const set = t('Set for This Repository');
  const question = t(
    'A Git note now names the lines that you accepted from Svc. Git loses it when you amend or rebase without VS Code, unless {0} is set. Set it?',
    key,
  );
  if ((await showInformation(question, set, t('Not Now'))) !== set) return;
  await runGit(place, ['config', '--local', '--add', key, notesRef]);
}

async function isSet(place: GitPlace): Promise<boolean> {
  // Git ends with an error if it is not set.
  const output = await runGit(place, ['config', '--null', '--get-all', key]).catch(() => Buffer.of());
  const patterns = output.toString().split('\0');
  return patterns.includes(notesRef) || patterns.includes('refs/notes/*');
}
