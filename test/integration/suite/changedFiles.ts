import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ChangeSet } from '../../../src/features/edits/common/changeSet.ts';
import {
  type Accepted,
  type Files,
  type LeftAlone,
  undoChanges,
  writeChanges,
} from '../../../src/features/edits/common/writeChanges.ts';
import { type KeptFile, WorkspaceFiles } from '../../../src/features/edits/vscode/writing/workspaceFiles.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** A folder of the workspace in which changes are accepted and undone. */
export class ChangedFolder {
  readonly path: string;
  readonly files: Files<KeptFile>;
  set = new ChangeSet({ ignoresCase: false });

  /** `place` returns the file at a path that is not on the disk. */
  constructor(name: string, place: (path: string) => vscode.Uri | undefined = () => undefined) {
    this.path = join(root, name);
    this.files = new WorkspaceFiles({ resolve: async (path) => place(path) ?? this.uri(path) });
    mkdirSync(this.path, { recursive: true });
  }

  uri(path: string): vscode.Uri {
    return vscode.Uri.file(join(this.path, path));
  }

  put(path: string, bytes: string | Uint8Array): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), bytes);
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.path, path));
  }

  /** The bytes of each file, after an x if it can be executed; folders, too. */
  now(): Readonly<Record<string, string>> {
    const paths = readdirSync(this.path, { recursive: true, encoding: 'utf8' }).sort();
    return Object.fromEntries(
      paths.map((path) => {
        const full = join(this.path, path);
        const found = lstatSync(full);
        const mark = (found.mode & 0o100) === 0 ? '' : 'x ';
        return [path, found.isDirectory() ? 'folder' : mark + readFileSync(full).toString('latin1')];
      }),
    );
  }

  open(path: string): Thenable<vscode.TextDocument> {
    return vscode.workspace.openTextDocument(this.uri(path));
  }

  /** Changes the text of a file, without saving it. */
  async type(path: string, text: string): Promise<vscode.TextDocument> {
    const document = await this.open(path);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    await vscode.workspace.applyEdit(edit);
    return document;
  }

  /** Proposes lines for a file, made of its own. */
  async propose(path: string, change: (lines: readonly string[]) => readonly string[]): Promise<void> {
    const current = await this.files.lines(this.set.openAt(path)?.from ?? path);
    const refusal = this.set.write(path, change(this.set.linesAt(path) ?? current ?? []), current);
    if (refusal !== null) throw new Error(refusal);
  }

  async rename(from: string, to: string): Promise<void> {
    const refusal = this.set.rename(from, to, await this.files.lines(from), false);
    if (refusal !== null) throw new Error(refusal);
  }

  async delete(path: string): Promise<void> {
    const refusal = this.set.delete(path, await this.files.lines(path));
    if (refusal !== null) throw new Error(refusal);
  }

  /** Writes all that is proposed. */
  async accept(): Promise<Accepted<KeptFile>> {
    const choices = this.set.changes.filter(({ state }) => state === 'proposed').map((change) => ({ change }));
    const accepted = await writeChanges(this.set, choices, this.files);
    this.set = new ChangeSet({ ignoresCase: false });
    return accepted;
  }

  undo(accepted: Accepted<KeptFile>): Promise<readonly LeftAlone[]> {
    return undoChanges(accepted, this.files);
  }
}

/** Accepts everything, which must not stop. */
export async function acceptAll(folder: ChangedFolder): Promise<Accepted<KeptFile>> {
  const accepted = await folder.accept();
  if (accepted.stopped !== undefined) throw accepted.stopped.reason;
  return accepted;
}
