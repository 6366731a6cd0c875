import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Browser } from '@playwright/test';
import { startForSuite } from '../tools/vscodeServer.ts';

export interface HostOptions {
  /**
   * A folder (its path, or its name below test/bench) with a package.json and probe.cjs, whose run() writes its results
   * as JSON to SVC_BENCH_RESULTS.
   */
  readonly probe: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** The .code-workspace file among them that is opened; by default, the folder of the files. */
  readonly target?: string;
  /** Our extension, unpacked; by default the packaged one. */
  readonly extension?: string;
  /** Installs additional extensions into the folder. */
  readonly install?: (extensionsDir: string) => void;
  /** The time limit of the probe in milliseconds. */
  readonly limitMs?: number;
}

/**
 * Returns the results of a probe in the extension host of a fresh VS Code, in which our extension is installed but not
 * activated.
 */
export async function measureInHost(browser: Browser, options: HostOptions): Promise<unknown> {
  const { probe, env = {}, files = {}, target = '', extension = 'dist/vsix', install, limitMs = 180_000 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const results = join(folder, 'results.json');
  const extensionsDir = join(folder, 'extensions');
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  putOurs(extension, extensionsDir);
  install?.(extensionsDir);
  const server = await startForSuite({
    dataDir: join(folder, 'data'),
    extensionsDir,
    env: { SVC_BENCH_RESULTS: results, ...env },
  });
  const page = await browser.newPage();
  try {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    await page.exposeFunction('codeAutomationExit', () => {
      if (!existsSync(results)) reject(new Error(`No results:\n${server.output.slice(-20).join('\n')}`));
    });
    const path = `vscode-remote://127.0.0.1:${server.port}${resolve('test/bench', probe)}`;
    await page.goto(
      server.url(join(workspace, target), [
        ['extensionDevelopmentPath', path],
        ['extensionTestsPath', `${path}/probe.cjs`],
        ['skipWelcome', 'true'],
      ]),
    );
    const found = JSON.parse(await Promise.race([written(folder, results, limitMs), ended]));
    if (found.error !== undefined) throw new Error(found.error);
    return found;
  } finally {
    await page.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Our extension, without activation events, so that a probe can time it. */
function putOurs(extension: string, extensionsDir: string): void {
  const own = join(extensionsDir, 'svc.svc-coder-0.1.0');
  cpSync(extension, own, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  writeFileSync(join(own, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
}

async function written(folder: string, file: string, limitMs: number): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>();
  const look = (): void => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text.endsWith('}')) done(text);
  };
  const watching = watch(folder, look);
  const limit = setTimeout(() => {
    const now = existsSync(`${file}.now`) ? ` It was busy with ${readFileSync(`${file}.now`, 'utf8')}.` : '';
    reject(new Error(`The extension host said nothing within ${limitMs / 1000} s.${now}`));
  }, limitMs);
  look();
  return promise.finally(() => {
    watching.close();
    clearTimeout(limit);
  });
}
