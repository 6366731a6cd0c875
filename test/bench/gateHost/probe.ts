import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { createContextService } from '../../../src/features/context/vscode/attachments/contextService.ts';
import { PendingAttachments } from '../../../src/features/context/vscode/attachments/pendingAttachments.ts';
import { whyExcluded, whyFileExcluded } from '../../../src/platform/sources/ignored/exclusions.ts';
import { timed } from '../timing.ts';

/** Milliseconds. */
export interface HostTimes {
  /** The list of `@`: first in this window, then again, and with letters behind it. */
  readonly firstList: number;
  readonly nextLists: readonly number[];
  /** The check of whether an attachment that covers 1,000 files may leave, then again. */
  readonly firstAnswer: number;
  readonly nextAnswers: readonly number[];
  /** The peers: all files of the workspace from VS Code; the same names from `git check-ignore`. */
  readonly findFiles: readonly number[];
  readonly checkIgnore: readonly number[];
}

const rounds = 9;
/** The time for everything else that starts with the window. */
const settleMs = 5_000;

/** Runs in the extension host, and writes its HostTimes to the file that SVC_BENCH_RESULTS names. */
export async function run(): Promise<void> {
  writeFileSync(process.env.SVC_BENCH_RESULTS ?? '', JSON.stringify(await measured().catch(said)));
}

function said(error: unknown): { readonly error: string } {
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

async function measured(): Promise<HostTimes> {
  const attachments = new PendingAttachments({
    limits: () => ({ maxFileBytes: 1e6, maxRequestBytes: 1e6 }),
    scanner: async () => ({ scanText: async () => [] }),
  } as never);
  const room = createContextService({ attachments, whyExcluded: whyFileExcluded });
  let request = 0;
  const list = (query: string) => async (): Promise<void> => {
    request += 1;
    const items = await room.complete({ request, shown: null, trigger: '@', query });
    if (items === null || items.length < 30) throw new Error(`@${query} offers ${items?.length} items`);
  };
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const firstList = await timed(list(''));
  const nextLists: number[] = [];
  for (const query of ['', 'f', 'fi', 'file1', 'part']) nextLists.push(await timed(list(query)));

  const listing = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri, 'listing');
  const covers = Array.from({ length: 1_000 }, (_, index) => ({
    uri: vscode.Uri.joinPath(listing, `part${index % 40}`, `name${index}.ts`).toString(),
    folder: null,
  }));
  const answer = async (): Promise<void> => {
    const reason = await whyExcluded({ uri: listing.toString(), covers });
    if (reason !== null) throw new Error(`The listing is excluded by ${reason}`);
  };
  const firstAnswer = await timed(answer);
  const nextAnswers: number[] = [];
  for (let round = 0; round < rounds; round += 1) nextAnswers.push(await timed(answer));
  const findFiles: number[] = [];
  const checkIgnore: number[] = [];
  const names = covers.map(({ uri }) => `${vscode.Uri.parse(uri).fsPath}\0`).join('');
  for (let round = 0; round < rounds; round += 1) {
    findFiles.push(await timed(async () => void (await vscode.workspace.findFiles('**/*', undefined, 10_000))));
    checkIgnore.push(await timed(async () => askGit(listing.fsPath, names)));
  }
  return { firstList, nextLists, firstAnswer, nextAnswers, findFiles, checkIgnore };
}

function askGit(cwd: string, names: string): void {
  const { error, status } = spawnSync('git', ['check-ignore', '--no-index', '--stdin', '-z'], { cwd, input: names });
  // 1: none of them is ignored.
  if (status !== 1) throw error ?? new Error(`git check-ignore ended with ${status}`);
}
