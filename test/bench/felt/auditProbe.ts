import { appendFileSync, copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { processorMs } from '../../tools/processorTime.ts';
import { type HostPieces, piecesOf } from './hostPieces.ts';

/** What the extension host tells of the page of the audit log. */
export interface AuditTimes {
  /** Epoch, ms: when the page was asked for. */
  readonly asked: number;
  readonly opening: HostPieces;
  /** After one more line, when Refresh is pressed.
   */
  readonly update: HostPieces;
  /** Reading all files and JSON.parse of each line, in milliseconds of processor time. */
  readonly referenceMs: number;
}

/**
 * Runs in the extension host. SVC_BENCH_LOG is the folder of a log, which becomes that of the extension; SVC_BENCH_MARK a
 * file that is written when Refresh is to be pressed.
 */
export async function run(): Promise<void> {
  const results = process.env.SVC_BENCH_RESULTS ?? '';
  const said = (error: unknown): object => ({ error: error instanceof Error ? error.stack : String(error) });
  writeFileSync(results, JSON.stringify(await measured().catch(said)));
}

async function measured(): Promise<AuditTimes> {
  const log = process.env.SVC_BENCH_LOG ?? '';
  // Makes the folder.
  const { folder } = await vscode.commands.executeCommand<{ readonly folder: string }>('svc.auditLog.verify');
  for (const name of readdirSync(log)) {
    copyFileSync(join(log, name), join(folder, name));
    const { mtime } = statSync(join(log, name));
    utimesSync(join(folder, name), mtime, mtime);
  }
  const from = processorMs();
  for (const name of readdirSync(log)) {
    for (const line of readFileSync(join(log, name), 'utf8').split('\n')) if (line !== '') JSON.parse(line);
  }
  const referenceMs = processorMs() - from;
  await wait(3_000);
  let asked = 0;
  const open = async (): Promise<void> => {
    asked = Date.now();
    await vscode.commands.executeCommand('svc.auditLog.open');
  };
  const opening = await piecesOf(open, 3_000);
  // As another window would.
  const newest = readdirSync(log).sort().at(-1) ?? '';
  appendFileSync(join(folder, newest), `${readFileSync(join(log, newest), 'utf8').trimEnd().split('\n').at(-1)}\n`);
  const update = await piecesOf(async () => writeFileSync(process.env.SVC_BENCH_MARK ?? '', ''), 3_000);
  return { asked, opening, update, referenceMs };
}
