import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { timed } from '../../timing.ts';
import { edit } from '../task.ts';
import { TaskFolder } from './folder.ts';
import { makeFolders } from './makeFolders.ts';
import { Player } from './player.ts';
import type { Stage } from './runTask.ts';
import { User } from './user.ts';

/** Milliseconds, one for each round. */
export interface Figures {
  readonly shown: readonly number[];
  readonly accept: readonly number[];
  readonly undo: readonly number[];
  /** VS Code's own edit of the same files, with saving. */
  readonly applyEdit: readonly number[];
  /** Writing the same bytes by `workspace.fs`. */
  readonly writeFile: readonly number[];
}

const files = 20;
const lines = 300;

/** Measures, with files that are attached: how soon a change is shown, and how long decisions about 20 files take. */
export async function measureFigures(stage: Stage, rounds: number): Promise<Figures> {
  const figures = { shown: [], accept: [], undo: [], applyEdit: [], writeFile: [] } as Record<keyof Figures, number[]>;
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  for (let round = 0; round < rounds; round += 1) {
    const folder = new TaskFolder(root, `round${round}/`);
    const measured = await measureOnce(stage, folder);
    for (const [name, ms] of Object.entries(measured)) figures[name as keyof Figures].push(ms);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    folder.remove();
  }
  return figures;
}

async function measureOnce(stage: Stage, folder: TaskFolder): Promise<Record<keyof Figures, number>> {
  const { panel, service } = stage;
  const names = Array.from({ length: files }, (_, at) => `part${at % 4}/file${at}.txt`);
  const text = (name: string): string =>
    Array.from({ length: lines }, (_, at) => `line ${at} of ${name} = ${at * 7}`).join('\n');
  await makeFolders(names.map((name) => folder.path(name)));
  folder.put(Object.fromEntries(names.map((name) => [name, text(name)])));
  await panel.newChat();
  service.clear();
  await panel.call('drop', { uris: names.map((name) => vscode.Uri.file(folder.path(name)).toString()) });
  const change = (name: string) => edit(name, `line 150 of ${name} = 1050`, `line 150 of ${name} = 1051\nline 150b`);
  const player = new Player(
    function* () {
      yield [change(names[0] ?? '')];
      yield names.slice(1).map(change);
      return 'Please check it.';
    },
    folder.prefix,
    service,
  );
  service.play(player.play);
  const user = new User(panel, folder, () => undefined);
  const ends = endsOfAnswers();
  const changed = panel.onFirstChange();
  await user.ask();
  const shown = (await changed) - (ends.times[0] ?? 0);
  ends.stop();
  if (panel.changes?.files.length !== files) throw new Error(`${panel.changes?.files.length} files are proposed.`);
  const before = names.map((name) => readFileSync(folder.path(name)));
  const accept = await timed(() => user.accept());
  if (names.some((name) => !readFileSync(folder.path(name), 'utf8').includes('line 150b')))
    throw new Error('Not all is written.');
  const undo = await timed(async () => void (await user.undo()));
  if (names.some((name, at) => !readFileSync(folder.path(name)).equals(before[at] ?? Buffer.of())))
    throw new Error('Not all is undone.');
  return {
    shown,
    accept,
    undo,
    ...(await measurePeers(
      names.map((name) => folder.path(`peer/${name}`)),
      text,
    )),
  };
}

async function measurePeers(
  paths: readonly string[],
  text: (name: string) => string,
): Promise<Pick<Record<keyof Figures, number>, 'applyEdit' | 'writeFile'>> {
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text(path));
  }
  const applyEdit = await timed(async () => {
    const all = new vscode.WorkspaceEdit();
    for (const path of paths) all.insert(vscode.Uri.file(path), new vscode.Position(150, 0), 'line 150b\n');
    if (!(await vscode.workspace.applyEdit(all))) throw new Error('VS Code did not apply the edit.');
    await vscode.workspace.saveAll(false);
  });
  const writeFile = await timed(async () => {
    for (const path of paths) await vscode.workspace.fs.writeFile(vscode.Uri.file(path), Buffer.from(text(path)));
  });
  rmSync(join(paths[0] ?? '', '../..'), { recursive: true });
  return { applyEdit, writeFile };
}

/** When each chat answer was sent, by performance.now(). */
function endsOfAnswers(): { readonly times: readonly number[]; readonly stop: () => void } {
  const times: number[] = [];
  const note = (message: unknown): void => {
    const { response } = message as { readonly response: ServerResponse };
    if (/\/chat\/completions$/.test(response.req.url ?? '')) times.push(performance.now());
  };
  subscribe('http.server.response.finish', note);
  return { times, stop: () => void unsubscribe('http.server.response.finish', note) };
}
