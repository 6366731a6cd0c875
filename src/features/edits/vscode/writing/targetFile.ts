import * as vscode from 'vscode';
import { realUri } from '../../../../platform/files/links.ts';
import { Refusal } from '../../../../platform/pages/callError.ts';
import { openDocument } from '../../../../platform/sources/open.ts';
import { sha256Hex } from '../../../../util/sha256.ts';
import type { Draft } from '../../common/draft.ts';
import { linesOf } from '../../common/hunks.ts';
import { StaleChange } from '../../common/writeChanges.ts';
import { liveDocument, type Target } from '../target.ts';
import { putLines, sameLines } from './fileText.ts';
import { putFormatted } from './format.ts';
import { openUntitled } from './openUntitled.ts';
import { type KeptFile, maxKept, WorkspaceFiles } from './workspaceFiles.ts';

const t = vscode.l10n.t;

/** The target of a proposal at the moment, and its text. */
interface Targeted {
  readonly target: Target;
  readonly draft: Draft;
}

/**
 * The file or document of a single proposal. Its text is changed as if the user had typed it: in its editor, formatted, and
 * without saving it. It may have no file: an untitled document, or a cell of a notebook. Paths are only shown.
 */
export class TargetFile extends WorkspaceFiles {
  readonly #of: Targeted;
  /** The document that was opened for an untitled target. */
  #opened: vscode.TextDocument | undefined;

  constructor(of: Targeted) {
    const { target } = of;
    const languageId = target.kind === 'file' ? target.languageId : undefined;
    const place = target.kind === 'untitled' ? null : { uri: uriOf(target), real: realUri(uriOf(target)) };
    super({ resolve: () => samePlace(uriOf(of.target), place), maxBytes: maxKept, languageId });
    this.#of = of;
  }

  override async document(path: string): Promise<vscode.TextDocument | null> {
    const { target } = this.#of;
    if (target.kind === 'untitled') return this.#opened?.isClosed === false ? this.#opened : null;
    if (target.kind === 'document' && !hasFile(target.document)) return liveDocument(target.document);
    return super.document(path);
  }

  override async keep(path: string): Promise<KeptFile | null> {
    const document = await this.document(path);
    if (document === null) return null;
    return hasFile(document) ? super.keep(path) : { bytes: new Uint8Array(), unsaved: document.getText(), mode: null };
  }

  /** Saving the text does not change the digest: the user may save what was accepted, and undo it then. */
  override async digest(path: string): Promise<string | null> {
    const document = await this.document(path);
    return document && sha256Hex(document.getText());
  }

  override async watch(path: string): Promise<() => Promise<boolean>> {
    const before = await this.digest(path);
    return async () => (await this.digest(path)) === before;
  }

  override async write(path: string, lines: readonly string[], before: readonly string[] | null): Promise<void> {
    const { target, draft } = this.#of;
    if (target.kind === 'untitled') {
      this.#opened = await openUntitled(lines.join('\n'), target.languageId);
      await vscode.window.showTextDocument(this.#opened);
    } else if (target.kind === 'file') {
      await super.write(path, lines, null);
      const editor = await vscode.window.showTextDocument(await openDocument(target.uri), { preview: false });
      await putFormatted(editor, linesOf(editor.document.getText()), ['']);
      if (editor.document.isDirty) await editor.document.save();
    } else {
      const document = await this.document(path);
      if (document === null || !sameLines(linesOf(document.getText()), before ?? [])) throw new StaleChange();
      // The last hunks are formatted, with those that were accepted before.
      const editor = sameLines(lines, draft.proposed) ? await editorOf(document) : undefined;
      const isDone = editor === undefined ? putLines(document, lines) : putFormatted(editor, lines, draft.first);
      if (!(await isDone)) throw new Refusal(t('VS Code rejected the edit. The file may be read-only.'));
    }
  }

  override async restore(path: string, kept: KeptFile | null): Promise<void> {
    const document = await this.document(path);
    if (document === null || hasFile(document)) return super.restore(path, kept);
    if (!(await putLines(document, linesOf(kept?.unsaved ?? ''))))
      throw new Refusal(t('VS Code did not accept the edit of {0}.', path));
    if (kept === null) await closeEditorsOf(document);
  }
}

/** Returns the file. Rejects if a link has come to its place since the proposal. A file that was renamed has another place. */
async function samePlace(
  uri: vscode.Uri,
  place: { readonly uri: vscode.Uri; readonly real: Promise<vscode.Uri | null> } | null,
): Promise<vscode.Uri> {
  if (place?.uri.toString() !== uri.toString()) return uri;
  const [real, now] = [await place.real, await realUri(uri)];
  if (real?.toString() !== now?.toString()) throw new StaleChange();
  return uri;
}

function uriOf(target: Target): vscode.Uri {
  if (target.kind === 'document') return target.document.uri;
  if (target.kind === 'file') return target.uri;
  throw new Error('An untitled document has no file.');
}

/** Whether a document is stored in a file of its own. */
function hasFile({ uri: { scheme } }: vscode.TextDocument): boolean {
  return scheme !== 'untitled' && scheme !== 'vscode-notebook-cell';
}

/**
 * Returns a writable editor, unlike the sides of a diff. A notebook cell is shown by its notebook, and has an editor
 * while it is visible.
 */
async function editorOf(document: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
  if (document.uri.scheme !== 'vscode-notebook-cell')
    return vscode.window.showTextDocument(document, { preview: false });
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = cells.find((each) => each.document === document);
  if (cell !== undefined) {
    const selections = [new vscode.NotebookRange(cell.index, cell.index + 1)];
    await vscode.window.showNotebookDocument(cell.notebook, { selections });
  }
  return undefined;
}

async function closeEditorsOf({ uri }: vscode.TextDocument): Promise<void> {
  const isOf = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isOf)));
}
