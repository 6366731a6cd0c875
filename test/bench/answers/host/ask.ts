import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import {
  documentCode,
  editCode,
  fixFinding,
  fixProblems,
  generateCode,
  generateCommitMessage,
  generateTests,
} from '../../../../src/codeCommands.ts';
import { terminalQuestion } from '../../../../src/features/chat/vscode/commands/terminal.ts';
import type { ProposeParts } from '../../../../src/features/edits/vscode/propose.ts';
import { InlineCompletions } from '../../../../src/features/inline/vscode/inlineCompletions.ts';
import { attachFile } from '../../../../src/platform/sources/attach.ts';
import type { Question, Turn } from '../../../../src/session/conversation/turn.ts';
import { slashText } from '../../../../src/session/prompts/prompts.ts';
import { Session } from '../../../../src/session/session.ts';
import { noTools } from '../../../../src/session/tools/toolbox.ts';
import type { OwnParts } from '../../../integration/suite/ownParts.ts';
import { show } from '../../../integration/suite/show.ts';
import type { Place } from '../corpus.ts';
import { stagedChange, uriOf } from './workspace.ts';

export interface AskParts {
  readonly own: OwnParts;
  readonly propose: ProposeParts;
  readonly files: Readonly<Record<string, string>>;
}

type Failed = { readonly ok: false; readonly error?: { readonly code?: string | undefined } };
/** What a command returns that proposes its code. */
type Proposed = { readonly ok: true } | Failed;

export type Asked =
  | { readonly is: 'proposed'; readonly result: Proposed }
  | { readonly is: 'turn'; readonly turn: Turn }
  /** The text that is inserted or written somewhere else than in a file; empty if there is none. */
  | { readonly is: 'text'; readonly text: string };

/** Asks for code at a place, as the user does. */
export async function askAt(place: Place, document: vscode.TextDocument, parts: AskParts): Promise<Asked> {
  switch (place.way) {
    case 'commit':
      return commit(place, parts);
    case 'inline':
      return { is: 'text', text: await inline(place, document, parts) };
    case 'apply-known':
    case 'apply-unnamed':
    case 'apply-new':
      return { is: 'turn', turn: await ask(parts, await chatQuestion(place)) };
    case 'terminal':
      return { is: 'turn', turn: await ask(parts, terminalQuestion(place.output ?? '')) };
    default:
      return { is: 'proposed', result: await propose(place, document, parts) };
  }
}

async function propose(place: Place, document: vscode.TextDocument, { propose: parts }: AskParts): Promise<Proposed> {
  const { way, selections = [], cursor, ask: instruction = '', problems = [] } = place;
  const options = selections.length === 0 ? { uri: document.uri } : {};
  const editor = await show(document);
  if (selections.length > 0)
    editor.selections = selections.map(([start, end]) => new vscode.Selection(start, 0, end, 0));
  switch (way) {
    case 'edit':
    case 'edit-several':
      return editCode(parts, { ...options, instruction });
    case 'document':
      return documentCode(parts, options);
    case 'tests-new':
    case 'tests-existing':
      return generateTests(parts, options);
    case 'generate': {
      const at = new vscode.Position(cursor?.line ?? 0, cursor?.character ?? 0);
      editor.selection = new vscode.Selection(at, at);
      return generateCode(parts, { instruction });
    }
    case 'fix':
      return fix(document, problems, parts);
    case 'fix-finding': {
      const [problem = { line: 1, message: '' }] = problems;
      return fixFinding(parts, document, problem, place.how ?? '');
    }
    default:
      throw new Error(`${way} proposes nothing.`);
  }
}

async function fix(
  document: vscode.TextDocument,
  problems: NonNullable<Place['problems']>,
  parts: ProposeParts,
): Promise<Proposed> {
  const shown = vscode.languages.createDiagnosticCollection('bench');
  const diagnostics = problems.map(({ line, message }) => {
    const { range } = document.lineAt(line - 1);
    return new vscode.Diagnostic(range, message);
  });
  shown.set(document.uri, diagnostics);
  try {
    return await fixProblems(parts, { uri: document.uri });
  } finally {
    shown.dispose();
  }
}

async function commit(place: Place, { own, files }: AskParts): Promise<Asked> {
  const chosen = await stagedChange(place, files);
  const { dispatch, contextReader } = own;
  const refusals: Parameters<typeof generateCommitMessage>[0]['refusals'] = { watch: (_action, work) => work() };
  const parts = { dispatch, contextReader, confirmSend: refuse, refusals };
  try {
    const result = await generateCommitMessage(parts, chosen);
    return { is: 'text', text: result.ok ? result.message : '' };
  } finally {
    // Its files would be others of the same name for later jobs.
    rmSync(chosen.rootUri.fsPath, { recursive: true });
  }
}

/** The text that the document gets at the cursor. */
async function inline({ cursor }: Place, document: vscode.TextDocument, { own }: AskParts): Promise<string> {
  const completions = new InlineCompletions({
    dispatch: own.dispatch,
    contextReader: own.contextReader,
    onAccepted: async () => undefined,
    requireEnd: () => undefined,
  });
  const none = new vscode.CancellationTokenSource();
  try {
    const at = new vscode.Position(cursor?.line ?? 0, cursor?.character ?? 0);
    const context = { triggerKind: vscode.InlineCompletionTriggerKind.Invoke, selectedCompletionInfo: undefined };
    const [item] = await completions.provideInlineCompletionItems(document, at, context as never, none.token);
    return typeof item?.insertText === 'string' ? item.insertText : '';
  } finally {
    none.dispose();
    completions.dispose();
  }
}

async function chatQuestion(place: Place): Promise<Question> {
  const { file, attached = [], isAttached = false, slash, ask: words = '' } = place;
  const paths = isAttached ? [file, ...attached] : attached;
  const attachments = await Promise.all(paths.map((path) => attachFile(uriOf(path))));
  if (slash === undefined) return { action: 'chat', prompt: words, attachments };
  const command = { name: slash, text: slashText(slash, words, null) };
  return { action: 'chat', prompt: `/${slash} ${words}`, command, attachments };
}

function ask({ own }: AskParts, question: Question): Promise<Turn> {
  return new Session(own.dispatch, noTools).ask(question);
}

/** The corpus has no secrets: nothing has to be confirmed. */
export async function refuse(): Promise<never> {
  throw new Error('The request has to be confirmed.');
}
