import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from '@playwright/test';
import { startForSuite } from '../../tools/vscodeServer.ts';

export const ours = 'svc.svc-coder';
export const empty = 'bench.empty';

export interface Cost {
  /** From the call of activate() until it resolved: VS Code loads the code and calls it. */
  readonly ms: number;
  /** What is used after a collection, on the heap and beside it. */
  readonly heapBytes: number;
  readonly rssBytes: number;
}

export interface Measured {
  readonly measured: Readonly<Record<typeof ours | typeof empty, Cost>>;
  readonly timers: number;
  readonly sockets: number;
  /** Of a profile of three seconds in which nobody does anything. */
  readonly samples: number;
}

/** One fresh VS Code in which both extensions are activated, in this order. */
export async function measureHost(browser: Browser, order: readonly string[]): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-startup-'));
  const results = join(folder, 'results.json');
  const extensionsDir = join(folder, 'extensions');
  mkdirSync(join(folder, 'workspace'));
  putExtensions(extensionsDir);
  const server = await startForSuite({
    dataDir: join(folder, 'data'),
    extensionsDir,
    env: { SVC_BENCH_RESULTS: results, SVC_BENCH_ORDER: order.join(',') },
  });
  const page = await browser.newPage();
  try {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    await page.exposeFunction('codeAutomationExit', () => {
      if (!existsSync(results)) reject(new Error(`No results:\n${server.output.slice(-20).join('\n')}`));
    });
    const probe = `vscode-remote://127.0.0.1:${server.port}${resolve('test/bench/startup/probe')}`;
    await page.goto(
      server.url(join(folder, 'workspace'), [
        ['extensionDevelopmentPath', probe],
        ['extensionTestsPath', `${probe}/probe.cjs`],
        ['skipWelcome', 'true'],
      ]),
    );
    return JSON.parse(await Promise.race([written(folder, results), ended]));
  } finally {
    await page.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ours as packaged, and one that does nothing; neither starts by itself, so that the probe can time it. */
function putExtensions(extensionsDir: string): void {
  const own = join(extensionsDir, 'svc.svc-coder-0.1.0');
  cpSync('dist/vsix', own, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  writeFileSync(join(own, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  const nothing = join(extensionsDir, 'bench.empty-0.0.1');
  mkdirSync(nothing);
  const { engines, extensionKind } = manifest;
  const facts = { name: 'empty', publisher: 'bench', version: '0.0.1', main: './main.cjs', engines, extensionKind };
  writeFileSync(join(nothing, 'package.json'), JSON.stringify({ ...facts, type: 'module', activationEvents: [] }));
  writeFileSync(join(nothing, 'main.cjs'), "require('vscode');\nexports.activate = () => {};\n");
}

async function written(folder: string, file: string): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>();
  const look = (): void => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text.endsWith('}')) done(text);
  };
  const watching = watch(folder, look);
  const limit = setTimeout(() => reject(new Error('The extension host said nothing within 120 s.')), 120_000);
  look();
  return promise.finally(() => {
    watching.close();
    clearTimeout(limit);
  });
}
