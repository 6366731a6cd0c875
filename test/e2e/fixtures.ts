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
import { keybindings } from './keybindings.ts';
import { Workbench } from './workbench.ts';
import type { Files } from './workspaceFiles.ts';

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
   * It takes over the window that the story before left, with the key that is stored in it. A story that needs a window
   * as a newcomer has it does not.
   */
  readonly takesWindow: boolean;
  /** It leaves its own to the next one, unless it failed or an editor has changes, which VS Code would save later. */
  readonly leavesWindow: boolean;
  /** It begins without a key, a conversation and an audit log. */
  readonly isNew: boolean;
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
  /** The computers that the stories of a worker use, one after the other: those with workspace trust another. */
  readonly shared: (workspaceTrust: boolean) => Promise<Computer>;
  /** Of the services of a worker, which come one after the other. */
  readonly servicePort: number;
}

interface Parts {
  readonly computer: Computer;
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
  takesWindow: [true, { option: true }],
  leavesWindow: [true, { option: true }],
  isNew: [false, { option: true }],
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
      const started = new Map<boolean, Promise<Computer>>();
      await use((workspaceTrust) => {
        const computer =
          started.get(workspaceTrust) ?? Computer.start({ vscodeVersion, extensionsDir, workspaceTrust });
        started.set(workspaceTrust, computer);
        return computer;
      });
      for (const computer of started.values()) await (await computer).close();
    },
    { scope: 'worker' },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
  servicePort: [async ({}, use) => use(await freePort(0)), { scope: 'worker' }],

  computer: async ({ shared, isAlone, workspaceTrust, vscodeVersion, extensionsDir }, use) => {
    if (!isAlone) {
      await use(await shared(workspaceTrust));
      return;
    }
    const own = await Computer.start({ vscodeVersion, extensionsDir, workspaceTrust });
    await use(own);
    await own.close();
  },

  window: async ({ computer, takesWindow, isNew, workspaceFile }, use) => {
    const { left } = computer;
    computer.left = undefined;
    if (takesWindow && workspaceFile === '' && left !== undefined) {
      await use(isNew ? { ...left, storedKey: undefined } : left);
      return;
    }
    await computer.forget();
    const folder = mkdtempSync(join(computer.folder, 'story-'));
    await use({ folder, isOpen: false, storedKey: undefined });
  },

  folder: async ({ window }, use) => use(window.folder),

  service: async ({ servicePort: port }, use) => {
    const service = await startService({ port: await freePort(port) });
    await use(service);
    await service.close();
  },

  workbench: async (
    {
      computer,
      window,
      service,
      userSettings,
      workspaceSettings,
      files,
      workspaceFile,
      width,
      leavesWindow,
      isAlone,
      isNew,
    },
    use,
    testInfo,
  ) => {
    const workspace = join(window.folder, 'workspace');
    const workbench = new Workbench(computer, await computer.page(), workspace, window.storedKey);
    await workbench.page.setViewportSize({ width, height: 800 });
    const beginning = {
      name: testInfo.testId,
      userSettings: { 'svc.baseUrl': service.baseUrl, ...userSettings },
      workspaceSettings,
      files,
    };
    if (window.isOpen) {
      await workbench.takeUserSettings(beginning);
    } else {
      workbench.prepare(beginning);
      await workbench.open(workspaceFile);
    }
    // What is open is saved when it is closed: before the files are others.
    if (isNew) await beginAnew(workbench);
    else if (window.isOpen) await tidy(workbench, keybindings.tidy);
    if (window.isOpen) await workbench.takeOver(beginning);
    await use(workbench);
    if (testInfo.status !== 'passed') await workbench.page.screenshot({ path: testInfo.outputPath('window.png') });
    const { storedKey } = workbench;
    const isKept = leavesWindow && !isAlone && workspaceFile === '' && testInfo.status === 'passed';
    if (isKept && !(await workbench.isChanged())) computer.left = { ...window, isOpen: true, storedKey };
  },

  chat: async ({ workbench }, use) => use(new ChatPanel(workbench)),
});

/** As if nothing had ever been stored or asked. About the audit log the user is asked. */
async function beginAnew(workbench: Workbench): Promise<void> {
  await workbench.page.keyboard.press(keybindings.beginAnew.key);
  const dialog = workbench.page.locator('.monaco-dialog-box');
  await dialog.getByRole('button', { name: /^(Remove|Entfernen)$/ }).click();
  await dialog.waitFor({ state: 'detached' });
  await expectTidy(workbench);
}

/** Nothing is open or said any more, and the chat is new. */
async function tidy(workbench: Workbench, { key }: { readonly key: string }): Promise<void> {
  await workbench.page.keyboard.press(key);
  await expectTidy(workbench);
}

async function expectTidy(workbench: Workbench): Promise<void> {
  await expect(workbench.page.locator('.tab, .editor-instance, .notification-list-item')).toHaveCount(0);
  const { composer, turns, chips } = new ChatPanel(workbench);
  await expect(turns).toHaveCount(0);
  await expect(composer).toBeFocused();
  await composer.fill('');
  for (let left = await chips.count(); left > 0; left -= 1) {
    await chips.first().getByRole('button').click();
    await expect(chips).toHaveCount(left - 1);
  }
}

export { expect };
