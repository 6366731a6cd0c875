import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { offerContext } from '../../../src/features/context/vscode/attachments/offers.ts';
import { WorkspaceFiles } from '../../../src/features/context/vscode/files.ts';
import { folderSource } from '../../../src/features/context/vscode/folderSource.ts';
import { whyFileExcluded } from '../../../src/platform/sources/ignored/exclusions.ts';
import { type HostPieces, piecesOf } from './hostPieces.ts';

/** What the extension host did while folders were offered after `@folder:`, first and then again, and one was read. */
export interface FolderTimes {
  readonly offered: HostPieces;
  readonly again: HostPieces;
  readonly read: HostPieces;
  /** The number of offers, and of lines of the listing. */
  readonly offers: number;
  readonly lines: number;
}

/** Runs in the extension host, and writes its FolderTimes to the file that SVC_BENCH_RESULTS names. */
export async function run(): Promise<void> {
  const said = (error: unknown): object => ({ error: error instanceof Error ? error.stack : String(error) });
  writeFileSync(process.env.SVC_BENCH_RESULTS ?? '', JSON.stringify(await measured().catch(said)));
}

async function measured(): Promise<FolderTimes> {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  if (root === undefined) throw new Error('There is no folder.');
  // Everything else that starts with the window.
  await wait(5_000);
  // The list of files is refreshed at each key, and not only every ten seconds.
  const files = new WorkspaceFiles(undefined, 0);
  let [offers, lines] = [0, 0];
  const offer = async (query: string): Promise<void> => {
    offers = (await offerContext(`folder:${query}`, files, whyFileExcluded)).length;
  };
  const offered = await piecesOf(() => offer(''));
  const again = await piecesOf(() => offer('part'));
  const read = await piecesOf(async () => {
    const { attachments } = await folderSource(vscode.Uri.joinPath(root.uri, 'src')).read();
    lines = attachments[0]?.text.split('\n').length ?? 0;
  });
  return { offered, again, read, offers, lines };
}
