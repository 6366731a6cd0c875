import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from './stage.ts';

interface Staged {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
}

/** Makes a folder a repository with a staged change and a staged file that may not be sent, and an empty input box. */
export async function stagedIn(folder: string): Promise<Staged> {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q');
  writeFileSync(join(folder, 'committed.ts'), 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'feat: begin');
  writeFileSync(join(folder, 'committed.ts'), 'one\ntwo\n');
  writeFileSync(join(folder, '.env'), 'TOKEN=never-leaves\n');
  git('add', '-A', '-f');
  const rootUri = vscode.Uri.file(folder);
  const extension = vscode.extensions.getExtension('vscode.git');
  const exported = await extension?.activate();
  const api = exported.getAPI(1);
  if (api.state !== 'initialized') await until(api.onDidChangeState, () => api.state === 'initialized');
  const { inputBox } = await api.openRepository(rootUri);
  inputBox.value = '';
  return { rootUri, inputBox };
}
