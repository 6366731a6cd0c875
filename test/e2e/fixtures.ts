import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { type LocalService, startService } from '../service/service.ts';
import { freePort } from '../tools/freePort.ts';
import { newest } from '../tools/vscodeParts.ts';
import { installExtension } from '../tools/vscodeServer.ts';
import { ChatPanel } from './chatPanel.ts';
import { Computer, type Window } from './computer.ts';
import { Workbench } from './workbench.ts';
import { type Files, hasExactly, writeFiles } from './workspaceFiles.ts';

export const key = 'svc_ent_demo_0123456789abcdef';
const vsix = resolve('svc-coder.vsix');

export interface Options {
  /** User settings; svc.baseUrl is there already. */
  readonly userSettings: Readonly<Record<string, unknown>>;
  /** What .vscode/settings.json of the workspace holds. */
  readonly workspaceSettings: Readonly<Record<string, unknown>>;
  /** Files of the workspace beside those settings. */
  readonly files: Files;
  /** The .code-workspace among the files that is opened; the folder itself unless told. */
  readonly workspaceFile: string;
  readonly workspaceTrust: boolean;
  /** A story that looks at what is kept on the disk, or changes what a computer is, has one of its own. */
  readonly isAlone: boolean;
  /**
   * The next story of the file that begins with the same settings and files takes the window over, with the key that is
   * stored in it, unless this one failed or changed them. For stories that do not mind what was asked before, and leave
   * no editor with changes, which VS Code would save later.
   */
  readonly keepsWindow: boolean;
  /** Width of the browser window, pixels. */
  readonly width: number;
}

export interface WorkerOptions {
  /** Which VS Code the stories are told in. */
  readonly vscodeVersion: string;
}

/** What a story begins with. */
interface Scene {
  readonly userSettings: Readonly<Record<string, unknown>>;
  readonly files: Files;
  readonly workspaceFile: string;
  readonly width: number;
}

interface WorkerParts {
  /** A folder that holds the extension as a person installs it. */
  readonly extensionsDir: string;
  /** The computer that the stories of a worker use, one after the other. */
  readonly shared: () => Promise<Computer>;
  /** Of the services of a worker, which come one after the other. */
  readonly servicePort: number;
}

interface Parts {
  readonly computer: Computer;
  readonly scene: Scene;
  readonly window: Window;
  /** The workspace is in there. */
  readonly folder: string;
  readonly service: LocalService;
  readonly workbench: Workbench;
  readonly chat: ChatPanel;
}

export const test = base.extend<Options & Parts, WorkerOptions & WorkerParts>({
  userSettings: [{}, { option: true }],
  workspaceSettings: [{}, { option: true }],
  files: [{}, { option: true }],
  workspaceFile: ['', { option: true }],
  workspaceTrust: [false, { option: true }],
  isAlone: [false, { option: true }],
  keepsWindow: [false, { option: true }],
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

  shared: [
    async ({ vscodeVersion, extensionsDir }, use) => {
      let started: Promise<Computer> | undefined;
      await use(() => {
        started ??= Computer.start({ vscodeVersion, extensionsDir, workspaceTrust: false });
        return started;
      });
      await (await started)?.close();
    },
    { scope: 'worker' },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
  servicePort: [async ({}, use) => use(await freePort(0)), { scope: 'worker' }],

  computer: async ({ shared, isAlone, workspaceTrust, vscodeVersion, extensionsDir }, use) => {
    if (!isAlone && !workspaceTrust) {
      await use(await shared());
      return;
    }
    const own = await Computer.start({ vscodeVersion, extensionsDir, workspaceTrust });
    await use(own);
    await own.close();
  },

  scene: async ({ userSettings, workspaceSettings, files, workspaceFile, width }, use) =>
    use({
      userSettings,
      files: { '.vscode/settings.json': JSON.stringify(workspaceSettings), ...files },
      workspaceFile,
      width,
    }),

  window: async ({ computer, scene, keepsWindow }, use, { file }) => {
    const purpose = JSON.stringify({ file, ...scene });
    const { left } = computer;
    computer.left = undefined;
    if (keepsWindow && left?.purpose === purpose) {
      await use(left);
      return;
    }
    await computer.forget();
    await use({ purpose, folder: mkdtempSync(join(computer.folder, 'story-')), storedKey: undefined });
  },

  folder: async ({ window }, use) => use(window.folder),

  service: async ({ servicePort: port }, use) => {
    const service = await startService({ port: await freePort(port) });
    await use(service);
    await service.close();
  },

  workbench: async ({ computer, scene, window, service, keepsWindow }, use, testInfo) => {
    const { userSettings, files, workspaceFile, width } = scene;
    const workspace = join(window.folder, 'workspace');
    const workbench = new Workbench(computer, await computer.page(), workspace, window.storedKey);
    if (window.storedKey === undefined) {
      writeFiles(workspace, files);
      workbench.writeUserSettings({ 'svc.baseUrl': service.baseUrl, ...userSettings });
      await workbench.page.setViewportSize({ width, height: 800 });
      await workbench.open(workspaceFile);
    } else {
      await tidy(workbench);
    }
    await use(workbench);
    const { storedKey } = workbench;
    const isAsItWas = testInfo.status === 'passed' && hasExactly(workspace, files);
    if (keepsWindow && storedKey !== undefined && isAsItWas) computer.left = { ...window, storedKey };
  },

  chat: async ({ workbench }, use) => use(new ChatPanel(workbench)),
});

/** As a person tidies up before the next task: nothing is open or said, and the chat is new. */
async function tidy(workbench: Workbench): Promise<void> {
  await workbench.run('View: Close All Editors');
  await workbench.run('Notifications: Clear All Notifications');
  await workbench.run('Svc: New Chat');
  const { composer } = new ChatPanel(workbench);
  await expect(composer).toBeFocused();
  await composer.fill('');
}

export { expect };
