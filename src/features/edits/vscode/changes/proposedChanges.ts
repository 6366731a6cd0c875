import * as vscode from 'vscode';
import { keeperOf } from '../../../../gate/secrets/marks/keeper.ts';
import { attachText } from '../../../../platform/sources/attach.ts';
import { marksOf } from '../../../../platform/sources/scans.ts';
import { ownText } from '../../../../session/tools/ownText.ts';
import { saying, type ToolOutput } from '../../../../session/tools/toolStep.ts';
import { hasLine } from '../../../tools/vscode/own/linesIn.ts';
import { withNumbers } from '../../../tools/vscode/own/numberedLines.ts';
import { pathOf, ToolRefusal } from '../../../tools/vscode/own/place.ts';
import type { ProposedEdit, ProposedFile, ProposedFiles, ProposedText } from '../../../tools/vscode/own/tool.ts';
import { lineCount } from '../../common/changedLines.ts';
import { type ChangeRefusal, changeLimits, type FileChange, kindOf } from '../../common/changeSet.ts';
import type { Draft } from '../../common/draft.ts';
import { type EditWords, editWords, refusalWords } from '../../common/editWords.ts';
import { matchMasked } from '../../common/matchMasked.ts';
import { canCover, SecretCover } from '../../common/secretCover.ts';
import type { CodeSource } from '../acceptedCode.ts';
import type { TextToChange } from '../placedBlocks.ts';
import { keeperFor } from '../secretKeeper.ts';
import { wholeTarget } from '../target.ts';
import type { WorkspaceFiles } from '../writing/workspaceFiles.ts';
import type { ConversationChanges } from './conversationChanges.ts';
import { type FileToChange, fileToChange } from './fileToChange.ts';

const changeWords = { create: 'new', edit: 'changed', rename: 'renamed', delete: 'deleted' } as const;

/** The maximum number of lines of a file for which a whole new text can be proposed. For longer ones, models forget lines. */
const maxRewritten = 400;

/** A file with its present text, and with the text that is proposed for it. */
interface Subject extends FileToChange, TextToChange {
  readonly current: readonly string[] | null;
}

interface Present {
  readonly file: FileToChange;
  /** It has another path if a new name is proposed for it. */
  readonly present: FileToChange;
  readonly current: readonly string[] | null;
}

interface ProposedChangesParts {
  readonly changes: ConversationChanges;
  /** Whether the user has attached the file in the conversation. */
  readonly isAttached: (file: vscode.Uri) => boolean;
  /** The request that makes the calls. */
  readonly source: () => CodeSource;
  /** `draft` is that of the change; undefined if no change is left. */
  readonly onDidPropose: (draft: Draft | undefined) => void;
}

/** The proposals of the tools of a conversation. Writes nothing. */
export class ProposedChanges implements ProposedFiles {
  readonly #parts: ProposedChangesParts;

  constructor(parts: ProposedChangesParts) {
    this.#parts = parts;
  }

  textOf(file: vscode.Uri): ProposedText | null | undefined {
    const path = pathOf(file);
    const lines = this.#parts.changes.set.linesAt(path);
    return lines === undefined || lines === null ? lines : this.#textAt(path, lines);
  }

  list(): readonly ProposedFile[] {
    return this.#parts.changes.open.flatMap((change) => this.#listed(change));
  }

  #listed(change: FileChange): readonly ProposedFile[] {
    const { changes } = this.#parts;
    const { from, to, draft } = change;
    const path = to ?? from ?? '';
    const uri = changes.fileOf(path);
    const former = from === null || from === path ? undefined : changes.fileOf(from);
    if (uri === undefined) return [];
    return [
      {
        uri,
        path,
        ...(former === undefined || from === null ? {} : { from: { uri: former, path: from } }),
        change: changeWords[kindOf(change)],
        has: (query) => hasOutsideSecrets([draft.proposed, draft.original], query),
      },
    ];
  }

  #textAt(path: string, lines: readonly string[]): ProposedText {
    return { text: lines.join('\n'), files: this.#comesFrom(path), before: this.#before(path) };
  }

  /** The text for which the change of a file was proposed, or '' if it has none. */
  #before(path: string): string {
    return this.#parts.changes.set.openAt(path)?.draft.original.join('\n') ?? '';
  }

  /** The present files behind the proposed text at a path. A renamed file is subject to the rules for both of its names. */
  #comesFrom(path: string): readonly vscode.Uri[] {
    const { changes } = this.#parts;
    const from = changes.set.openAt(path)?.from ?? path;
    return [changes.fileOf(from) ?? []].flat();
  }

  get waiting(): number {
    return this.#parts.changes.open.length;
  }

  noteRead(file: vscode.Uri, text: string | null): void {
    this.#parts.changes.noteRead(file, text);
  }

  async edit({ path, oldString, newString, replaceAll = false }: ProposedEdit): Promise<ToolOutput> {
    const subject = await this.#subject(path);
    if (subject.lines === null) throw new ToolRefusal(refusalWords('not-there'));
    this.#requireRead(subject);
    return this.#change(subject, subject.lines, { old: oldString, now: newString, isForAll: replaceAll });
  }

  async write(path: string, content: string): Promise<ToolOutput> {
    const subject = await this.#subject(path);
    const { document, current, lines, uri } = subject;
    const { changes } = this.#parts;
    if (current !== null && lineCount(current) > maxRewritten) {
      throw new ToolRefusal(ownText`Refused: the file has more than ${maxRewritten} lines. Use edit_file.`);
    }
    if (document !== null && !changes.hasRead(uri, document.getText())) {
      throw new ToolRefusal(ownText`Refused: read the whole file first, or use edit_file.`);
    }
    const before = lines ?? [''];
    return this.#change(subject, before, { old: before.join('\n'), now: content });
  }

  /** Refuses a file that the model has not read: the results of edits would tell it what the file contains. */
  #requireRead({ document, uri }: Subject): void {
    const { changes, isAttached } = this.#parts;
    if (document === null || changes.hasRead(document.uri) || changes.hasRead(uri)) return;
    if (isAttached(document.uri)) return;
    throw new ToolRefusal(ownText`Refused: read the file first.`);
  }

  /**
   * Proposes the text that `place` makes of a file for which the user wants code of an answer. Returns why it is not proposed:
   * `same` if it changes nothing. Throws a ToolRefusal if the file may not be changed by tools, and the errors of `place`.
   */
  async put(
    path: string,
    source: CodeSource,
    place: (text: TextToChange) => Promise<readonly string[]>,
  ): Promise<ChangeRefusal | 'same' | null> {
    const found = await this.#unlessStale(path);
    if (found === 'stale') return found;
    if (found.document !== null && found.lines === null) return 'deleted';
    const placed = await place(found);
    requireText(placed.join('\n'));
    // The file may have changed while the user was asked.
    const subject = await this.#unlessStale(path);
    if (subject === 'stale' || !sameLines(found.lines, subject.lines)) return 'stale';
    if (sameLines(placed, subject.lines)) return 'same';
    const refusal = this.#parts.changes.set.write(subject.path, placed, subject.current);
    if (refusal === null) this.#took(subject.path, source);
    return refusal;
  }

  #unlessStale(path: string): Promise<Subject | 'stale'> {
    return this.#subject(path).catch((error: unknown) => {
      if (this.#parts.changes.set.openAt(path)?.state === 'stale') return 'stale';
      throw error;
    });
  }

  async delete(path: string): Promise<ToolOutput> {
    const { file, current } = await this.#present(path);
    this.#take(file, this.#parts.changes.set.delete(file.path, current));
    return this.#said(ownText`Proposed, not done: the file will be deleted.`);
  }

  async rename(from: string, to: string): Promise<ToolOutput> {
    const subject = await this.#subject(from);
    const target = await fileToChange(to);
    this.#parts.changes.noteFile(target.path, target.uri);
    this.#take(target, this.#parts.changes.set.rename(subject.path, target.path, subject.current, target.exists));
    return this.#said(
      ownText`Proposed, not done: the file will have the new name. Read and edit it under that name from now on.`,
    );
  }

  async #change(
    subject: Subject,
    lines: readonly string[],
    edit: { readonly old: string; readonly now: string; readonly isForAll?: boolean },
  ): Promise<ToolOutput> {
    const { document, path, current } = subject;
    const keeper =
      document === null ? await keeperOf({ text: '', marks: [] }, []) : await keeperFor(wholeTarget(document));
    const secrets = await secretsIn([lines.join('\n'), this.#before(path)]);
    if (!canCover(secrets))
      throw new ToolRefusal(ownText`Refused: the file has too many secrets for an edit by a tool.`);
    const match = matchMasked(lines, edit, { keeper, secrets, languageId: document?.languageId ?? 'plaintext' });
    const words = editWords(match);
    if (match.is !== 'fit') throw await this.#refused(words, subject, lines);
    requireText(match.lines.join('\n'));
    this.#take(subject, this.#parts.changes.set.write(path, match.lines, current));
    return this.#said(words.words);
  }

  /** Makes a refusal with the lines of the file that are most like the edit. */
  async #refused({ words, quoted }: EditWords, { path, uri }: Subject, lines: readonly string[]): Promise<ToolRefusal> {
    if (quoted === undefined) return new ToolRefusal(words);
    const { start, end } = quoted;
    const attached = await attachText(uri, this.#textAt(path, lines), new vscode.Range(start, 0, end, 0));
    return new ToolRefusal(words, { attachments: [withNumbers(attached, start + 1)] });
  }

  /** Finds a file, and the text that the user sees in it. A file that is proposed under a new name is found by that name. */
  async #subject(named: string): Promise<Subject> {
    const { file, present, current } = await this.#present(named);
    const document = present.exists ? await this.#read((files) => files.document(present.path)) : null;
    const proposed = this.#parts.changes.set.linesAt(file.path);
    return { ...file, document, current, lines: proposed === undefined ? current : proposed };
  }

  /** Finds a file, the file that is there now, and its present text. */
  async #present(named: string): Promise<Present> {
    const file = await fileToChange(named);
    const { set } = this.#parts.changes;
    const from = set.openAt(file.path)?.from;
    const present = from === undefined || from === null || from === file.path ? file : await fileToChange(from);
    if (!this.#parts.changes.noteFile(present.path, present.uri)) throw otherFile();
    await requireSmall(present);
    const current = present.exists ? await this.#read((files) => files.lines(present.path)) : null;
    const open = set.openAt(file.path);
    if (open !== undefined) set.check(open, current);
    if (open?.state === 'stale') throw new ToolRefusal(refusalWords('stale'));
    return { file, present, current };
  }

  async #read<T>(read: (files: WorkspaceFiles) => Promise<T>): Promise<T> {
    try {
      return await read(this.#parts.changes.files);
    } catch {
      throw new ToolRefusal(ownText`Refused: the file cannot be read as text, or VS Code has an older text of it.`);
    }
  }

  #take({ path }: FileToChange, refusal: ChangeRefusal | null): void {
    if (refusal !== null) throw new ToolRefusal(refusalWords(refusal));
    this.#took(path, this.#parts.source());
  }

  #took(path: string, source: CodeSource): void {
    const { changes, onDidPropose } = this.#parts;
    const change = changes.set.openAt(path);
    if (change !== undefined) changes.proposedBy(change, source);
    onDidPropose(change?.draft);
  }

  #said(words: EditWords['words']): ToolOutput {
    const count = this.#parts.changes.open.length;
    return saying(ownText`${words} Files with proposed changes: ${count}.`);
  }
}

async function secretsIn(texts: readonly string[]): Promise<readonly string[]> {
  const found = texts.map(async (text) => (await marksOf(text)).map(({ start, end }) => text.slice(start, end)));
  return (await Promise.all(found)).flat();
}

/** Whether a line of a text has these words. A part of a secret is not found, so that a model cannot guess one. */
async function hasOutsideSecrets(versions: readonly (readonly string[])[], query: string): Promise<boolean> {
  const texts = versions.map((lines) => lines.join('\n'));
  const secrets = await secretsIn(texts);
  const cover = new SecretCover(secrets);
  return canCover(secrets) && texts.some((text) => hasLine(cover.hide(text), query));
}

function sameLines(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one?.join('\n') === other?.join('\n');
}

function requireText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new ToolRefusal(ownText`Refused: the new text has a character that no text file has.`);
  }
}

function otherFile(): ToolRefusal {
  return new ToolRefusal(ownText`Refused: a workspace folder was removed, and this path leads to another file now.`);
}

async function requireSmall({ uri, exists }: FileToChange): Promise<void> {
  if (!exists || (await vscode.workspace.fs.stat(uri)).size <= changeLimits.fileBytes) return;
  throw new ToolRefusal(ownText`Refused: the file is larger than ${changeLimits.fileBytes / 1024} KiB.`);
}
