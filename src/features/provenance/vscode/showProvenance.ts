import * as vscode from 'vscode';
import { committedEdits } from '../../../evidence/provenance/committed.ts';
import { codeOf } from '../../../evidence/provenance/lineKeys.ts';
import { lineOrigin } from '../../../evidence/provenance/repository/lineOrigin.ts';
import type { AcceptedEdit } from '../../../evidence/provenance/svcEdits.ts';
import type { ReadOnlyDocuments } from '../../../platform/confirm/readOnlyDocument.ts';
import { gitState } from '../../../platform/git/api.ts';
import { runGit } from '../../../platform/git/run.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { type Failure, notAsked } from '../../../platform/messages/withErrorReporting.ts';
import type { AuditEntryOf } from '../../../send/audit.ts';
import type { AuditService } from '../../audit/vscode/auditService.ts';
import type { StampedEntry } from '../../audit/vscode/rows.ts';
import { placeOf } from '../../context/vscode/git/diffs.ts';
import { linesOf } from '../../edits/common/hunks.ts';
import { describeProvenance, type LineFacts } from './describeProvenance.ts';
import type { Provenance } from './provenance.ts';

const t = vscode.l10n.t;

interface Parts {
  readonly audit: AuditService;
  readonly provenance: Provenance;
  readonly documents: ReadOnlyDocuments;
}

/** The origin of a line; `found` is null if this machine does not know the line as code accepted from Svc. */
interface ShownProvenance {
  readonly ok: true;
  readonly found: {
    readonly request: string;
    readonly edit: string;
    readonly commit: string | null;
    readonly isProven: boolean;
  } | null;
}

/**
 * Shows the request that the line at the cursor came from: its model, its compliance settings, the confirmation and the
 * proof.
 */
export async function showProvenance(parts: Parts): Promise<ShownProvenance | Failure> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    showHint(t('Open a file with code first.'));
    return notAsked();
  }
  const { document, selection } = editor;
  const number = selection.active.line + 1;
  const name = vscode.workspace.asRelativePath(document.uri);
  const origin = await originOf(parts, document, number);
  if (origin === null) {
    showHint(
      t(
        'Line {0} of {1} is not code that was accepted from Svc, as far as this machine and the Git notes show.',
        number,
        name,
      ),
    );
    return { ok: true, found: null };
  }
  const facts = await factsOf(parts, origin);
  await parts.documents.show(
    `${t('Provenance')}.txt`,
    describeProvenance({ name, number, edit: origin.accepted, commit: origin.commit, ...facts }),
  );
  const { accepted, commit } = origin;
  const { isProven } = facts;
  return { ok: true, found: { request: accepted.request, edit: accepted.edit, commit, isProven } };
}

interface Origin {
  readonly accepted: AcceptedEdit;
  /** The commit of the line; null if the line is not committed. */
  readonly commit: string | null;
}

/** Uses the note of the commit that wrote the line, otherwise the data of this machine. */
async function originOf({ provenance }: Parts, document: vscode.TextDocument, number: number): Promise<Origin | null> {
  const committed = await committedOrigin(document, number);
  if (committed?.edit != null) return { accepted: committed.edit, commit: committed.commit };
  const lines = linesOf(document.getText()).map((text, index) => ({ number: index + 1, text }));
  const found = await committedEdits(await provenance.ownEdits(), [{ path: '', lines }]);
  const edit = found.find((one) => one.lines.some((line) => line.number === number));
  return edit === undefined ? null : { accepted: edit, commit: committed?.commit ?? null };
}

async function committedOrigin(document: vscode.TextDocument, number: number) {
  if (document.uri.scheme !== 'file') return null;
  const state = await gitState();
  if (state.is !== 'ready') return null;
  const containing = state.repositories.filter(({ rootUri }) => document.uri.path.startsWith(`${rootUri.path}/`));
  const [repository] = containing.sort((a, b) => b.rootUri.path.length - a.rootUri.path.length);
  if (repository === undefined) return null;
  const place = placeOf(state.program, repository);
  const path = document.uri.path.slice(repository.rootUri.path.length + 1);
  return lineOrigin((args, input) => runGit(place, args, input), path, document.getText(), number);
}

/** Returns the records in this machine's log about the line. */
async function factsOf({ audit }: Parts, { accepted }: Origin): Promise<LineFacts> {
  const { edit, session, seq, tags, request } = accepted;
  const records = (await audit.read()).records as readonly StampedEntry[];
  const record = records.find((one) => one.kind === 'code-accepted' && one.edit === edit);
  const isSame = (one: StampedEntry & AuditEntryOf<'code-accepted'>): boolean =>
    one.session === session && one.seq === seq && one.request === request && one.code === codeOf(tags);
  const requestRecords = records.filter((one) => 'request' in one && one.request === request);
  const outcomes = requestRecords.filter((one) => one.kind === 'request-outcome');
  return {
    intent: requestRecords.find((one) => one.kind === 'request-intent') ?? null,
    // An outcome `unknown` was only recorded by the next window, so another outcome takes precedence.
    outcome: outcomes.find(({ outcome }) => outcome !== 'unknown') ?? outcomes[0] ?? null,
    accepted: record ?? null,
    isProven: record?.kind === 'code-accepted' && isSame(record),
  };
}
