import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test';
import {
  readUserSettings,
  sparseSettings,
  userSettingsText,
  type VsCodeServer,
  writeUserSettings,
} from '../tools/vscodeServer.ts';
import { keybindings } from './keybindings.ts';
import { type Files, replaceFiles, writeFiles } from './workspaceFiles.ts';

/** Where the VS Code of a workbench runs. */
export interface Home {
  readonly server: VsCodeServer;
  readonly dataDir: string;
}

/** What a story begins with. */
export interface Beginning {
  readonly name: string;
  readonly userSettings: Readonly<Record<string, unknown>>;
  /** What .vscode/settings.json of the workspace holds. */
  readonly workspaceSettings: Readonly<Record<string, unknown>>;
  /** Files of the workspace beside those settings. */
  readonly files: Files;
}

/** The title of a window says which settings it has seen: the workspace's name their story, the user's have a mark. */
function filesOf({ name, workspaceSettings, files }: Beginning): Files {
  const settings = { ...workspaceSettings, 'window.title': `${name}\${separator}settings` };
  return { '.vscode/settings.json': JSON.stringify(settings), ...files };
}

const markName = 'window.titleSeparator';

function withMark({ userSettings }: Beginning, mark: string): Readonly<Record<string, unknown>> {
  return { ...sparseSettings, ...userSettings, [markName]: mark };
}

/** Of the story that user settings were written for. */
function markOf({ name }: Beginning): string {
  return ` ${name} `;
}

/** VS Code as a person sees it in the browser. */
export class Workbench {
  readonly page: Page;
  readonly #home: Home;
  readonly #workspace: string;
  #storedKey: string | undefined;

  /** `storedKey` is the one that the window has already, where it was used before. */
  constructor(home: Home, page: Page, workspace: string, storedKey?: string) {
    this.#home = home;
    this.page = page;
    this.#workspace = workspace;
    this.#storedKey = storedKey;
  }

  /** Writes what a story begins with, before a window is opened. */
  prepare(beginning: Beginning): void {
    writeUserSettings(this.#home.dataDir, withMark(beginning, markOf(beginning)));
    writeFiles(this.#workspace, filesOf(beginning));
  }

  /** `file` is a .code-workspace of the workspace's folder; the folder itself where it is empty. */
  async open(file = ''): Promise<void> {
    await this.page.goto(this.#home.server.url(join(this.#workspace, file)));
    await this.statusItem.waitFor({ timeout: 120_000 });
    if (file !== '') await this.#showsFolders();
  }

  /** On a busy machine VS Code may open a workspace file without its folders, and shows them when it is loaded again. */
  async #showsFolders(): Promise<void> {
    const folders = this.page.locator('.explorer-folders-view .monaco-list-row');
    const none = this.page.getByRole('button', { name: 'No Folder Opened Section' });
    await expect(async () => {
      await expect(folders.first().or(none)).toBeVisible();
      if (!(await folders.first().isVisible())) await this.page.reload();
      await expect(folders.first()).toBeVisible();
    }).toPass({ timeout: 120_000 });
  }

  /** Has a window that is open read the user settings that a story begins with, unless it has the same. */
  async takeUserSettings(beginning: Beginning): Promise<void> {
    const { dataDir } = this.#home;
    if (readUserSettings(dataDir) === userSettingsText(withMark(beginning, this.#mark))) return;
    const mark = markOf(beginning);
    writeUserSettings(dataDir, withMark(beginning, mark));
    await this.page.keyboard.press(keybindings.openUserSettings.key);
    await this.page.locator('.monaco-editor[data-uri$="/User/settings.json"]').waitFor();
    // It reads them again when they are saved.
    await this.page.keyboard.press('Control+S');
    await expect(this.page).toHaveTitle(new RegExp(mark));
  }

  /** Has a window that is open hold the workspace of the next story, and waits until VS Code has seen all that is new. */
  async takeOver(beginning: Beginning): Promise<void> {
    replaceFiles(this.#workspace, filesOf(beginning));
    await expect(this.page).toHaveTitle(`${beginning.name}${this.#mark}settings`);
  }

  /** In the user settings, whoever wrote them last. */
  get #mark(): string {
    return JSON.parse(readUserSettings(this.#home.dataDir))[markName];
  }

  /** Whether a story left changes that are not saved. */
  async isChanged(): Promise<boolean> {
    return (await this.page.locator('.tab.dirty').count()) > 0;
  }

  /** Restarts the window: a new extension host, the same user data. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.statusItem.waitFor({ timeout: 120_000 });
  }

  /** What VS Code has stored of our states in the browser: it takes its time, and a reload does not wait for it. */
  async stored(): Promise<string> {
    return this.page.evaluate(async () => {
      const done = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const found: unknown[] = [];
      for (const { name = '' } of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name));
        if (database.objectStoreNames.contains('ItemTable')) {
          found.push(await done(database.transaction('ItemTable').objectStore('ItemTable').get('svc.svc-coder')));
        }
        database.close();
      }
      return JSON.stringify(found);
    });
  }

  /** As a person restarts it, who gives VS Code the time to write down what its views keep. */
  async reloadByCommand(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.run('Developer: Reload Window');
    await loaded;
    await this.statusItem.waitFor({ timeout: 120_000 });
  }

  /** The page of an extension, in a view or an editor, where there is no other. */
  get onlyPage(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /** Model and posture, which the extension shows once it is active. */
  get statusItem(): Locator {
    return this.page.locator('.statusbar-item[id="svc.svc-coder.svc.status"]');
  }

  /** What the last review came to, and the way to its report. */
  get reviewItem(): Locator {
    return this.page.locator('.statusbar-item[id="svc.svc-coder.svc.review"]');
  }

  /** How many problems there are, and the way to them. */
  get problemsItem(): Locator {
    return this.page.locator('.statusbar-item[id="status.problems"]');
  }

  get input(): Locator {
    return this.page.locator('.quick-input-widget:visible input.input');
  }

  get quickPick(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-list-item').filter({ hasText: text });
  }

  /**
   * Waits for a message that VS Code shows by itself for some seconds only, and not at all soon after three others: it keeps
   * all in a list.
   */
  async heard(text: string | RegExp): Promise<void> {
    const message = this.notification(text).first();
    await message.waitFor({ timeout: 3_000 }).catch(() => this.page.keyboard.press(keybindings.showMessages.key));
    await message.waitFor();
  }

  /** Runs a command by its title, as the palette shows it: `Svc: Check Health`. */
  async run(title: string): Promise<void> {
    await this.#pick('F1', `>${title}`, title);
  }

  /**
   * Takes what a list of VS Code offers. A view that takes the focus late closes the list: it is then opened again, and
   * given more time.
   */
  async #pick(key: string, typed: string, text: string): Promise<void> {
    const row = this.quickPick.filter({ hasText: text }).first();
    let patienceMs = 1_500;
    await expect(async () => {
      if (await this.input.isVisible()) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press(key);
      await this.input.waitFor({ timeout: 10_000 });
      await this.input.fill(typed, { timeout: 2_000 });
      patienceMs *= 2;
      const isThere = row.waitFor({ timeout: patienceMs });
      await Promise.race([isThere, this.input.waitFor({ state: 'hidden', timeout: patienceMs })]);
      await row.click({ timeout: 2_000 });
    }).toPass({ timeout: 120_000 });
  }

  async answer(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Takes what the light bulb offers at the cursor. It offers what is known when it is asked, and is asked again. */
  async quickFix(title: string): Promise<void> {
    const fix = this.page.locator('.action-widget').getByText(title);
    await expect(async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+.');
      await fix.click({ timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  }

  get storedKey(): string | undefined {
    return this.#storedKey;
  }

  /** Says that the story had the key removed. */
  keyIsGone(): void {
    this.#storedKey = undefined;
  }

  /** Stores a key that the service knows, unless it is stored already. */
  async storeKey(key: string): Promise<void> {
    if (this.#storedKey === key) return;
    await this.setKey(key);
    await this.heard('is valid and stored');
    // It would stand in front of the panel's buttons for a while.
    await this.run('Notifications: Clear All Notifications');
    this.#storedKey = key;
  }

  async setKey(key: string): Promise<void> {
    await this.run('Svc: Set API Key…');
    await this.typeKey(key);
  }

  /** Answers the question for a key. */
  async typeKey(key: string): Promise<void> {
    await this.page.locator('.quick-input-widget:visible input[type=password]').waitFor();
    await this.answer(key);
  }

  /** Opens a file of the workspace by its name. The list finds a whole path without a search. */
  async openFile(name: string): Promise<void> {
    const paths = readdirSync(this.#workspace, { recursive: true, encoding: 'utf8' });
    const path = paths.find((one) => basename(one) === name) ?? name;
    await this.#pick('Control+P', join(this.#workspace, path), name);
    await this.page.locator('.editor-instance .view-lines').first().waitFor();
  }

  /** A picture of the whole window, for people to look at: test-results/screenshots/<name>.png. */
  async shoot(name: string): Promise<void> {
    await this.page.screenshot({ path: `test-results/screenshots/${name}.png` });
  }

  /** The text of the editor in front, with ordinary spaces. */
  async editorText(): Promise<string> {
    const lines = await this.page.locator('.editor-instance:visible .view-line').allInnerTexts();
    return lines.join('\n').replace(/\u00a0/g, ' ');
  }

  /** What is in the file of the user's settings. */
  userSettings(): string {
    return readUserSettings(this.#home.dataDir);
  }

  /** What is in a file of the workspace on the disk; undefined where there is none. */
  readFile(name: string): string | undefined {
    const path = join(this.#workspace, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** As a person who edits the file: VS Code sees the change by itself. */
  writeWorkspaceSettings(settings: Readonly<Record<string, unknown>>): void {
    this.writeSettingsText(JSON.stringify(settings));
  }

  /** The same, of a person whose hand slips. */
  writeSettingsText(text: string): void {
    writeFileSync(join(this.#workspace, '.vscode', 'settings.json'), text);
  }

  /** The settings of the machine that the window works on, as a devcontainer.json has them written. */
  writeMachineSettings(settings: Readonly<Record<string, unknown>>): void {
    const folder = join(this.#home.dataDir, 'Machine');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  }
}
