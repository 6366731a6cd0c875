import * as vscode from 'vscode';
import type { LostSecret } from '../../../gate/secrets/marks/lostSecrets.ts';
import { showWarning } from '../../../platform/messages/show.ts';
import { type HiddenText, hiddenCharacters, remoteSchemas } from '../../../session/prompts/hiddenText.ts';
import type { Hunk } from '../common/hunks.ts';
import { someName } from './fileNames.ts';
import { isGuarded } from './placing/answerPath.ts';
import type { Proposal } from './proposal.ts';
import { keeperFor } from './secretKeeper.ts';

const t = vscode.l10n.t;

/** The maximum number of findings listed in the question; the Problems panel lists all of them. */
const maxListed = 12;

/** A finding that is reported to the user before they accept. */
type Found = HiddenText | LostSecret;

/**
 * Returns the text in the hunks that a reader sees differently than the compiler does, and the secrets that the hunks
 * change. Excludes what the original already contains.
 */
export function hiddenIn(
  { draft, keeper, languageId }: Pick<Proposal, 'draft' | 'keeper' | 'languageId'>,
  hunks: readonly Hunk[],
): readonly Found[] {
  const isJson = /^json/.test(languageId);
  const { original, proposed } = draft;
  return [
    ...keeper.lost(original, proposed, hunks),
    ...hunks.flatMap(({ proposedStart, proposedEnd }) => [
      ...hiddenCharacters(proposed.slice(proposedStart, proposedEnd), proposedStart),
      ...(isJson ? remoteSchemas(proposed, proposedStart, proposedEnd) : []),
    ]),
  ];
}

/** Diagnostics that underline the findings in the diff and list them in the Problems panel. */
export function hiddenDiagnostics(found: readonly Found[]): vscode.Diagnostic[] {
  return found.map((hidden) => {
    const { line, character, length } = hidden;
    const range = new vscode.Range(line, character, line, character + length);
    const diagnostic = new vscode.Diagnostic(range, describe(hidden), vscode.DiagnosticSeverity.Warning);
    diagnostic.source = 'Svc';
    return diagnostic;
  });
}

/**
 * Asks the user to confirm hidden text, changed secrets, and writes to files that control what runs on this machine.
 * `file` is the file to be written.
 */
export async function confirmAccept(
  proposal: Proposal,
  hunks: readonly Hunk[],
  file = proposal.targetUri,
): Promise<boolean> {
  const show = (found: Found): void => reveal(proposal.uri, found);
  if (!(await confirmFound(hiddenIn(proposal, hunks), show))) return false;
  if (file === undefined || !(await isGuardedFile(file))) return true;
  const write = t('Write It');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return (await ask(t('Write to {0}?', name), guardedWords(), write)) === write;
}

/** Asks the user to confirm hidden text in code that becomes a new untitled document. */
export async function confirmHidden(lines: readonly string[], languageId: string): Promise<boolean> {
  const all = { start: 0, end: 0, proposedStart: 0, proposedEnd: lines.length };
  return confirmFound([
    ...(await keeperFor({ kind: 'untitled', languageId })).lost([], lines, [all]),
    ...hiddenCharacters(lines),
    ...(/^json/.test(languageId) ? remoteSchemas(lines) : []),
  ]);
}

/** Asks about all findings. `show` moves the cursor of a diff to a finding. */
async function confirmFound(found: readonly Found[], show?: (first: Found) => void): Promise<boolean> {
  const secrets = found.filter(isAboutSecret);
  const hidden = found.filter((each) => !isAboutSecret(each));
  return (
    (await confirmEach(t('This code changes secrets. Accept it?'), secrets, show)) &&
    (await confirmEach(t('This code contains hidden characters or a remote schema. Accept it?'), hidden, show))
  );
}

async function confirmEach(question: string, found: readonly Found[], show?: (first: Found) => void): Promise<boolean> {
  const [first] = found;
  if (first === undefined) return true;
  const lines = found.slice(0, maxListed).map((each) => t('Line {0}: {1}', each.line + 1, describe(each)));
  if (found.length > maxListed) lines.push(t('… and {0} more', found.length - maxListed));
  const accept = t('Accept Anyway');
  const inDiff = t('Show in Diff');
  // VS Code gives the first button the focus, so it is the harmless one.
  const buttons = show === undefined ? [accept] : [inDiff, accept];
  const chosen = await ask(question, lines.join('\n'), ...buttons);
  if (chosen === inDiff) show?.(first);
  return chosen === accept;
}

/** Selects a finding in the diff that shows it. */
function reveal(uri: vscode.Uri, { line, character, length }: Found): void {
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  if (editor === undefined) return;
  editor.selection = new vscode.Selection(line, character, line, character + length);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function isAboutSecret({ kind }: Found): boolean {
  return kind === 'mark' || kind === 'replaced-secret' || kind === 'copied-secret';
}

/**
 * The first of two questions about a file that controls what runs on this machine, asked before a proposal is shown.
 */
export async function confirmGuarded(uri: vscode.Uri): Promise<boolean> {
  if (!(await isGuardedFile(uri))) return true;
  const propose = t('Show a Diff');
  const question = t('Propose a change to {0}?', vscode.workspace.asRelativePath(uri));
  return (await ask(question, guardedWords(), propose)) === propose;
}

/** Whether a file is guarded, also under another name. */
export function isGuardedFile(uri: vscode.Uri): Promise<boolean> {
  return someName(uri, isGuarded);
}

function guardedWords(): string {
  return t('This file can run programs on this machine or control what is sent.');
}

function ask(message: string, detail: string, ...actions: string[]): Thenable<string | undefined> {
  return showWarning(message, { modal: true, detail }, ...actions);
}

function describe({ kind, what }: Found): string {
  switch (kind) {
    case 'mark':
      return t('{0} is not a known secret and would be written as text', what);
    case 'replaced-secret':
      return t('a secret ({0}) was replaced with other text', what);
    case 'copied-secret':
      return t('a secret ({0}) is in more places than before', what);
    case 'control':
      return t('{0}, a control character', what);
    case 'bidirectional':
      return t('{0}, which changes the order in which text is shown', what);
    case 'invisible':
      return t('{0}, which is invisible', what);
    case 'tag':
      return t('{0}, which is invisible and can carry a hidden message', what);
    case 'remote-schema':
      return t('a schema from {0}, which VS Code may fetch', what);
  }
}
