import * as vscode from 'vscode';
import { mayWriteMessage } from '../../../../platform/confirm/keptOnDisk.ts';
import type { GitRepository } from '../../../../platform/git/api.ts';
import type { ChangeKind } from '../../../../platform/git/changes.ts';
import { lastSubjects } from '../../../../platform/git/subjects.ts';
import { doubtIn, mayUseAnswer } from '../../../../platform/messages/answerEnds.ts';
import { showHint } from '../../../../platform/messages/hint.ts';
import { showingWaits } from '../../../../platform/messages/waits.ts';
import {
  type Failure,
  failureOf,
  notAsked,
  showFailure,
  withProgress,
} from '../../../../platform/messages/withErrorReporting.ts';
import type { RequestContextReader } from '../../../../platform/settings/requestContextReader.ts';
import { folderOf } from '../../../../platform/settings/settingsReader.ts';
import { requireTrustToSend } from '../../../../platform/settings/trust.ts';
import { whyFileExcluded } from '../../../../platform/sources/ignored/exclusions.ts';
import { withCleanEnd } from '../../../../send/cleanEnd.ts';
import type { ConfirmSend } from '../../../../send/confirmation.ts';
import type { Dispatch } from '../../../../send/dispatch.ts';
import { type Attachment, placesOf } from '../../../../send/message/attachment.ts';
import type { Refusals } from '../../../../send/refusals.ts';
import { commitMessage, commitParts } from '../../../../session/prompts/editPrompts.ts';
import { isServiceError, ServiceError } from '../../../../util/errors.ts';
import { whyCut } from '../../../../util/whyCut.ts';
import { warnIfContradicted } from '../../../compliance/vscode/describeReceipt.ts';
import { type Diffs, placeOf, readDiffs } from '../../../context/vscode/git/diffs.ts';
import { keptOf, messageWith, type Written } from './commitBox.ts';
import { type ChosenRepository, repositoryFor } from './repository.ts';

const t = vscode.l10n.t;

/** The maximum size of all diffs together in characters. The user is told which files do not fit. */
const budget = 60_000;
/** The number of earlier messages that show the repository's style. */
const styleMessages = 10;

interface Parts {
  readonly dispatch: Dispatch;
  readonly confirmSend: ConfirmSend;
  readonly contextReader: RequestContextReader;
  readonly refusals: Pick<Refusals, 'watch'>;
}

/** The last message for each repository, by its root URI, in memory only. */
const written = new Map<string, Written>();

/**
 * Writes a message for the staged changes, or else for all changes, or else for new files, into the input box of the
 * source control view, after the text that the user has written there; the user decides whether to commit. The box
 * changes only when the answer is complete. Without `chosen`, as from the command palette, the user may not see the box
 * and is told where the message is.
 */
export async function generateCommitMessage(
  parts: Parts,
  chosen?: { readonly rootUri: vscode.Uri | undefined },
): Promise<{ readonly ok: true; readonly message: string } | Failure> {
  try {
    await requireTrustToSend(parts.refusals, 'generate');
    const about = await repositoryFor(chosen?.rootUri);
    if (about === null) return notAsked();
    const { diffs, kind } = await diffsOf(about.program, about.repository);
    const { sent, omitted } = choose(diffs);
    if (sent.length === 0) await parts.refusals.watch('generate', () => requireAllowed(about.repository, diffs));
    if (omitted.length > 0) {
      showHint(t('Left out because they are excluded, too large or not text: {0}', omitted.join(', ')), {
        isWarning: true,
      });
    }
    if (sent.length === 0) return omitted.length > 0 ? notAsked() : noChanges(about.name);
    const { contextReader } = parts;
    const folders = placesOf(sent);
    const asked = { action: 'generate', modelKey: 'svc.model.code', folders } as const;
    await parts.refusals.watch('generate', () => contextReader.forRequest(asked));
    // The user is asked before anything is sent. If nothing can be sent, the request reports why.
    const isAsked = contextReader.retention(folders) === 'none';
    if (isAsked && !(await mayWriteMessage())) return notAsked();
    // Zero retention may have been switched on before the answer arrives.
    const mayWrite = async () => isAsked || contextReader.retention(folders) === 'keep' || mayWriteMessage();
    const described = await describe(parts, about, sent, mayWrite);
    if (described.ok && chosen?.rootUri === undefined) tellWhere(about.name, kind);
    return described;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '', () => generateCommitMessage(parts, chosen));
    return failureOf(error);
  }
}

/** Throws if changed files are excluded, because there is nothing else to describe. */
async function requireAllowed({ rootUri }: GitRepository, { leftOut }: Diffs): Promise<void> {
  const excluded = leftOut.find(({ reason }) => reason === 'excluded');
  if (excluded === undefined) return;
  const { path: file } = excluded;
  const reason = (await whyFileExcluded(vscode.Uri.joinPath(rootUri, file).toString())) ?? '';
  throw new ServiceError('gate', 'A file may not be sent.', { code: 'excluded', file, reason });
}

function noChanges(name: string | null): Failure {
  showHint(
    name === null ? t('There are no changes to describe.') : t('There are no changes to describe in {0}.', name),
  );
  return notAsked();
}

function tellWhere(name: string | null, kind: ChangeKind): void {
  const words = whereWords(kind);
  const run = (): Thenable<unknown> => vscode.commands.executeCommand('workbench.view.scm');
  showHint(name === null ? words : `${name}: ${words}`, { button: { label: t('Show in Source Control'), run } });
}

function whereWords(kind: ChangeKind): string {
  switch (kind) {
    case 'staged':
      return t('The message for the staged changes is in the input box of Source Control.');
    case 'all':
      return t('Nothing is staged: the message for all changes is in the input box of Source Control.');
    case 'with-untracked':
      return t('Nothing is staged: the message for the new files is in the input box of Source Control.');
  }
}

async function describe(
  parts: Parts,
  { program, repository, name }: ChosenRepository,
  sent: readonly Attachment[],
  mayWrite: () => Promise<boolean>,
): Promise<{ readonly ok: true; readonly message: string } | Failure> {
  const style = await lastSubjects(placeOf(program, repository), styleMessages);
  const title =
    name === null ? t('Svc is writing a commit message…') : t('Svc is writing a commit message for {0}…', name);
  return withProgress(title, async (signal, _report, waits) => {
    const root = repository.rootUri.toString();
    const { beginning } = keptOf(repository.inputBox.value, written.get(root));
    const message = { role: 'user', parts: commitParts(sent, style, beginning), secrets: 'ask' } as const;
    const outgoing = { action: 'generate', messages: [message], modelKey: 'svc.model.code', folders: [] } as const;
    const sending = await showingWaits(parts.dispatch, waits).send(outgoing, parts.confirmSend, signal);
    const { origin, model } = sending;
    let answer = '';
    let finishReason: string | undefined;
    for await (const batch of withCleanEnd(sending.events)) {
      for (const event of batch) {
        if (event.type === 'text-delta') answer += event.text;
        else if (event.type === 'finish') finishReason = event.finishReason;
        else if (event.type === 'receipt') warnIfContradicted(event.receipt);
      }
    }
    const cut = whyCut(finishReason);
    if (cut === 'filter' || cut === 'length') {
      throw new ServiceError('protocol', 'The message was cut off.', { code: cut === 'filter' ? 'filtered' : 'cut' });
    }
    const text = commitMessage(answer);
    if (text === '') throw new ServiceError('protocol', 'The answer has no message.', { code: 'no-code' });
    const reason = doubtIn(finishReason);
    if (reason !== null && !(await mayUseAnswer({ reason, origin, model, isClosed: true }))) return notAsked();
    if (!(await mayWrite())) return notAsked();
    // The user may have written more while the answer arrived.
    const kept = keptOf(repository.inputBox.value, written.get(root));
    const { body, box } = messageWith(kept, text);
    repository.inputBox.value = box;
    // The text is read from the box, which may change line endings.
    written.set(root, { message: body, beginning: kept.beginning });
    return { ok: true as const, message: repository.inputBox.value };
  });
}

/** The staged changes, or else all changes of tracked files, or else the new files, which VS Code would commit. */
async function diffsOf(
  program: string,
  repository: GitRepository,
): Promise<{ readonly diffs: Diffs; readonly kind: ChangeKind }> {
  for (const kind of ['staged', 'all'] as const) {
    const diffs = await readDiffs(program, repository, kind);
    if (diffs.files.length + diffs.leftOut.length + diffs.beyond > 0) return { diffs, kind };
  }
  return { diffs: await readDiffs(program, repository, 'with-untracked'), kind: 'with-untracked' };
}

/**
 * The files within the budget. Excluded files are left out without an error, because the user did not choose them one
 * by one.
 */
function choose({ files, leftOut, beyond }: Diffs): {
  readonly sent: readonly Attachment[];
  readonly omitted: readonly string[];
} {
  const sent: Attachment[] = [];
  const omitted = leftOut.map(({ path }) => path);
  let size = 0;
  for (const { path, uri, diff } of files) {
    const { text, marks, covers } = diff;
    if (size + text.length > budget) {
      omitted.push(path);
      continue;
    }
    size += text.length;
    const place = { uri: uri.toString(), firstLine: 1, languageId: 'diff', folder: folderOf(uri) };
    sent.push({ label: path, ...place, text, marks, covers });
  }
  return { sent, omitted: beyond === 0 ? omitted : [...omitted, t('{0} more files', beyond)] };
}
