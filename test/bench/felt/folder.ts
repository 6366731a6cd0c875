import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '../../tools/browser.ts';
import type { Row, RowOptions } from '../evidence/row.ts';
import { measureInHost } from '../inHost.ts';
import type { FolderTimes } from './folderProbe.ts';
import type { HostPieces } from './hostPieces.ts';
import { writeProbe } from './probe.ts';

const pieceMs = 50;
const files = 10_000;

/** `@folder:` in a workspace of 10,000 files: how long the list, and reading a folder, holds the extension host in one piece. */
export async function folderRow({ place }: RowOptions): Promise<Row> {
  const probe = join(place, 'probe');
  await writeProbe(probe, 'test/bench/felt/folderProbe.ts');
  const browser = await chromium.launch(await findBrowser());
  try {
    const times = (await measureInHost(browser, { probe, files: workspace() })) as FolderTimes;
    const { offered, again, read } = times;
    const words = ({ longestMs, longestWallMs, busyMs }: HostPieces): string =>
      `${longestMs.toFixed(0)} ms (any time: ${longestWallMs.toFixed(0)}; together ${busyMs.toFixed(0)} ms)`;
    return {
      bar: `@folder: in ${files.toLocaleString('en')} files: holds the extension host for at most ${pieceMs} ms of processor time in one piece`,
      measured: `the list ${words(offered)}, with letters ${words(again)}, the folder ${words(read)}; ${times.offers} offers, ${times.lines} lines`,
      isMet: Math.max(offered.longestMs, again.longestMs, read.longestMs) <= pieceMs,
    };
  } finally {
    await browser.close();
  }
}

/** A third of the files is in one folder, the others in 4,000 folders. */
function workspace(): Readonly<Record<string, string>> {
  const names = Array.from({ length: files }, (_, index) =>
    index % 3 === 0 ? `src/many/file${index}.ts` : `src/part${index % 2_000}/deep/file${index}.ts`,
  );
  return {
    ...Object.fromEntries(names.map((name) => [name, ''])),
    '.gitignore': Array.from({ length: 100 }, (_, index) => `*.word${index}\n/build/${index}/**`).join('\n'),
  };
}
