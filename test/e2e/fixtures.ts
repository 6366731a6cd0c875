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
  /** User settings; svc.baseUrl is set by default. */
  readonly userSettings: Readonly<Record<string, unknown>>;
  /** The content of .vscode/settings.json in the workspace. */
  readonly workspaceSettings: Readonly<Record<string, unknown>>;
  /** Files of the workspace beside those settings. */
  readonly files: Files;
  /** The path of the .code-workspace file to open; the folder itself by default. */
  readonly workspaceFile: string;
  readonly workspaceTrust: boolean;
  /** The story gets its own computer, because it inspects the disk or changes the computer. */
  readonly isAlone: boolean;
  /** The folder of an extension that is also installed on the story's own computer; empty if there is none. */
  readonly otherExtension: string;
  /**
   * The story reuses the window of the previous story, with its stored key. False for a story that needs a new user's
   * window.
   */
  readonly takesWindow: boolean;
  /**
   * The story leaves its window to the next one, unless it failed or an editor has changes, which VS Code would save
   * later.
   */
  readonly leavesWindow: boolean;
  /** The story starts without a key, a conversation and an audit log. */
  readonly isNew: boolean;
  /** Width of the browser window, pixels. */
  readonly width: number;
}

export interface WorkerOptions {
  /** The VS Code version of the stories. */
  readonly vscodeVersion: string;
}

interface WorkerParts {
  /** A folder with the extension, installed as by a user. */
  readonly extensionsDir: string;
  /** The computers that the stories of a worker share, one after the other: one for each value of workspace trust. */
  readonly shared: (workspaceTrust: boolean) => Promise<Computer>;
  /** The port of a worker's services, which run one after the other. */
  readonly servicePort: number;
}

interface Parts {
  readonly computer: Computer;
  readonly window: Window;
  /** The folder that contains the workspace. */
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
  otherExtension: ['', { option: true }],
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

  computer: async ({ shared, isAlone, otherExtension, workspaceTrust, vscodeVersion, extensionsDir }, use) => {
    if (!isAlone) {
      await use(await shared(workspaceTrust));
      return;
    }
    const own = await Computer.start({ vscodeVersion, extensionsDir, workspaceTrust, otherExtension });
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
    await use({ folder, isOpen: false, storedKey: undefined, baseUrl: undefined });
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
    const { baseUrl } = service;
    const stored = window.baseUrl === baseUrl ? window.storedKey : undefined;
    const workbench = new Workbench(computer, await computer.page(), workspace, stored);
    await workbench.page.setViewportSize({ width, height: 800 });
    const beginning = {
      name: testInfo.testId,
      userSettings: { 'svc.baseUrl': baseUrl, ...userSettings },
      workspaceSettings,
      files,
    };
    if (window.isOpen) {
      await workbench.takeUserSettings(beginning);
    } else {
      workbench.prepare(beginning);
      await workbench.open(workspaceFile);
    }
    // Closing an editor saves its changes, which must happen before the files are replaced.
    if (isNew) await beginAnew(workbench);
    else if (window.isOpen) await tidy(workbench);
    if (window.isOpen) await workbench.takeOver(beginning);
    await use(workbench);
    if (testInfo.status !== 'passed') await workbench.page.screenshot({ path: testInfo.outputPath('window.png') });
    const { storedKey } = workbench;
    const isKept = leavesWindow && !isAlone && workspaceFile === '' && testInfo.status === 'passed';
    if (isKept && !(await workbench.isChanged())) computer.left = { ...window, isOpen: true, storedKey, baseUrl };
  },

  chat: async ({ workbench }, use) => use(new ChatPanel(workbench)),
});

/** Resets the extension to its initial state. The user is asked about the audit log. */
async function beginAnew(workbench: Workbench): Promise<void> {
  await workbench.page.keyboard.press(keybindings.beginAnew.key);
  await workbench.answerDialog(/^(Delete|Löschen)$/);
  await workbench.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
  // A purge that ends later would take the focus in the middle of the story.
  await workbench.heard(/Deleted: conversations|Gelöscht: Unterhaltungen/);
  await tidy(workbench);
}

/**
 * Closes all editors and messages, and starts a new chat. An editor that the story before opened last may come only after the key
 * was pressed, and VS Code may take the focus when it closes something late: then the key is pressed again.
 */
async function tidy(workbench: Workbench): Promise<void> {
  const chat = new ChatPanel(workbench);
  const { composer, turns, chips } = chat;
  await expect(async () => {
    await chat.leaveComposer();
    await workbench.page.keyboard.press(keybindings.tidy.key);
    // VS Code leaves a message that was cleared while it appeared in the page, unseen.
    const shown = workbench.page.locator('.tab, .editor-instance, .notification-list-item').filter({ visible: true });
    await expect(shown).toHaveCount(0, { timeout: 10_000 });
    await expect(turns).toHaveCount(0, { timeout: 10_000 });
    await expect(composer).toBeFocused({ timeout: 10_000 });
  }).toPass();
  await composer.fill('');
  for (let left = await chips.count(); left > 0; left -= 1) {
    await chips.first().getByRole('button').click();
    await expect(chips).toHaveCount(left - 1);
  }
}

/** Waits until the service has received this number of chat requests. The panel may show a turn before they arrive. */
export function expectChats(service: LocalService, count: number): Promise<void> {
  return expect.poll(() => service.chats.length).toBe(count);
}

export { expect };
