import * as vscode from 'vscode';
import { joinOf } from '../../gate/content.ts';
import type { Attachment } from '../../session/conversation.ts';
import { commitMessage, commitParts } from '../../session/editPrompts.ts';
import { isServiceError, ServiceError } from '../../util/errors.ts';
import { warnIfContradicted } from '../describeReceipt.ts';
import type { ProposeParts } from '../edits/propose.ts';
import { whyExcluded } from '../exclusions.ts';
import { folderOf } from '../settingsReader.ts';
import { type Failure, failureOf, notAsked, showFailure, withProgress } from './attempt.ts';

const t = vscode.l10n.t;

/** Characters of all diffs together, at most. What does not fit is said. */
const budget = 60_000;
/** How many messages before show the repository's style. */
const styleMessages = 10;

/** The part of the git extension's interface (version 1) that is used. */
interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  diff(cached?: boolean): Promise<string>;
  log(options: { readonly maxEntries: number }): Promise<readonly { readonly message: string }[]>;
}

interface GitExtension {
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

type Parts = Pick<ProposeParts, 'dispatch' | 'review'>;

/**
 * Writes a message for the staged changes, else for all, into the input box of the source control view, where the person
 * commits it or not. Until the answer is whole the box stays as it is.
 */
export async function generateCommitMessage(
  parts: Parts,
  chosen?: { readonly rootUri?: vscode.Uri },
): Promise<{ readonly ok: true; readonly message: string } | Failure> {
  const repository = await findRepository(chosen?.rootUri);
  if (repository === undefined) return nothing(t('No git repository is open.'));
  const staged = await repository.diff(true);
  const files = diffsOf(repository.rootUri, staged.trim() === '' ? await repository.diff(false) : staged);
  const { sent, left } = await choose(files);
  if (sent.length === 0) return nothing(t('There are no changes that could be described.'));
  if (left.length > 0)
    void vscode.window.showWarningMessage(t('Not described, excluded or too large: {0}', left.join(', ')));
  const before = await repository.log({ maxEntries: styleMessages }).catch(() => []);
  const folders = [...new Set(sent.flatMap(({ folder }) => folder ?? []))];
  const style = before.map(({ message }) => message.split('\n')[0] ?? '');
  try {
    return await withProgress(t('Svc is writing a commit message…'), async (signal) => {
      const message = { role: 'user', parts: commitParts(sent, style), secrets: 'ask' } as const;
      const outgoing = { action: 'generate', messages: [message], modelKey: 'svc.model.code', folders } as const;
      const { events } = await parts.dispatch.send(outgoing, parts.review, signal);
      let answer = '';
      for await (const batch of events) {
        for (const event of batch) {
          if (event.type === 'text-delta') answer += event.text;
          else if (event.type === 'receipt') warnIfContradicted(event.receipt);
        }
      }
      const text = commitMessage(answer);
      if (text === '') throw new ServiceError('protocol', 'The answer has no message.', { code: 'no-code' });
      repository.inputBox.value = text;
      return { ok: true as const, message: text };
    });
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '', () => generateCommitMessage(parts, chosen));
    return failureOf(error);
  }
}

async function findRepository(root: vscode.Uri | undefined): Promise<GitRepository | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  const { repositories } = (await extension.activate()).getAPI(1);
  const named = repositories.find(({ rootUri }) => rootUri.toString() === root?.toString());
  if (named !== undefined || repositories.length < 2) return named ?? repositories[0];
  const items = repositories.map((repository) => ({ label: repository.rootUri.path, repository }));
  return (await vscode.window.showQuickPick(items, { title: t('Which repository?') }))?.repository;
}

/** Each file's own diff, so that the gate can ask about each file. */
function diffsOf(root: vscode.Uri, diff: string): readonly Attachment[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const path = /^\+\+\+ b\/(.+?)\t?$/m.exec(text)?.[1] ?? /^diff --git a\/.+ b\/(.+)$/m.exec(text)?.[1] ?? '';
      const uri = vscode.Uri.joinPath(root, path);
      return {
        label: path,
        uri: uri.toString(),
        firstLine: 1,
        languageId: 'diff',
        text: joinOf([text]).text,
        folder: folderOf(uri),
      };
    });
}

/** What may leave and fits. What may not is left out rather than stopping it all: nobody chose these files one by one. */
async function choose(files: readonly Attachment[]): Promise<{ sent: readonly Attachment[]; left: readonly string[] }> {
  const sent: Attachment[] = [];
  const left: string[] = [];
  let size = 0;
  for (const file of files) {
    if (size + file.text.length > budget || (await whyExcluded(file)) !== null) {
      left.push(file.label);
    } else {
      sent.push(file);
      size += file.text.length;
    }
  }
  return { sent, left };
}

function nothing(message: string): Failure {
  void vscode.window.showInformationMessage(message);
  return notAsked();
}
