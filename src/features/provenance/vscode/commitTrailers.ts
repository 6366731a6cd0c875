import * as vscode from 'vscode';
import { committedEdits } from '../../../evidence/provenance/committed.ts';
import { assistedBy, checkpointTrailer, withTrailers } from '../../../evidence/provenance/trailers.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { type Failure, notAsked } from '../../../platform/messages/withErrorReporting.ts';
import type { AuditService } from '../../audit/vscode/auditService.ts';
import { repositoryFor } from '../../edits/vscode/commands/repository.ts';
import { linesToCommit } from './changedLines.ts';
import type { Provenance } from './provenance.ts';

const t = vscode.l10n.t;

/**
 * Adds lines to the message in the input box of the source control view. They state the models whose code is in the changes,
 * and the state of the audit log. The user decides whether to commit.
 */
export async function addCommitTrailers(
  { provenance, audit }: { readonly provenance: Provenance; readonly audit: AuditService },
  chosen?: { readonly rootUri: vscode.Uri | undefined },
): Promise<{ readonly ok: true; readonly message: string } | Failure> {
  const about = await repositoryFor(chosen?.rootUri);
  if (about === null) return notAsked();
  const { program, repository } = about;
  const edits = await committedEdits(await provenance.ownEdits(), await linesToCommit(program, repository));
  const signed = await audit.sign('commit');
  const models = [...new Set(edits.map(({ model }) => model))].sort();
  const trailers = [
    ...models.map(assistedBy),
    ...(signed === null ? [] : [checkpointTrailer(signed.origin, signed.size, signed.root.toString('base64'))]),
  ];
  const message = withTrailers(repository.inputBox.value, trailers);
  repository.inputBox.value = message;
  if (models.length === 0) {
    showHint(t('These changes contain no lines that you accepted from Svc, as far as this machine knows.'));
  } else if (chosen?.rootUri === undefined) {
    showHint(t('The lines were added to the message in the input box of Source Control.'));
  }
  return { ok: true, message };
}
