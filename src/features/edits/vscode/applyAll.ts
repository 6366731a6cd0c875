import * as vscode from 'vscode';
import type { AnswerBlock, ReadAnswer } from '../../../edits/reading/answer.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { isNotebook } from '../../../platform/sources/notebook.ts';
import { openDocument } from '../../../platform/sources/open.ts';
import type { Turn } from '../../../session/conversation/turn.ts';
import { linesOf } from '../common/hunks.ts';
import { changesIn } from './applyToNotebook.ts';
import { alone, type CodeForFiles, codeForFiles, type ForFile, filesOf, instead, Unproposed } from './codeForFiles.ts';
import { confirmGuarded } from './confirm.ts';
import { isBrokenNotebook } from './notebookFile.ts';
import { placedBlocks } from './placedBlocks.ts';
import type { FoundFile } from './placing/fileForBlock.ts';
import type { CellChange } from './placing/notebookCells.ts';
import { Misplaced } from './placing/placed.ts';
import { type Change, proposeInTurn } from './proposeInTurn.ts';
import { wholeTarget } from './target.ts';
import { type Instead, noNotebook } from './unusableCode.ts';
import { changedWords, hasChanged, languageFor, type UseCodeParts } from './useCode.ts';

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
  const code = await codeForFiles(turns, turnId, ask);
  if (code !== null) await applyBlocks(parts, code, ask);
}

/** Like applyAll(), but for some blocks of an answer. */
export async function applyBlocks(
  { proposals }: Pick<UseCodeParts, 'proposals'>,
  code: CodeForFiles,
  ask: Instead['ask'],
): Promise<void> {
  const unproposed = new Unproposed();
  const review = new Review(proposals, code);
  for (const file of await filesOf(code, unproposed)) {
    const isInCells = file.file.exists && isNotebook(file.file.uri);
    await unproposed.unless(file.name, () => review.place(file, isInCells), isInCells);
  }
  await review.show();
  unproposed.tell(code, ask);
}

/** Collects the changes of several files: all are placed before the first is shown. */
class Review {
  readonly #proposals: UseCodeParts['proposals'];
  readonly #code: CodeForFiles;
  readonly #placed: Change[] = [];
  readonly #unchanged: string[] = [];

  constructor(proposals: UseCodeParts['proposals'], code: CodeForFiles) {
    this.#proposals = proposals;
    this.#code = code;
  }

  place({ name, file, blocks }: ForFile, isInCells: boolean): Promise<void> {
    const { read } = this.#code;
    if (isInCells) return this.#placeInCells(file, blocks, read);
    return file.exists ? this.#placeIn(file, { name, blocks }, read) : this.#placeAsNew(file, { name, blocks }, read);
  }

  async #placeIn({ uri }: FoundFile, about: Pick<ForFile, 'name' | 'blocks'>, read: ReadAnswer): Promise<void> {
    const document = await openDocument(uri);
    if (!(await this.#proposals.canChange(document))) return;
    const target = wholeTarget(document);
    const before = linesOf(document.getText());
    const lines = await placedBlocks({ uri, document, lines: before }, read, about);
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

  async #placeAsNew({ uri }: FoundFile, about: Pick<ForFile, 'name' | 'blocks'>, read: ReadAnswer): Promise<void> {
    const languageId = await languageFor(about.blocks[0]?.language ?? '');
    const lines = await placedBlocks({ uri, document: null, lines: null }, read, about);
    if (isBrokenNotebook(uri, lines.join('\n'))) throw noNotebook(uri, instead);
    if (await confirmGuarded(uri)) this.#placed.push({ target: { kind: 'file', uri, languageId }, lines });
  }

  async show(): Promise<void> {
    await proposeInTurn(this.#proposals, this.#placed, this.#code.source);
    const words = this.#words();
    if (words.length > 0) showHint(words.join(' '));
  }

  #words(): readonly string[] {
    const nameOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);
    const open = this.#placed.flatMap(({ target }) =>
      target.kind === 'document' ? [nameOf(target.document.uri)] : target.kind === 'file' ? [nameOf(target.uri)] : [],
    );
    const changed = this.#placed.flatMap(({ target }) =>
      target.kind === 'document' && hasChanged(target.document, this.#code.attachments)
        ? [nameOf(target.document.uri)]
        : [],
    );
    return [
      ...(open.length < 2 ? [] : [t('Diffs are open for {0}.', open.join(', '))]),
      ...(changed.length === 0 ? [] : [changedWords(changed)]),
      ...(this.#unchanged.length === 0 ? [] : [t('The answer changes nothing in {0}.', this.#unchanged.join(', '))]),
    ];
  }
}
