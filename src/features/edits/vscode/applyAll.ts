import * as vscode from 'vscode';
import { newFileLines } from '../../../edits/newFile.ts';
import { type AnswerBlock, type ReadAnswer, readAnswer } from '../../../edits/reading/answer.ts';
import { blocksForFiles } from '../../../edits/reading/forFiles.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { Refusal, replyWords } from '../../../platform/pages/callError.ts';
import { isNotebook } from '../../../platform/sources/notebook.ts';
import { openDocument } from '../../../platform/sources/open.ts';
import type { Question, Turn } from '../../../session/conversation/turn.ts';
import { blocksIn } from '../../../session/prompts/fences.ts';
import { asServiceError } from '../../../util/errors.ts';
import { linesOf } from '../common/hunks.ts';
import { wholeOf } from '../common/places.ts';
import type { CodeSource } from './acceptedCode.ts';
import { changesIn } from './applyToNotebook.ts';
import { confirmGuarded } from './confirm.ts';
import { isBrokenNotebook } from './notebookFile.ts';
import { type FoundFile, fileNamed, withoutFile } from './placing/fileForBlock.ts';
import type { CellChange } from './placing/notebookCells.ts';
import { Misplaced, placedLines } from './placing/placed.ts';
import { type Change, proposeInTurn } from './proposeInTurn.ts';
import { type Target, wholeTarget } from './target.ts';
import { askForCells, askForWhole, type Instead, noNotebook, uncertainEnd } from './unusableCode.ts';
import {
  changedWords,
  hasChanged,
  isUncertain,
  languageFor,
  requireWhole,
  sourceOf,
  type UseCodeParts,
  usableTurn,
} from './useCode.ts';

const t = vscode.l10n.t;

/**
 * Proposes all code of an answer that names its file: one proposal for each file, which the user accepts or rejects
 * like any other. Throws a Refusal that names what was not proposed.
 */
export async function applyAll(
  parts: Pick<UseCodeParts, 'proposals'>,
  turns: readonly Turn[],
  turnId: string,
  ask: Instead['ask'],
): Promise<void> {
  const turn = await usableTurn(turns, turnId, ({ answer }) => readAnswer(answer.text).isOpen);
  if (turn === null) return;
  const read = readAnswer(turn.answer.text);
  if (blocksIn(turn.answer.text).some(({ code }) => isUncertain(turn.answer.text, code))) throw uncertainEnd({ ask });
  const { named, unnamed } = blocksForFiles(read);
  const from = { attachments: turn.question.attachments, source: sourceOf(turn) };
  await applyBlocks(parts, from, { read, blocks: named, unnamed }, ask);
}

/** Some blocks of an answer that each name a file, and the number of other blocks. */
interface Asked {
  readonly read: ReadAnswer;
  readonly blocks: readonly AnswerBlock[];
  readonly unnamed: number;
}

/** The origin of the blocks of an answer. */
interface AnswerOrigin {
  /** The attachments of the question. */
  readonly attachments: Question['attachments'];
  readonly source: CodeSource;
}

/** Like applyAll(), but for some blocks of an answer. */
export async function applyBlocks(
  { proposals }: Pick<UseCodeParts, 'proposals'>,
  from: AnswerOrigin,
  { read, blocks, unnamed }: Asked,
  ask: Instead['ask'],
): Promise<void> {
  const review = new Review(proposals, from);
  for (const file of await review.filesOf(blocks)) await review.place(file, read);
  await review.show();
  const { refused, unproposed } = review;
  const more = unnamed === 0 ? [] : [t('Blocks that name no file: {0}. Apply them one by one.', unnamed)];
  const words = [...unproposed, ...more];
  if (words.length === 0) return;
  const namesOf = (areNotebooks: boolean): string =>
    refused.flatMap(({ name, isInCells }) => (isInCells === areNotebooks ? name : [])).join(', ');
  const [files, notebooks] = [namesOf(false), namesOf(true)];
  throw new Refusal(words.join(' '), [
    ...(files === '' ? [] : [askForWhole({ ask }, files)]),
    ...(notebooks === '' ? [] : [askForCells({ ask }, notebooks)]),
  ]);
}

/** A file, the blocks for it, and its name in the answer. */
interface ForFile {
  readonly name: string;
  readonly file: FoundFile;
  readonly blocks: readonly AnswerBlock[];
}

/** Collects the changes of several files: all are placed before the first is shown. */
class Review {
  /** The files whose code could not be placed. */
  readonly refused: { readonly name: string; readonly isInCells: boolean }[] = [];
  /** Sentences about the changes that are not proposed. */
  readonly unproposed: string[] = [];
  readonly #proposals: UseCodeParts['proposals'];
  readonly #from: AnswerOrigin;
  readonly #placed: Change[] = [];
  readonly #unchanged: string[] = [];

  constructor(proposals: UseCodeParts['proposals'], from: AnswerOrigin) {
    this.#proposals = proposals;
    this.#from = from;
  }

  /** The files that blocks name. Several names may refer to one file. */
  async filesOf(blocks: readonly AnswerBlock[]): Promise<readonly ForFile[]> {
    const found = new Map<string, ForFile>();
    for (const name of new Set(blocks.flatMap(({ file }) => file ?? []))) {
      const file = await this.#orUnproposed(name, () => fileNamed(name, this.#from.attachments, instead));
      if (file === null) continue;
      const sameName = blocks.filter((block) => block.file === name);
      const known = found.get(file.uri.toString());
      const all = new Set([...(known?.blocks ?? []), ...sameName]);
      // The blocks stay in the order of the answer.
      const inOrder = blocks.filter((block) => all.has(block));
      found.set(file.uri.toString(), { name: known?.name ?? name, file, blocks: inOrder });
    }
    return [...found.values()];
  }

  /** Places the code for a file, or adds the file to the changes that are not proposed. */
  async place({ name, file, blocks }: ForFile, read: ReadAnswer): Promise<void> {
    const isInCells = file.exists && isNotebook(file.uri);
    const place = (): Promise<void> => {
      if (!file.exists) return this.#placeAsNew(file, name, blocks);
      return isInCells ? this.#placeInCells(file, blocks, read) : this.#placeIn(file, blocks, read);
    };
    await this.#orUnproposed(name, place, isInCells);
  }

  async #placeIn({ uri }: FoundFile, blocks: readonly AnswerBlock[], read: ReadAnswer): Promise<void> {
    const document = await openDocument(uri);
    if (!(await this.#proposals.canChange(document))) return;
    const target = wholeTarget(document);
    const before = linesOf(document.getText());
    let lines: readonly string[] = before;
    for (const block of blocks) {
      const now = { ...target, text: lines.join('\n'), places: [wholeOf(lines)] } as Target;
      lines = await placedLines(now, alone(read, block), (_, codes) => this.#proposals.withSecrets(target, codes));
    }
    if (lines.join('\n') === before.join('\n')) this.#unchanged.push(vscode.workspace.asRelativePath(uri));
    else this.#placed.push({ target, lines });
  }

  async #placeInCells({ uri }: FoundFile, blocks: readonly AnswerBlock[], read: ReadAnswer): Promise<void> {
    const changes: CellChange[] = [];
    for (const block of blocks) {
      const text = `${block.lines.join('\n')}\n`;
      const found = await changesIn(this.#proposals, uri, { read: alone(read, block), text }, instead);
      for (const change of found) {
        if (changes.some(({ target }) => target.document === change.target.document)) throw new Misplaced([]);
        if (!(await this.#proposals.canChange(change.target.document))) return;
        changes.push(change);
      }
    }
    for (const change of changes) this.#placed.push(change);
  }

  async #placeAsNew({ uri }: FoundFile, name: string, blocks: readonly AnswerBlock[]): Promise<void> {
    const languageId = await languageFor(blocks[0]?.language ?? '');
    const lines = newFileLines(blocks, languageId, name);
    if (typeof lines === 'string') throw new Misplaced([]);
    requireWhole(lines.join('\n'), instead);
    if (isBrokenNotebook(uri, lines.join('\n'))) throw noNotebook(uri, instead);
    if (await confirmGuarded(uri)) this.#placed.push({ target: { kind: 'file', uri, languageId }, lines });
  }

  async show(): Promise<void> {
    await proposeInTurn(this.#proposals, this.#placed, this.#from.source);
    const words = this.#words();
    if (words.length > 0) showHint(words.join(' '));
  }

  #words(): readonly string[] {
    const nameOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);
    const open = this.#placed.flatMap(({ target }) =>
      target.kind === 'document' ? [nameOf(target.document.uri)] : target.kind === 'file' ? [nameOf(target.uri)] : [],
    );
    const changed = this.#placed.flatMap(({ target }) =>
      target.kind === 'document' && hasChanged(target.document, this.#from.attachments)
        ? [nameOf(target.document.uri)]
        : [],
    );
    return [
      ...(open.length < 2 ? [] : [t('Diffs are open for {0}.', open.join(', '))]),
      ...(changed.length === 0 ? [] : [changedWords(changed)]),
      ...(this.#unchanged.length === 0 ? [] : [t('The answer changes nothing in {0}.', this.#unchanged.join(', '))]),
    ];
  }

  /**
   * Reports an error for one file without preventing the others from being shown. Returns null if `run` throws or the
   * user declines.
   */
  async #orUnproposed<T>(name: string, run: () => Promise<T>, isInCells = false): Promise<T | null> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Refusal) && asServiceError(error).kind === 'aborted') return null;
      const isPlace = error instanceof Misplaced;
      if (isPlace) this.refused.push({ name, isInCells });
      const why = isPlace ? t('Its place is unclear.') : replyWords(error);
      this.unproposed.push(t('{0} was not changed: {1}', name, why));
      return null;
    }
  }
}

/**
 * A block of an answer without the other blocks. Sentences about imports may be for another file, so their imports are
 * dropped.
 */
function alone(read: ReadAnswer, block: AnswerBlock): ReadAnswer {
  return { ...read, blocks: [withoutFile(block)], others: [], imports: [] };
}

const doNothing = (): void => undefined;
/** The alternatives that are offered for a single block do nothing for several blocks. */
const instead: Instead = { insert: doNothing, newFile: doNothing, ask: doNothing };
