import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BrowserContext, test as base, chromium } from '@playwright/test';
import { type LocalService, startService } from '../service/service.ts';
import { findBrowser } from '../tools/browser.ts';
import { newest } from '../tools/vscodeParts.ts';
import { installExtension, startForPerson, type VsCodeServer } from '../tools/vscodeServer.ts';
import { ChatPanel } from './chatPanel.ts';
import { Workbench } from './workbench.ts';

export const key = 'svc_ent_demo_0123456789abcdef';
const vsix = resolve('svc-coder.vsix');

export interface Options {
  /** User settings; svc.baseUrl is there already. */
  readonly userSettings: Readonly<Record<string, unknown>>;
  /** What .vscode/settings.json of the workspace holds. */
  readonly workspaceSettings: Readonly<Record<string, unknown>>;
  /** Files of the workspace beside those settings. */
  readonly files: Readonly<Record<string, string>>;
  /** The .code-workspace among the files that is opened; the folder itself unless told. */
  readonly workspaceFile: string;
  readonly workspaceTrust: boolean;
  /** Width of the browser window, pixels. */
  readonly width: number;
}

export interface WorkerOptions {
  /** Which VS Code the stories are told in. */
  readonly vscodeVersion: string;
}

interface WorkerParts {
  /** A folder that holds the extension as a person installs it. */
  readonly extensionsDir: string;
}

interface Parts {
  readonly folder: string;
  readonly service: LocalService;
  readonly server: VsCodeServer;
  readonly context: BrowserContext;
  readonly workbench: Workbench;
  readonly chat: ChatPanel;
}

export const test = base.extend<Options & Parts, WorkerOptions & WorkerParts>({
  userSettings: [{}, { option: true }],
  workspaceSettings: [{}, { option: true }],
  files: [{}, { option: true }],
  workspaceFile: ['', { option: true }],
  workspaceTrust: [false, { option: true }],
  width: [1280, { option: true }],

  vscodeVersion: [newest, { option: true, scope: 'worker' }],

  extensionsDir: [
    async ({ vscodeVersion }, use) => {
      if (!existsSync(vsix)) throw new Error('There is no svc-coder.vsix: npm run package makes it.');
      const folder = mkdtempSync(join(tmpdir(), 'svc-extensions-'));
      await installExtension(vsix, join(folder, 'extensions'), join(folder, 'data'), vscodeVersion);
      await use(join(folder, 'extensions'));
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-e2e-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },

  // biome-ignore lint/correctness/noEmptyPattern: see above.
  service: async ({}, use) => {
    const service = await startService();
    await use(service);
    await service.close();
  },

  server: async (
    { folder, service, extensionsDir, vscodeVersion, userSettings, workspaceSettings, files, workspaceTrust },
    use,
  ) => {
    const all = { '.vscode/settings.json': JSON.stringify(workspaceSettings), ...files };
    for (const [name, text] of Object.entries(all)) {
      const path = join(folder, 'workspace', name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, text);
    }
    cpSync(extensionsDir, join(folder, 'extensions'), { recursive: true });
    const server = await startForPerson({
      version: vscodeVersion,
      dataDir: join(folder, 'data'),
      extensionsDir: join(folder, 'extensions'),
      settings: { 'svc.baseUrl': service.baseUrl, ...userSettings },
      workspaceTrust,
    });
    await use(server);
    await server.close();
  },

  // Persistent: a window that is reloaded finds its secrets again, as a person's does.
  context: async ({ folder, width }, use) => {
    const { executablePath, args, env } = await findBrowser();
    const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
      executablePath,
      args: [...args],
      env,
      viewport: { width, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await use(context);
    await context.close();
  },

  workbench: async ({ context, server, folder, workspaceFile }, use) => {
    const page = context.pages()[0] ?? (await context.newPage());
    const workbench = new Workbench(page, server, join(folder, 'workspace'), join(folder, 'data'));
    await workbench.open(workspaceFile);
    await use(workbench);
  },

  chat: async ({ workbench }, use) => use(new ChatPanel(workbench)),
});

export { expect } from '@playwright/test';
