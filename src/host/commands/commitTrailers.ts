import * as vscode from 'vscode';
import { committedEdits } from '../../evidence/provenance/committed.ts';
import { assistedBy, checkpointTrailer, withTrailers } from '../../evidence/provenance/trailers.ts';
import { gitState } from '../git/api.ts';
import { showInformation } from '../messages/show.ts';
import { type Failure, notAsked } from '../messages/withErrorReporting.ts';
import { linesToCommit } from '../provenance/changedLines.ts';
import type { Services } from '../services.ts';
import { chooseRepository } from './commitMessage.ts';

const t = vscode.l10n.t;

/**
 * Adds lines to the message in the input box of the source control view: the models whose code is in the changes, and the
 * state of the audit log. The user decides whether to commit.
 */
export async function addCommitTrailers(
  { provenance, audit }: Pick<Services, 'provenance' | 'audit'>,
  chosen?: { readonly rootUri: vscode.Uri | undefined },
): Promise<{ readonly ok: true; readonly message: string } | Failure> {
  const state = await gitState();
  const repository = state.is === 'ready' ? await chooseRepository(state.repositories, chosen?.rootUri) : undefined;
  if (state.is !== 'ready' || repository === undefined) {
    void showInformation(t('No git repository is open.'));
    return notAsked();
  }
  const edits = await committedEdits(await provenance.ownEdits(), await linesToCommit(state.program, repository));
  const signed = await audit.sign('commit');
  const models = [...new Set(edits.map(({ model }) => model))].sort();
  const trailers = [
    ...models.map(assistedBy),
    ...(signed === null ? [] : [checkpointTrailer(signed.origin, signed.size, signed.root.toString('base64'))]),
  ];
  const message = withTrailers(repository.inputBox.value, trailers);
  repository.inputBox.value = message;
  if (models.length === 0) {
    void showInformation(t('These changes contain no lines that you accepted from Svc, as far as this machine knows.'));
  }
  return { ok: true, message };
}
