import * as vscode from 'vscode';
import { type HiddenText, hiddenCharacters, remoteSchemas } from '../../session/hiddenText.ts';
import { isGuarded } from './answerPath.ts';
import type { Hunk } from './hunks.ts';
import type { Proposal } from './proposal.ts';

const t = vscode.l10n.t;

/** So many are listed in a question; the Problems panel has them all. */
const listed = 12;

/** What hunks bring that a reader does not see as the compiler does. What was there before is not theirs. */
export function hiddenIn({ draft: { proposed }, languageId }: Proposal, hunks: readonly Hunk[]): readonly HiddenText[] {
  const isJson = /^json/.test(languageId);
  return hunks.flatMap(({ proposedStart, proposedEnd }) => [
    ...hiddenCharacters(proposed.slice(proposedStart, proposedEnd), proposedStart),
    ...(isJson ? remoteSchemas(proposed, proposedStart, proposedEnd) : []),
  ]);
}

/** Where they are seen: underlined in the diff, and in the Problems panel. */
export function hiddenDiagnostics(found: readonly HiddenText[]): vscode.Diagnostic[] {
  return found.map((hidden) => {
    const { line, character, length } = hidden;
    const range = new vscode.Range(line, character, line, character + length);
    const diagnostic = new vscode.Diagnostic(range, describe(hidden), vscode.DiagnosticSeverity.Warning);
    diagnostic.source = 'Svc';
    return diagnostic;
  });
}

/** Asks a person who accepts about what they may not have seen, and about files that decide what runs here. */
export async function confirmAccept(proposal: Proposal, hunks: readonly Hunk[]): Promise<boolean> {
  if (!(await confirmFound(hiddenIn(proposal, hunks)))) return false;
  if (!isGuardedTarget(proposal)) return true;
  const write = t('Write It');
  return (await ask(t('Write to {0}?', proposal.name), guardedWords(), write)) === write;
}

/** Asks about what a person may not see in code that becomes a document of its own. */
export function confirmHidden(lines: readonly string[], languageId: string): Promise<boolean> {
  return confirmFound([...hiddenCharacters(lines), ...(/^json/.test(languageId) ? remoteSchemas(lines) : [])]);
}

async function confirmFound(found: readonly HiddenText[]): Promise<boolean> {
  if (found.length > 0) {
    const lines = found.slice(0, listed).map((hidden) => t('Line {0}: {1}', hidden.line + 1, describe(hidden)));
    if (found.length > listed) lines.push(t('… and {0} more', found.length - listed));
    const accept = t('Accept Anyway');
    const question = t('This code has what you may not see. Accept it?');
    if ((await ask(question, lines.join('\n'), accept)) !== accept) return false;
  }
  return true;
}

/** The first of the two questions about a file that decides what runs here: before there is a proposal for it. */
export async function confirmGuarded(uri: vscode.Uri): Promise<boolean> {
  if (!isGuarded(uri.path)) return true;
  const propose = t('Show a Proposal');
  const question = t('Propose a change of {0}?', vscode.workspace.asRelativePath(uri));
  return (await ask(question, guardedWords(), propose)) === propose;
}

function guardedWords(): string {
  return t('What is in this file can run programs on this machine, or decide what leaves it.');
}

function isGuardedTarget({ target, uri }: Proposal): boolean {
  return target.kind !== 'untitled' && isGuarded(uri.path);
}

function ask(message: string, detail: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(message, { modal: true, detail }, ...actions);
}

function describe({ kind, what }: HiddenText): string {
  switch (kind) {
    case 'control':
      return t('{0}, a control character', what);
    case 'bidirectional':
      return t('{0}, which shows text in another order than it is read in', what);
    case 'invisible':
      return t('{0}, which is not seen', what);
    case 'tag':
      return t('{0}, which is not seen and can carry a hidden message', what);
    case 'remote-schema':
      return t('a schema from {0}, which VS Code may fetch', what);
  }
}
