import { chmod, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { sha256 } from '../../../../evidence/sha256.ts';
import { exists, isGone, isNotFound } from '../../../../platform/files/isGone.ts';
import { readBytes, requireFile } from '../../../../platform/files/readBytes.ts';
import { Refusal } from '../../../../platform/pages/callError.ts';
import { openDocument } from '../../../../platform/sources/open.ts';
import { documentAt, textOf, waitUntilUpToDate } from '../../../../platform/sources/upToDate.ts';
import { isUnsaved, unsavedText } from '../../../context/vscode/unsaved.ts';
import { binaryLines } from '../../common/binaryFile.ts';
import { changeLimits } from '../../common/changeSet.ts';
import { linesOf } from '../../common/hunks.ts';
import { type Files, StaleChange } from '../../common/writeChanges.ts';
import { whyReadOnly } from '../target.ts';
import { NoText, withFileName } from './fileErrors.ts';
import { hasTrash, isSavedAs, putLines, sameBytes, sameLines } from './fileText.ts';
import { MadeFolders } from './madeFolders.ts';
import { encodedAs, encodeNewFile } from './newFile.ts';

const t = vscode.l10n.t;

type Lines = readonly string[];

/** All that is needed to restore a file. */
export interface KeptFile {
  readonly bytes: Uint8Array;
  /** The text of its document with unsaved changes, or null if it has none. */
  readonly unsaved: string | null;
  /** The permissions, for a file that was deleted since; null if the file system has none. */
  readonly mode: number | null;
}

/** The maximum size in bytes of a file that is kept: a formatter may make a file longer when it is saved. */
export const maxKept = 50 * 1024 * 1024;

interface WorkspaceFilesOptions {
  readonly resolve: (path: string) => Promise<vscode.Uri>;
  readonly maxBytes?: number;
  /** The language of new files, on which settings may depend. */
  readonly languageId?: string | undefined;
}

/**
 * The files of the workspace, for accepted changes. Texts are edited in their documents, so that the user can undo them in
 * the editor. All else is done by `workspace.fs`: an edit of VS Code that creates, renames or deletes files would let other
 * extensions change further files.
 */
export class WorkspaceFiles implements Files<KeptFile> {
  readonly #resolve: (path: string) => Promise<vscode.Uri>;
  readonly #maxBytes: number;
  readonly #languageId: string | undefined;
  readonly #folders = new MadeFolders();
  /** The documents that VS Code has to reload. */
  readonly #restored = new Set<vscode.TextDocument>();

  /**
   * `resolve` returns the file at a path, and rejects if it must not be changed. It is called at each use. A file that is
   * changed may have at most `maxBytes`.
   */
  constructor({ resolve, maxBytes = changeLimits.fileBytes, languageId }: WorkspaceFilesOptions) {
    this.#resolve = resolve;
    this.#maxBytes = maxBytes;
    this.#languageId = languageId;
  }

  /** Returns the lines of a file, or the one line with its hash if it is not text. Returns null if there is no file. */
  async lines(path: string): Promise<Lines | null> {
    try {
      const document = await this.document(path);
      return document && linesOf(document.getText());
    } catch (error) {
      if (!(error instanceof NoText)) throw error;
      const bytes = await bytesOf(path, await this.#resolve(path), changeLimits.fileBytes);
      return bytes && binaryLines(sha256(bytes).toString('hex'));
    }
  }

  /** Opens a file as text, with its unsaved changes. Returns null if there is no file. */
  async document(path: string): Promise<vscode.TextDocument | null> {
    return openUpToDate(path, await this.#resolve(path), this.#maxBytes);
  }

  async keep(path: string): Promise<KeptFile | null> {
    const uri = await this.#resolve(path);
    const bytes = await bytesOf(path, uri, maxKept);
    if (bytes === null) return null;
    const mode = uri.scheme === 'file' ? (await withFileName(path, () => stat(uri.fsPath))).mode & 0o777 : null;
    return { bytes, unsaved: unsavedText(uri), mode };
  }

  async digest(path: string): Promise<string | null> {
    const uri = await this.#resolve(path);
    const bytes = await bytesOf(path, uri, maxKept);
    const unsaved = unsavedText(uri);
    // The text of a deleted file may still be unsaved in its editor.
    if (bytes === null && unsaved === null) return null;
    return [bytes, unsaved === null ? null : Buffer.from(unsaved, 'utf16le')]
      .map((part) => (part === null ? '' : sha256(part).toString('hex')))
      .join(' ');
  }

  async watch(path: string): Promise<() => Promise<boolean>> {
    const uri = await this.#resolve(path);
    const state = (): Promise<string | null> => (uri.scheme === 'file' ? stampOf(uri) : this.digest(path));
    const before = await state();
    return async () => (await state()) === before;
  }

  async write(path: string, lines: Lines, before: Lines | null): Promise<void> {
    const uri = await this.#resolve(path);
    if (before === null) return this.#create(path, uri, lines);
    const document = await openUpToDate(path, uri, this.#maxBytes);
    if (document === null) throw new StaleChange();
    await requireWritable(path, document, lines, this.#maxBytes);
    // VS Code rejects the edit if the document changes from here on.
    if (!sameLines(linesOf(document.getText()), before)) throw new StaleChange();
    const wasDirty = document.isDirty;
    if (!(await putLines(document, lines))) throw new Refusal(t('VS Code did not accept the edit of {0}.', path));
    if (wasDirty) return;
    // VS Code may have closed a document without an editor, and opened another one for the edit.
    const written = documentAt(uri) ?? (await openDocument(uri));
    if (!written.isDirty || (await written.save())) return;
    await putLines(written, before);
    throw new Refusal(t('VS Code could not save {0}.', path));
  }

  /** Creates a file with the encoding and the line endings of the settings. */
  async #create(path: string, uri: vscode.Uri, lines: Lines): Promise<void> {
    requireSaved(path, uri);
    const languageId = this.#languageId;
    const scope = languageId === undefined ? uri : { uri, languageId };
    const lineEnd = vscode.workspace.getConfiguration('files', scope).get('eol') === '\r\n' ? '\r\n' : '\n';
    const file = await encodeNewFile(uri, lines.join(lineEnd), languageId);
    await this.#inFolder(path, uri, async () => {
      if (await exists(uri)) throw new StaleChange();
      await vscode.workspace.fs.writeFile(uri, file.contents);
    });
    const document = await file.open();
    await waitUntilUpToDate(document, () => bytesOf(path, uri, maxKept));
  }

  async rename(from: string, to: string): Promise<void> {
    const source = await this.#resolve(from);
    const target = await this.#resolve(to);
    requireSaved(from, source);
    requireSaved(to, target);
    await withFileName(from, () => requireFile(source));
    await this.#inFolder(to, target, () => vscode.workspace.fs.rename(source, target, { overwrite: false }));
  }

  async delete(path: string): Promise<void> {
    const uri = await this.#resolve(path);
    requireSaved(path, uri);
    await withFileName(path, async () => {
      await requireFile(uri);
      await vscode.workspace.fs.delete(uri, { recursive: false, useTrash: hasTrash(uri) });
    });
  }

  async restore(path: string, kept: KeptFile | null): Promise<void> {
    const uri = await this.#resolve(path);
    await withFileName(path, () => (kept === null ? this.#remove(path, uri) : this.#putBack(path, uri, kept)));
  }

  async settle(): Promise<void> {
    const documents = [...this.#restored];
    this.#restored.clear();
    // A file that cannot be read any more is reported where it is used next.
    await Promise.allSettled(
      documents.map((document) => waitUntilUpToDate(document, () => bytesOf(document.uri.path, document.uri, maxKept))),
    );
  }

  async #remove(path: string, uri: vscode.Uri): Promise<void> {
    requireSaved(path, uri);
    if (!(await isGone(uri))) {
      await requireFile(uri);
      await vscode.workspace.fs.delete(uri, { recursive: false });
    }
    await this.#folders.removeFor(uri);
  }

  async #putBack(path: string, uri: vscode.Uri, { bytes, unsaved, mode }: KeptFile): Promise<void> {
    const found = await bytesOf(path, uri, maxKept);
    const document = unsaved === null ? documentAt(uri) : await openDocument(uri);
    // Another program has changed the file of a document with unsaved changes.
    if (document?.isDirty === true && found !== null && !sameBytes(found, bytes)) throw new StaleChange();
    if (document !== undefined && (unsaved !== null || document.isDirty)) {
      const text = unsaved ?? (await textOf(bytes, document));
      if (!(await putLines(document, linesOf(text))))
        throw new Refusal(t('VS Code did not accept the edit of {0}.', path));
      // VS Code does not reload a document with unsaved changes.
      if (unsaved === null) await document.save();
    }
    if (found === null) await this.#folders.makeAgainFor(uri);
    if (unsaved === null || found === null) await this.#putBytes(path, uri, bytes);
    if (found === null && mode !== null) await chmod(uri.fsPath, mode);
    if (document?.isDirty === false) this.#restored.add(document);
  }

  async #putBytes(path: string, uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const current = await bytesOf(path, uri, maxKept);
    if (current === null || !sameBytes(current, bytes)) await vscode.workspace.fs.writeFile(uri, bytes);
  }

  /** Makes the folders of a file for `act`, and removes them again if it fails. */
  async #inFolder(path: string, uri: vscode.Uri, act: () => PromiseLike<void>): Promise<void> {
    try {
      await withFileName(path, async () => {
        await this.#folders.makeFor(uri);
        await act();
      });
    } catch (error) {
      await this.#folders.removeFor(uri);
      throw error;
    }
  }
}

async function bytesOf(path: string, uri: vscode.Uri, maxBytes: number): Promise<Uint8Array | null> {
  return withFileName(path, async () => {
    try {
      const bytes = await readBytes(uri, maxBytes);
      if (bytes === null) throw new Refusal(t('{0} is larger than {1} KiB.', path, maxBytes / 1024));
      return bytes;
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  });
}

/** Opens a file as text, with its unsaved changes. Returns null if there is no file. */
async function openUpToDate(path: string, uri: vscode.Uri, maxBytes: number): Promise<vscode.TextDocument | null> {
  const read = (): Promise<Uint8Array | null> => bytesOf(path, uri, maxBytes);
  if ((await read()) === null) return null;
  const document = await withFileName(path, () => openText(path, uri));
  if (await waitUntilUpToDate(document, read)) return document.isClosed ? openUpToDate(path, uri, maxBytes) : document;
  throw new Refusal(
    t('VS Code still shows an older version of {0}. Open the file, and run the command File: Revert File.', path),
  );
}

async function openText(path: string, uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await openDocument(uri);
  } catch {
    throw new NoText(path);
  }
}

/** Rejects if VS Code cannot save these lines, or would change other bytes of the file with them. */
async function requireWritable(
  path: string,
  document: vscode.TextDocument,
  lines: Lines,
  maxBytes: number,
): Promise<void> {
  const { uri, encoding } = document;
  const why = await whyReadOnly(document);
  if (why !== null) throw new Refusal(t('{0} cannot be read or changed: {1}', path, why));
  if ((await encodedAs(lines.join('\n'), encoding)) === null)
    throw new Refusal(t('{0} is saved as {1}, which lacks some of the new characters.', path, encoding));
  const bytes = await bytesOf(path, uri, maxBytes);
  // A document with unsaved changes is saved by the user.
  if (bytes === null || document.isDirty || (await isSavedAs(document, bytes))) return;
  const text = await textOf(bytes, document);
  const decoded = await encodedAs(text, encoding);
  throw new Refusal(
    decoded !== null && sameBytes(decoded, bytes)
      ? t('{0} has mixed line endings: saving would change all of them. Save the file once, and ask again.', path)
      : t(
          '{0} is not encoded as {1}: saving would change other characters. Reopen the file with its encoding.',
          path,
          encoding,
        ),
  );
}

function requireSaved(path: string, uri: vscode.Uri): void {
  if (isUnsaved(uri)) throw new Refusal(t('{0} has unsaved changes. Save the file first.', path));
}

/** Returns a text that differs for any two states of a file on the disk, with its unsaved changes. It may differ for the same state. */
async function stampOf(uri: vscode.Uri): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = (await stat(uri.fsPath, { bigint: true }).catch(() => null)) ?? {};
  const document = documentAt(uri);
  return [ino, size, mtimeNs, ctimeNs, document?.isDirty === true ? document.version : null].join(' ');
}
