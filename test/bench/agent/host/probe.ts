// Runs in the extension host of a VS Code with the packaged extension: plays the tasks that SVC_BENCH_AGENT names, and writes
// the results to the file that SVC_BENCH_RESULTS names.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { key, storeKey } from '../../../integration/suite/stage.ts';
import { startService } from '../../../service/service.ts';
import { tasksOf } from '../tasks.ts';
import { type Figures, measureFigures } from './figures.ts';
import { TaskFolder } from './folder.ts';
import { Panel } from './panel.ts';
import { AuditLog, watchConnections } from './records.ts';
import { runTask, type Stage, type TaskResult } from './runTask.ts';

/** What the bench asks of a window. */
export interface Job {
  /** The tasks of a workspace with one folder, those of two folders, or the figures. */
  readonly part: 'tasks' | 'folders' | 'figures';
  /** A pattern for the names of tasks. */
  readonly only: string;
  readonly rounds: number;
  /** The file that each result is added to as soon as it is there: a host that ends early would lose them. */
  readonly log: string;
  /** The files of the packages, by kind of task. */
  readonly packages: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface PartResults {
  readonly tasks: readonly (TaskResult & { readonly kind: string })[];
  readonly figures?: Figures;
}

const settings: Readonly<Record<string, unknown>> = {
  'svc.tools.enabled': true,
  'svc.changes.enabled': true,
  'files.autoSave': 'off',
  'typescript.validate.enable': false,
};

export async function run(): Promise<void> {
  const results = await all().catch((error: Error) => ({ error: String(error.stack) }));
  writeFileSync(process.env.SVC_BENCH_RESULTS ?? '', JSON.stringify(results));
}

async function all(): Promise<PartResults> {
  const job: Job = JSON.parse(readFileSync(process.env.SVC_BENCH_AGENT ?? '', 'utf8'));
  const service = await startService({ keys: [key] });
  const { others, stop } = watchConnections(service.port);
  const set = async (name: string, value: unknown): Promise<void> =>
    vscode.workspace.getConfiguration().update(name, value ?? settings[name], vscode.ConfigurationTarget.Global);
  for (const [name, value] of Object.entries({ ...settings, 'svc.baseUrl': service.baseUrl })) await set(name, value);
  const panel = await Panel.open('svc.svc-coder');
  await storeKey();
  const stage: Stage = { panel, service, audit: await AuditLog.open(), others, set };
  try {
    if (job.part === 'figures') return { tasks: [], figures: await measureFigures(stage, job.rounds) };
    return { tasks: await played(job, stage) };
  } finally {
    stop();
    await service.close();
  }
}

async function played({ part, only, packages, log }: Job, stage: Stage): Promise<PartResults['tasks']> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const root = folders[0]?.uri.fsPath ?? '';
  const wanted = new RegExp(only);
  const results: PartResults['tasks'][number][] = [];
  const place = (at: number): TaskFolder =>
    part === 'folders'
      ? new TaskFolder(vscode.Uri.joinPath(vscode.Uri.file(root), '..').fsPath, '')
      : new TaskFolder(root, `task${at}/`);
  for (const [at, { kind, task }] of tasksOf(part, packages).entries()) {
    if (!wanted.test(`${kind}: ${task.name}`)) continue;
    writeFileSync(`${process.env.SVC_BENCH_RESULTS}.now`, task.name);
    const result = { ...(await runTask(task, stage, place(at))), kind };
    appendFileSync(log, `${JSON.stringify(result)}\n`);
    results.push(result);
  }
  return results;
}
