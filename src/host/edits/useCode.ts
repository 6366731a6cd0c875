import * as vscode from 'vscode';
import type { PanelCalls } from '../../protocol/panelCalls.ts';
import type { Turn } from '../../session/conversation/conversation.ts';
import { type Block, blocksIn } from '../../session/prompts/fences.ts';
import { whyCut } from '../../util/whyCut.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import { isKept, mayOpenUntitled } from '../history/keptOnDisk.ts';
import { orFailure } from '../messages/withErrorReporting.ts';
import { Refusal } from '../page/callError.ts';
import { openDocument } from '../sources/open.ts';
import { showsUserCode } from '../sources/ownDocuments.ts';
import type { CodeSource } from './acceptedCode.ts';
import { confirmGuarded, confirmHidden } from './confirm.ts';
import { linesOf } from './hunks.ts';
import { openUntitled } from './openUntitled.ts';
import { findAnswerFile } from './placing/answerFile.ts';
import { readFenceInfo } from './placing/answerPath.ts';
import { placedCodes } from './placing/placed.ts';
import type { Proposals } from './proposals.ts';
import { insertTarget, type Target, wholeTarget } from './target.ts';
import {
  excludedTarget,
  failedToPlace,
  type Instead,
  leftOutIn,
  namelessCode,
  refusedFile,
  uncertainEnd,
} from './unusableCode.ts';

const t = vscode.l10n.t;

type Asked = Parameters<PanelCalls['useCode']>[0];

/**
 * Runs a user action on a code block of an answer. Writes nothing directly: a change of a file is a proposal. Throws a
 * Refusal where the action is not possible.
 */
export async function useCode(
  proposals: Proposals,
  contextReader: Pick<RequestContextReader, 'retention'>,
  turns: readonly Turn[],
  asked: Asked,
  ask: (question: string) => unknown = () => undefined,
): Promise<void> {
  // The page checks this as well, but is not trusted.
  const turn = turns.find(({ id }) => id === asked.turnId);
  if (turn?.status !== 'complete' || whyCut(turn.finishReason) !== null || isOpen(turn.answer, asked.text)) {
    return refuse(t('The answer is incomplete, so its code cannot be used.'));
  }
  const again = (way: Asked['way']) => () => useCode(proposals, contextReader, turns, { ...asked, way }, ask);
  const instead: Instead = { insert: again('insert'), newFile: again('newFile'), ask };
  if (isUncertain(turn.answer, asked.text)) throw uncertainEnd(instead);
  const code = asked.text.endsWith('\n') ? asked.text : `${asked.text}\n`;
  const source = sourceOf(turn);
  switch (asked.way) {
    case 'insert':
      return insert(proposals, code, source, instead);
    case 'newFile':
      requireWhole(code, instead);
      return isKept(contextReader, turns) || (await mayOpenUntitled()) ? newFile(asked.info, code) : undefined;
    case 'apply':
      return void (await orFailure(() => apply(proposals, asked.info, code, source, instead)));
  }
}

function sourceOf({ request, model }: Turn): CodeSource {
  return { ...(request === undefined ? {} : { request }), ...(model === null ? {} : { model }) };
}

/** Whether the answer ends inside this block. */
function isOpen(answer: string, code: string): boolean {
  const last = blocksIn(answer).at(-1);
  return last?.isClosed === false && last.code.trimEnd() === code.trimEnd();
}

/** The page parses blocks as CommonMark: this block may have been cut at a fence inside of it. */
function isUncertain(answer: string, code: string): boolean {
  const isIn = (blocks: readonly Block[]): boolean => blocks.some((block) => block.code.trimEnd() === code.trimEnd());
  return isIn(blocksIn(answer)) && !isIn(blocksIn(answer, true));
}

/** Code that becomes new lines has all of them. */
function requireWhole(code: string, instead: Instead): void {
  const refusal = leftOutIn(linesOf(code), instead);
  if (refusal !== null) throw refusal;
}

async function insert(proposals: Proposals, code: string, source: CodeSource, instead: Instead): Promise<void> {
  requireWhole(code, instead);
  const editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(
    (each) => each !== undefined && showsUserCode(each.document.uri),
  );
  if (editor === undefined) return refuse(t('Open a file, and place the cursor where you want the code.'));
  const refusal = await excludedTarget(editor.document, instead);
  if (refusal !== null) throw refusal;
  if (!(await proposals.canChange(editor.document))) return;
  const target = insertTarget(editor);
  await show(proposals, target, code, source);
}

async function newFile(info: string, code: string): Promise<void> {
  const language = await languageFor(readFenceInfo(info).language);
  if (!(await confirmHidden(linesOf(code), language))) return;
  await vscode.window.showTextDocument(await openUntitled(code, language));
}

async function apply(
  proposals: Proposals,
  info: string,
  code: string,
  source: CodeSource,
  instead: Instead,
): Promise<void> {
  const { path, language } = readFenceInfo(info);
  if (path === undefined) throw namelessCode(instead);
  const file = await findAnswerFile(path);
  if (!file.ok) throw refusedFile(file.reason, instead);
  if (!file.exists) {
    requireWhole(code, instead);
    if (!(await confirmGuarded(file.uri))) return;
    return show(proposals, { kind: 'file', uri: file.uri, languageId: await languageFor(language) }, code, source);
  }
  const document = await openDocument(file.uri);
  if (!(await proposals.canChange(document))) return;
  const target = wholeTarget(document);
  const whole = await proposals.withSecrets(target, [code]);
  const codes = await placedCodes(target, whole, { isAsked: false }).catch((error: unknown) => {
    throw failedToPlace(error, file.uri, instead);
  });
  const proposal = await proposals.begin(target, () => undefined);
  await proposals.complete(proposal, codes, source);
}

async function show(proposals: Proposals, target: Target, code: string, source: CodeSource): Promise<void> {
  const places = target.kind === 'document' ? target.places.length : 1;
  const proposal = await proposals.begin(target, () => undefined);
  const whole = await proposals.withSecrets(target, [code]);
  await proposals.complete(proposal, Array.from<string>({ length: places }).fill(whole[0] ?? ''), source);
}

function refuse(message: string): never {
  throw new Refusal(message);
}

/** Names that models use at a fence, where they differ from VS Code's language identifiers. */
const aliases: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  node: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  golang: 'go',
  sh: 'shellscript',
  bash: 'shellscript',
  zsh: 'shellscript',
  shell: 'shellscript',
  console: 'shellscript',
  ps1: 'powershell',
  'c++': 'cpp',
  cc: 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  kt: 'kotlin',
  yml: 'yaml',
  md: 'markdown',
  docker: 'dockerfile',
  make: 'makefile',
};

async function languageFor(word: string): Promise<string> {
  const name = word.toLowerCase();
  const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return (await vscode.languages.getLanguages()).includes(known) ? known : 'plaintext';
}
