import * as vscode from 'vscode';
import { type AnswerBlock, type ReadAnswer, readAnswer } from '../../../edits/reading/answer.ts';
import { blocksForFiles } from '../../../edits/reading/forFiles.ts';
import { Refusal, replyWords } from '../../../platform/pages/callError.ts';
import type { Question, Turn } from '../../../session/conversation/turn.ts';
import { blocksIn } from '../../../session/prompts/fences.ts';
import { asServiceError } from '../../../util/errors.ts';
import type { CodeSource } from './acceptedCode.ts';
import { type FoundFile, fileNamed, withoutFile } from './placing/fileForBlock.ts';
import { Misplaced } from './placing/placed.ts';
import { askForCells, askForWhole, type Instead, uncertainEnd } from './unusableCode.ts';
import { isUncertain, sourceOf, usableTurn } from './useCode.ts';

const t = vscode.l10n.t;

/** Blocks of an answer that each name a file. */
export interface CodeForFiles {
  readonly read: ReadAnswer;
  readonly blocks: readonly AnswerBlock[];
  /** The number of the other blocks of code. */
  readonly unnamed: number;
  /** The attachments of the question. */
  readonly attachments: Question['attachments'];
  readonly source: CodeSource;
}

/**
 * Returns the code of an answer that names its files, or null if the user declines to use the answer. Throws a Refusal for
 * an incomplete answer, and for one with a block whose end is unclear.
 */
export async function codeForFiles(
  turns: readonly Turn[],
  turnId: string,
  ask: Instead['ask'],
): Promise<CodeForFiles | null> {
  const turn = await usableTurn(turns, turnId, ({ answer }) => readAnswer(answer.text).isOpen);
  if (turn === null) return null;
  const read = readAnswer(turn.answer.text);
  if (blocksIn(turn.answer.text).some(({ code }) => isUncertain(turn.answer.text, code))) throw uncertainEnd({ ask });
  const { named: blocks, unnamed } = blocksForFiles(read);
  return { read, blocks, unnamed, attachments: turn.question.attachments, source: sourceOf(turn) };
}

/** A file, the blocks for it in the order of the answer, and its name in the answer. */
export interface ForFile {
  readonly name: string;
  readonly file: FoundFile;
  readonly blocks: readonly AnswerBlock[];
}

/** Returns the files that blocks name. Several names may refer to one file. */
export async function filesOf(
  { blocks, attachments }: CodeForFiles,
  unproposed: Unproposed,
): Promise<readonly ForFile[]> {
  const found = new Map<string, ForFile>();
  for (const name of new Set(blocks.flatMap(({ file }) => file ?? []))) {
    const file = await unproposed.unless(name, () => fileNamed(name, attachments, instead));
    if (file === null) continue;
    const sameName = blocks.filter((block) => block.file === name);
    const known = found.get(file.uri.toString());
    const all = new Set([...(known?.blocks ?? []), ...sameName]);
    const inOrder = blocks.filter((block) => all.has(block));
    found.set(file.uri.toString(), { name: known?.name ?? name, file, blocks: inOrder });
  }
  return [...found.values()];
}

/** Collects the reasons why code is not proposed, so that one file does not prevent the others from being proposed. */
export class Unproposed {
  /** The files whose code could not be placed. */
  readonly #misplaced: { readonly name: string; readonly isInCells: boolean }[] = [];
  readonly #words: string[] = [];

  /** Returns null if `run` throws or the user declines. */
  async unless<T>(name: string, run: () => Promise<T>, isInCells = false): Promise<T | null> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Refusal) && asServiceError(error).kind === 'aborted') return null;
      const isPlace = error instanceof Misplaced;
      if (isPlace) this.#misplaced.push({ name, isInCells });
      const why = isPlace ? t('Its place is unclear.') : replyWords(error);
      this.#words.push(t('{0} was not changed: {1}', name, why));
      return null;
    }
  }

  /** Throws a Refusal that names what was not proposed, if there is anything. */
  tell({ unnamed }: Pick<CodeForFiles, 'unnamed'>, ask: Instead['ask']): void {
    const more = unnamed === 0 ? [] : [t('Blocks that name no file: {0}. Apply them one by one.', unnamed)];
    const words = [...this.#words, ...more];
    if (words.length === 0) return;
    const namesOf = (areNotebooks: boolean): string =>
      this.#misplaced.flatMap(({ name, isInCells }) => (isInCells === areNotebooks ? name : [])).join(', ');
    const [files, notebooks] = [namesOf(false), namesOf(true)];
    throw new Refusal(words.join(' '), [
      ...(files === '' ? [] : [askForWhole({ ask }, files)]),
      ...(notebooks === '' ? [] : [askForCells({ ask }, notebooks)]),
    ]);
  }
}

/**
 * A block of an answer without the other blocks. Sentences about imports may be for another file, so their imports are
 * dropped.
 */
export function alone(read: ReadAnswer, block: AnswerBlock): ReadAnswer {
  return { ...read, blocks: [withoutFile(block)], others: [], imports: [] };
}

const doNothing = (): void => undefined;
/** The alternatives that are offered for a single block do nothing for several blocks. */
export const instead: Instead = { insert: doNothing, newFile: doNothing, ask: doNothing };
