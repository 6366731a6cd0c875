import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { edit, reloadTask as name, read } from '../task.ts';
import { differences, TaskFolder } from './folder.ts';
import { Player } from './player.ts';
import type { Stage, TaskResult } from './runTask.ts';
import { User } from './user.ts';

const files = { 'src/pay.ts': 'export const pay = 1;\n' };

const memory = (): string => `${process.env.SVC_BENCH_RESULTS}.before`;

/** Whether this is the window after the reload. */
export function isReloaded(): boolean {
  return existsSync(memory());
}

/** Proposes a change, and reloads the window while the model goes on. Does not resolve: the extension host ends. */
export async function untilReload(stage: Stage): Promise<never> {
  const { panel, service, audit } = stage;
  const folder = folderOf();
  folder.put(files);
  const player = new Player(
    function* ({ hold }) {
      yield [read('src/pay.ts')];
      yield [edit('src/pay.ts', 'pay = 1', 'pay = 2')];
      hold();
      return 'The window is reloaded before this.';
    },
    folder.prefix,
    service,
  );
  await panel.newChat();
  service.play(player.play);
  panel.onAsking((turnId, { id: stepId }) => {
    setImmediate(() => void panel.call('decideTool', { turnId, stepId, decision: 'once' }));
  });
  const user = new User(panel, folder, () => undefined);
  const asked = service.waitFor(() => service.chats.length === 3);
  await user.begin();
  await user.untilProposed(1);
  await asked;
  writeFileSync(memory(), String(audit.lines.length));
  // It is cancelled with all other calls when the extension host ends.
  vscode.commands.executeCommand('workbench.action.reloadWindow').then(undefined, () => undefined);
  return new Promise(() => undefined);
}

/** What is there after the reload. */
export async function afterReload({ panel, audit }: Stage): Promise<TaskResult> {
  const folder = folderOf();
  const expected = folder.with(new Map(), files);
  const faults = [...differences(expected, folder.now())];
  const accepted = await vscode.commands.executeCommand<{ readonly ok: boolean }>('svc.acceptChanges');
  if (accepted.ok) faults.push('something was accepted');
  if (panel.changes !== undefined) faults.push(`the card is there: ${panel.changes.title}`);
  faults.push(...differences(expected, folder.now()));
  const { lines } = audit;
  const kinds = lines.map(({ kind }) => kind);
  if (kinds.filter((kind) => kind === 'tool-call').length !== 2) faults.push(`The records are ${kinds.join()}`);
  if (kinds.some((kind) => kind.startsWith('changes-'))) faults.push(`A decision is recorded: ${kinds.join()}`);
  if (lines.length < Number(readFileSync(memory(), 'utf8'))) faults.push('Records are gone.');
  folder.remove();
  return {
    ...{ name, faults, calls: 2, refused: 0, accepts: 0, ms: 0 },
    ...{ bytesWritten: faults.length === 0 ? 0 : 1, requestsWithExcluded: 0, requestsElsewhere: 0 },
  };
}

function folderOf(): TaskFolder {
  return new TaskFolder(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'task0/');
}
