import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../../../integration/suite/stage.ts';
import { type Place, replaced } from '../corpus.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

type Files = Readonly<Record<string, string>>;

/** Makes the workspace consist of these files. */
export async function lay(files: Files): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
  for (const [path, text] of Object.entries(files)) put(path, text);
}

function put(path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The text of the place's file when code is asked for. */
export function textBefore({ file, changes = [] }: Place, files: Files): string {
  return replaced(files[file] ?? '', changes);
}

export function uriOf(path: string): vscode.Uri {
  return vscode.Uri.file(join(root, path));
}

/** The document of a file with this text. An open one may still have an earlier text of the file. */
export async function documentWith(path: string, text: string): Promise<vscode.TextDocument> {
  put(path, text);
  const document = await vscode.workspace.openTextDocument(uriOf(path));
  if (document.getText() !== text) {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  }
  if (document.getText() !== text) throw new Error(`The text of ${path} is another one.`);
  return document;
}

let repositories = 0;

/** A new repository with earlier commits, and the place's changes staged. */
export async function stagedChange(place: Place, files: Files): Promise<{ readonly rootUri: vscode.Uri }> {
  repositories += 1;
  const folder = join(root, `repository-${repositories}`);
  const file = join(folder, place.file);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  mkdirSync(dirname(file), { recursive: true });
  git('init', '-q');
  for (const message of [...(place.log ?? [])].reverse()) git('commit', '-q', '--allow-empty', '-m', message);
  writeFileSync(file, files[place.file] ?? '');
  git('add', '-A');
  if ((place.log ?? []).length > 0) git('commit', '-q', '--amend', '--no-edit');
  else git('commit', '-q', '-m', 'Begin');
  writeFileSync(file, textBefore(place, files));
  git('add', '-A');
  const rootUri = vscode.Uri.file(folder);
  const exported = await vscode.extensions.getExtension('vscode.git')?.activate();
  const api = exported.getAPI(1);
  if (api.state !== 'initialized') await until(api.onDidChangeState, () => api.state === 'initialized');
  await api.openRepository(rootUri);
  return { rootUri };
}
