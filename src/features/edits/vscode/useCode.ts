import * as vscode from 'vscode';
import { type ReadAnswer, readAnswer } from '../../../edits/reading/answer.ts';
import { languageIdOf } from '../../../edits/reading/candidates.ts';
import { readFenceInfo } from '../../../edits/reading/fileName.ts';
import { isKept, mayOpenUntitled } from '../../../platform/confirm/keptOnDisk.ts';
import { type DoubtfulAnswer, doubtInTurn, mayUseAnswer } from '../../../platform/messages/answerEnds.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { orFailure } from '../../../platform/messages/withErrorReporting.ts';
import { Refusal } from '../../../platform/pages/callError.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { isNotebook } from '../../../platform/sources/notebook.ts';
import { openDocument } from '../../../platform/sources/open.ts';
import { stillHas } from '../../../platform/sources/outdated.ts';
import { showsUserCode } from '../../../platform/sources/ownDocuments.ts';
import type { PanelCalls } from '../../../protocol/panelCalls.ts';
import type { Question, Turn } from '../../../session/conversation/turn.ts';
import { blocksIn, type Block as Fenced } from '../../../session/prompts/fences.ts';
import { fenceFor } from '../../../util/text/fence.ts';
import { whyCut } from '../../../util/whyCut.ts';
import { linesOf } from '../common/hunks.ts';
import type { CodeSource } from './acceptedCode.ts';
import { applyToNotebook } from './applyToNotebook.ts';
import { confirmGuarded, confirmHidden } from './confirm.ts';
import { isBrokenNotebook } from './notebookFile.ts';
import { placedOrAsked } from './placing/askWhole.ts';
import { askWholeFile, type Sending } from './placing/askWholeFile.ts';
import { fileForBlock } from './placing/fileForBlock.ts';
import { placedLines, type RestoreSecrets } from './placing/placed.ts';
import type { Proposals } from './proposals.ts';
import { proposeInTurn } from './proposeInTurn.ts';
import { insertTarget, type Target, wholeTarget } from './target.ts';
import { excludedTarget, failedToPlace, type Instead, leftOutIn, noNotebook, uncertainEnd } from './unusableCode.ts';
import { openUntitled } from './writing/openUntitled.ts';

const t = vscode.l10n.t;

type Asked = Parameters<PanelCalls['useCode']>[0];

export interface UseCodeParts {
  readonly proposals: Proposals;
  readonly contextReader: Pick<RequestContextReader, 'retention'>;
  /** Sends the request for the whole code of a block that could not be placed; without it, no such request is sent. */
  readonly sending?: Sending;
}

/**
 * Runs a user action on a code block of an answer. Writes nothing directly: a change of a file is a proposal. Throws a
 * Refusal if the action is not possible.
 */
export async function useCode(
  parts: UseCodeParts,
  turns: readonly Turn[],
  asked: Asked,
  ask: (question: string) => unknown = () => undefined,
): Promise<void> {
  const turn = await usableTurn(turns, asked.turnId, ({ answer }) => isOpen(answer.text, asked.text));
  if (turn === null) return;
  const again = (way: Asked['way']) => () => useCode(parts, turns, { ...asked, way }, ask);
  const instead: Instead = { insert: again('insert'), newFile: again('newFile'), ask };
  if (isUncertain(turn.answer.text, asked.text)) throw uncertainEnd(instead);
  if (asked.text.trim() === '') return refuse(t('This block has no code.'));
  const code = asked.text.endsWith('\n') ? asked.text : `${asked.text}\n`;
  const { proposals, contextReader } = parts;
  switch (asked.way) {
    case 'insert':
      return void (await orFailure(() => insert(proposals, asked.info, code, sourceOf(turn), instead)));
    case 'newFile':
      requireWhole(code, instead);
      return isKept(contextReader, turns) || (await mayOpenUntitled()) ? newFile(asked.info, code) : undefined;
    case 'apply':
      return void (await orFailure(() => apply(parts, turn, { info: asked.info, text: code }, instead)));
  }
}

/**
 * Returns the turn whose code is used, or null if the user declines. Throws a Refusal if the answer is incomplete. The
 * page checks this as well, but is not trusted.
 */
export async function usableTurn(
  turns: readonly Turn[],
  turnId: string,
  isIncomplete: (turn: Turn) => boolean,
): Promise<Turn | null> {
  const turn = turns.find(({ id }) => id === turnId);
  const doubt = turn === undefined ? null : doubtInTurn(turn);
  const isWhole = turn?.state.status === 'complete' && whyCut(turn.answer.finishReason) === null;
  if (turn === undefined || !(isWhole || doubt !== null) || isIncomplete(turn)) {
    return refuse(t('The answer is incomplete, so its code cannot be used.'));
  }
  return doubt !== null && !(await mayUseAnswer(doubtful(turn, doubt))) ? null : turn;
}

function doubtful({ question, answer, lastRequest }: Turn, reason: string): DoubtfulAnswer {
  const isClosed = blocksIn(answer.text).at(-1)?.isClosed !== false;
  return { reason, origin: question.origin ?? '', model: lastRequest?.model ?? '', isClosed };
}

export function sourceOf({ lastRequest }: Answered): CodeSource {
  if (lastRequest === undefined) return {};
  const { auditRequestId: request, model } = lastRequest;
  return { ...(request === undefined ? {} : { request }), model };
}

/** Whether the answer ends inside this block. */
function isOpen(answer: string, code: string): boolean {
  const last = blocksIn(answer).at(-1);
  return last?.isClosed === false && last.code.trimEnd() === code.trimEnd();
}

/** Whether this block may have been cut at a fence inside it, because the page parses blocks as CommonMark. */
export function isUncertain(answer: string, code: string): boolean {
  const isIn = (blocks: readonly Fenced[]): boolean => blocks.some((block) => block.code.trimEnd() === code.trimEnd());
  return isIn(blocksIn(answer)) && !isIn(blocksIn(answer, true));
}

/** Throws a Refusal if code that becomes new lines omits some of them. */
export function requireWhole(code: string, instead: Instead): void {
  const refusal = leftOutIn(linesOf(code), instead);
  if (refusal !== null) throw refusal;
}

async function insert(
  proposals: Proposals,
  info: string,
  code: string,
  source: CodeSource,
  instead: Instead,
): Promise<void> {
  requireWhole(code, instead);
  const editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(
    (each) => each !== undefined && showsUserCode(each.document.uri),
  );
  if (editor === undefined) return refuse(t('Open a file, and place the cursor where you want the code.'));
  const refusal = await excludedTarget(editor.document, instead);
  if (refusal !== null) throw refusal;
  if (!(await proposals.canChange(editor.document))) return;
  const target = insertTarget(editor);
  await show(proposals, target, readBlock(info, code), source);
}

async function newFile(info: string, code: string): Promise<void> {
  const language = await languageFor(readFenceInfo(info).language);
  if (!(await confirmHidden(linesOf(code), language))) return;
  await vscode.window.showTextDocument(await openUntitled(code, language));
}

interface Block {
  readonly info: string;
  readonly text: string;
}

/** The parts of a turn that are needed to apply a block of its answer. */
type Answered = Pick<Turn, 'question' | 'answer' | 'lastRequest'>;

async function apply(
  parts: Pick<UseCodeParts, 'proposals' | 'sending'>,
  turn: Answered,
  block: Block,
  instead: Instead,
): Promise<void> {
  const { attachments } = turn.question;
  const found = await fileForBlock({ answer: turn.answer.text, attachments, ...block }, instead);
  if (found === null) return;
  const { file, read } = found;
  const { proposals } = parts;
  if (file.exists && isNotebook(file.uri)) {
    return applyToNotebook(proposals, file.uri, { read, text: block.text, source: sourceOf(turn) }, instead);
  }
  if (file.exists) {
    const document = await openDocument(file.uri);
    if (!(await proposals.canChange(document))) return;
    return change(parts, document, { turn, block, read }).catch((error: unknown) => {
      throw failedToPlace(error, file.uri, instead);
    });
  }
  requireWhole(block.text, instead);
  if (isBrokenNotebook(file.uri, block.text)) throw noNotebook(file.uri, instead);
  if (!(await confirmGuarded(file.uri))) return;
  const languageId = await languageFor(read.blocks[0]?.language ?? '');
  await show(proposals, { kind: 'file', uri: file.uri, languageId }, read, sourceOf(turn));
}

/** Places a block in a document; if its place is unclear, the model is asked once for the whole code. */
async function change(
  { proposals, sending }: Pick<UseCodeParts, 'proposals' | 'sending'>,
  document: vscode.TextDocument,
  { turn, block, read }: { readonly turn: Answered; readonly block: Block; readonly read: ReadAnswer },
): Promise<void> {
  const target = wholeTarget(document);
  if (hasChanged(document, turn.question.attachments))
    showHint(changedWords([vscode.workspace.asRelativePath(document.uri)]));
  const restoreSecrets: RestoreSecrets = (...of) => proposals.withSecrets(...of);
  const first = { read, source: sourceOf(turn) };
  const placed = await placedOrAsked({ target, restoreSecrets }, first, (why) => {
    if (sending === undefined) throw why;
    return askWholeFile(sending, { why, document, target, turn, block });
  });
  await proposeInTurn(proposals, [{ target, lines: placed.lines }], placed.source);
}

export function changedWords(names: readonly string[]): string {
  return t('{0} has changed since it was attached. Compare the diff with your changes.', names.join(', '));
}

/** Whether the document no longer has the text that was attached to a question. */
export function hasChanged(document: vscode.TextDocument, attachments: Question['attachments']): boolean {
  const text = document.getText();
  return attachments.some((file) => file.uri === document.uri.toString() && !stillHas(text, file));
}

async function show(proposals: Proposals, target: Target, read: ReadAnswer, source: CodeSource): Promise<void> {
  const lines = await placedLines(target, read, (...of) => proposals.withSecrets(...of));
  await proposeInTurn(proposals, [{ target, lines }], source);
}

/** Reads a block of an answer as a separate answer, for any file that the user chose. */
function readBlock(info: string, code: string): ReadAnswer {
  const fence = fenceFor(code);
  const read = readAnswer(`${fence}${info.replace(/[`\n]/g, '')}\n${code}${fence}\n`);
  return { ...read, blocks: read.blocks.map(({ file: _, ...block }) => block) };
}

function refuse(message: string): never {
  throw new Refusal(message);
}

export async function languageFor(word: string): Promise<string> {
  const known = languageIdOf(word);
  return (await vscode.languages.getLanguages()).includes(known) ? known : 'plaintext';
}
