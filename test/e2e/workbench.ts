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

/** The environment of a workbench's VS Code. */
export interface Home {
  readonly server: VsCodeServer;
  readonly dataDir: string;
}

/** The initial state of a story. */
export interface Beginning {
  readonly name: string;
  readonly userSettings: Readonly<Record<string, unknown>>;
  /** The content of .vscode/settings.json in the workspace. */
  readonly workspaceSettings: Readonly<Record<string, unknown>>;
  /** Files of the workspace beside those settings. */
  readonly files: Files;
}

/**
 * The window title shows which settings VS Code has read: the workspace's settings contain the story's name, the user's
 * settings a mark. They are written last, so that VS Code hears of the other files before.
 */
function filesOf({ name, workspaceSettings, files }: Beginning): Files {
  const settings = { ...workspaceSettings, 'window.title': `${name}\${separator}settings` };
  return { ...files, '.vscode/settings.json': JSON.stringify(settings) };
}

const markName = 'window.titleSeparator';

function withMark({ userSettings }: Beginning, mark: string): Readonly<Record<string, unknown>> {
  return { ...sparseSettings, ...userSettings, [markName]: mark };
}

/** The mark of the story that the user settings were written for. */
function markOf({ name }: Beginning): string {
  return ` ${name} `;
}

/** VS Code as the user sees it in the browser. */
export class Workbench {
  readonly page: Page;
  readonly #home: Home;
  readonly #workspace: string;
  #storedKey: string | undefined;

  /** `storedKey` is the key that the window already has, if it was used before. */
  constructor(home: Home, page: Page, workspace: string, storedKey?: string) {
    this.#home = home;
    this.page = page;
    this.#workspace = workspace;
    this.#storedKey = storedKey;
  }

  /** Writes the initial state of a story, before a window is opened. */
  prepare(beginning: Beginning): void {
    writeUserSettings(this.#home.dataDir, withMark(beginning, markOf(beginning)));
    writeFiles(this.#workspace, filesOf(beginning));
  }

  /** `file` is a .code-workspace file in the workspace's folder; if it is empty, the folder is opened. */
  async open(file = ''): Promise<void> {
    await this.page.goto(this.#home.server.url(join(this.#workspace, file)));
    await this.statusItem.waitFor({ timeout: 120_000 });
    if (file !== '') await this.#showsFolders();
  }

  /** On a busy machine VS Code may open a workspace file without its folders; a reload shows them. */
  async #showsFolders(): Promise<void> {
    const folders = this.page.locator('.explorer-folders-view .monaco-list-row');
    const none = this.page.getByRole('button', { name: 'No Folder Opened Section' });
    await expect(async () => {
      await expect(folders.first().or(none)).toBeVisible();
      if (!(await folders.first().isVisible())) await this.page.reload();
      await expect(folders.first()).toBeVisible();
    }).toPass({ timeout: 120_000 });
  }

  /** Makes an open window read the user settings of a story, unless they are unchanged. */
  async takeUserSettings(beginning: Beginning): Promise<void> {
    const { dataDir } = this.#home;
    if (readUserSettings(dataDir) === userSettingsText(withMark(beginning, this.#mark))) return;
    const mark = markOf(beginning);
    // VS Code may read the file while it is being written, and save what it read.
    await expect(async () => {
      writeUserSettings(dataDir, withMark(beginning, mark));
      await this.page.keyboard.press(keybindings.openUserSettings.key);
      await this.page.locator('.monaco-editor[data-uri$="/User/settings.json"]').waitFor({ timeout: 10_000 });
      // Saving makes VS Code read them again.
      await this.page.keyboard.press('Control+S');
      await expect(this.page).toHaveTitle(new RegExp(mark), { timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
  }

  /**
   * Replaces the workspace of an open window with that of the next story, and waits until VS Code has read all changes.
   */
  async takeOver(beginning: Beginning): Promise<void> {
    replaceFiles(this.#workspace, filesOf(beginning));
    await expect(this.page).toHaveTitle(`${beginning.name}${this.#mark}settings`);
  }

  /** The mark in the current user settings. */
  get #mark(): string {
    return JSON.parse(readUserSettings(this.#home.dataDir))[markName];
  }

  /** Whether a story left unsaved changes. */
  async isChanged(): Promise<boolean> {
    return (await this.page.locator('.tab.dirty').count()) > 0;
  }

  /** Restarts the window: a new extension host, the same user data. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.statusItem.waitFor({ timeout: 120_000 });
  }

  /**
   * The state that VS Code has stored in the browser, of its own parts and of the extension. VS Code stores it with a
   * delay, and a reload does not wait for it.
   */
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
          found.push(await done(database.transaction('ItemTable').objectStore('ItemTable').getAll()));
        }
        database.close();
      }
      return JSON.stringify(found);
    });
  }

  /** The conversation that a reloaded window shows, as it is on the disk: empty while either is not stored. */
  async savedConversation(): Promise<string> {
    const id = /svc\.conversation[\\":]+([^\\"]+)/.exec(await this.stored())?.[1];
    const storage = join(this.#home.dataDir, 'User', 'globalStorage');
    const files = readdirSync(storage, { recursive: true, encoding: 'utf8' });
    const path = files.find((one) => basename(one) === `${id}.json`);
    return path === undefined ? '' : readFileSync(join(storage, path), 'utf8');
  }

  /** Reloads by command, like the user, so that VS Code has time to store the state of its views. */
  async reloadByCommand(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.run('Developer: Reload Window');
    await loaded;
    await this.statusItem.waitFor({ timeout: 120_000 });
  }

  /** The page of an extension, in a view or an editor, if there is only one. */
  get onlyPage(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /**
   * The page of the extension in a view, also beside one in an editor, and beside the picture of a walkthrough: VS Code marks
   * the former, some moments after it appears behind that of the view.
   */
  get viewPage(): FrameLocator {
    const inEditor = '[data-parent-flow-to-element-id^="webview-editor-element"]';
    const inWalkthrough = '.gettingStartedContainer *';
    const frames = this.page.frameLocator(`:not(${inEditor}):not(${inWalkthrough}) > iframe.webview.ready`);
    return frames.first().frameLocator('#active-frame');
  }

  /** Model and posture, which the extension shows once it is active. */
  get statusItem(): Locator {
    return this.page.locator('.statusbar-item[id="svc.svc-coder.svc.status"]');
  }

  /** Where the cursor is. */
  get positionItem(): Locator {
    return this.page.locator('.statusbar-item[id="status.editor.selection"]');
  }

  /** The result of the last review, with a link to its report. */
  get reviewItem(): Locator {
    return this.page.locator('.statusbar-item[id="svc.svc-coder.svc.review"]');
  }

  /** The number of problems, with a link to them. */
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
   * Waits for a message: in the panel, or of VS Code. VS Code shows it only for some seconds, and with a delay after
   * three others, but keeps all in a list.
   */
  async heard(text: string | RegExp): Promise<void> {
    // The panel may not be the only page.
    const places = (): readonly Locator[] => [
      this.notification(text),
      ...this.page.frames().map((frame) => frame.getByTestId('message').filter({ hasText: text })),
    ];
    const isShown = async (): Promise<boolean> =>
      (await Promise.all(places().map((place) => place.count().catch(() => 0)))).some((count) => count > 0);
    await expect
      .poll(isShown, { timeout: 3_000 })
      .toBe(true)
      .catch(() => this.page.keyboard.press(keybindings.showMessages.key));
    await expect.poll(isShown).toBe(true);
  }

  /** A message in the panel, beside the conversation. */
  panelMessage(text: string | RegExp): Locator {
    return this.viewPage.getByTestId('message').filter({ hasText: text });
  }

  /** Runs a command by its title, as in the palette: `Svc: Check Service Status (Health)`. */
  async run(title: string): Promise<void> {
    await this.#pick('F1', `>${title}`, title);
  }

  /** Waits until the palette offers a command, or does not. A view that takes the focus late closes the palette. */
  async expectOffered(title: string, isOffered: boolean): Promise<void> {
    await expect(async () => {
      if (await this.input.isVisible()) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('F1');
      await this.input.fill(`>${title}`, { timeout: 5_000 });
      // The rows of the filter: it has been applied when each is of ours, or there is none.
      await expect(this.quickPick.first()).toContainText(/Svc|No matching/, { timeout: 5_000 });
      expect(await this.quickPick.filter({ hasText: title }).count()).toBe(isOffered ? 1 : 0);
      expect(await this.input.inputValue()).toBe(`>${title}`);
      await this.page.keyboard.press('Escape');
      await this.input.waitFor({ state: 'hidden', timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  }

  /**
   * Picks an item of a VS Code list. A view that takes the focus late closes the list: it is then opened again, with a
   * longer timeout.
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
      // A click that is late has still picked the item: only what comes before it is given up early.
      await row.click({ trial: true, timeout: 2_000 });
      await row.click({ timeout: 30_000 });
      // VS Code closes the list before it runs what was picked, unless it has forgotten the click.
      await row.waitFor({ state: 'hidden', timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
  }

  /**
   * Clicks a part of VS Code or of the panel, until its effect is there. What is drawn again at that moment misses a click.
   * Not for what must not happen twice.
   */
  async clickUntil(part: Locator, effect: Locator, state: 'visible' | 'hidden' = 'visible'): Promise<void> {
    await part.waitFor();
    await this.#until(() => part.click({ timeout: 5_000 }), effect, state);
  }

  async #until(click: () => Promise<void>, effect: Locator, state: 'visible' | 'hidden'): Promise<void> {
    await expect(async () => {
      if ((await effect.isVisible()) !== (state === 'visible')) await click();
      await effect.waitFor({ state, timeout: 15_000 });
    }).toPass({ timeout: 120_000 });
  }

  /** Chooses a button of VS Code's dialog, which closes. */
  async answerDialog(name: string | RegExp): Promise<void> {
    const button = this.page.locator('.monaco-dialog-box').getByRole('button', { name, exact: true });
    await this.clickUntil(button, button, 'hidden');
  }

  /** Accepts or rejects the proposal in the active editor, which closes. */
  async decide(name: 'Accept All' | 'Reject All'): Promise<void> {
    const proposal = this.page.locator('.tab.active').filter({ hasText: 'Changes to' });
    await proposal.waitFor();
    await this.clickUntil(this.page.getByRole('button', { name }), proposal, 'hidden');
  }

  /** Shows the view of Source Control; returns its input box. A second click on its icon would hide it. */
  async openSourceControl(): Promise<Locator> {
    const box = this.page.locator('.scm-editor');
    await this.clickUntil(this.page.getByRole('tab', { name: /^Source Control/ }), box);
    return box;
  }

  /**
   * Chooses an item of an open list of VS Code, which closes or goes on to its next step. VS Code may ignore a click
   * while it fills the list again: then it is repeated.
   */
  async choose(text: string | RegExp): Promise<void> {
    const row = this.quickPick.filter({ hasText: text }).first();
    await row.waitFor();
    let isClicked = false;
    await expect(async () => {
      if (!isClicked || (await row.isVisible())) await row.click({ timeout: 5_000 });
      isClicked = true;
      await row.waitFor({ state: 'hidden', timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
  }

  /** The same for an item whose label is this text. */
  async chooseExactly(label: string): Promise<void> {
    const row = this.quickPick.filter({ has: this.page.getByText(label, { exact: true }) }).first();
    await this.clickUntil(row, row, 'hidden');
  }

  /** Closes an open list. VS Code ignores the key while something else has the focus. */
  async closeList(): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press('Escape');
      await expect(this.quickPick).toHaveCount(0, { timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  }

  /** Checks or unchecks an item of an open list. A list that is filled again at that moment forgets the click. */
  async check(text: string | RegExp, isChecked: boolean): Promise<void> {
    const row = this.quickPick.filter({ hasText: text }).first();
    const box = row.getByRole('checkbox');
    await box.waitFor();
    await expect(async () => {
      if ((await box.isChecked()) !== isChecked) await row.click({ timeout: 5_000 });
      await expect(box).toBeChecked({ checked: isChecked, timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
  }

  /**
   * Clicks a button that a row shows while the mouse is over it, until its effect is there; by default, the row is gone. A
   * list that is filled again forgets the mouse, and the click.
   */
  async clickRowButton(row: Locator, name: string, effect?: Locator): Promise<void> {
    await row.waitFor();
    const click = async (): Promise<void> => {
      await row.hover({ timeout: 5_000 });
      await row.getByRole('button', { name }).click({ timeout: 5_000 });
    };
    await this.#until(click, effect ?? row, effect === undefined ? 'hidden' : 'visible');
  }

  /** Closes an open list with its checked items. Another list may follow immediately. */
  async acceptChecked(): Promise<void> {
    const button = this.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' });
    await this.clickUntil(button, button, 'hidden');
  }

  async answer(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /**
   * Runs an action of the light bulb at the cursor. The light bulb offers only what is known when it opens, so this
   * retries.
   */
  async quickFix(title: string): Promise<void> {
    const fix = this.page.locator('.action-widget').getByText(title);
    await expect(async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+.');
      await fix.click({ timeout: 5_000 });
      await fix.waitFor({ state: 'hidden', timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  }

  get storedKey(): string | undefined {
    return this.#storedKey;
  }

  /** Records that the story removed the key. */
  keyIsGone(): void {
    this.#storedKey = undefined;
  }

  /** Stores a key that the service accepts, unless it is already stored. */
  async storeKey(key: string): Promise<void> {
    if (this.#storedKey === key) return;
    await this.setKey(key);
    const message = this.panelMessage('is valid and was stored');
    // What appears above the message moves it away from under a click.
    await this.clickUntil(message.getByTestId('close'), message, 'hidden');
    this.#storedKey = key;
  }

  async setKey(key: string): Promise<void> {
    await this.run('Svc: Set API Key (Token)…');
    await this.typeKey(key);
  }

  /** Enters a key in the prompt. */
  async typeKey(key: string): Promise<void> {
    await this.page.locator('.quick-input-widget:visible input[type=password]').waitFor();
    await this.answer(key);
  }

  /** Opens a file of the workspace by its name. The list finds a whole path without a search. */
  async openFile(name: string): Promise<void> {
    const paths = readdirSync(this.#workspace, { recursive: true, encoding: 'utf8' });
    const path = paths.find((one) => basename(one) === name) ?? name;
    const active = this.page.locator('.tab.active');
    // VS Code may close its list without opening what was clicked. The editor that was active before must not receive
    // what the test types next.
    await expect(async () => {
      await this.#pick('Control+P', join(this.#workspace, path), name);
      await expect(active).toHaveAttribute('data-resource-name', name, { timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
    await this.focusedEditor.waitFor();
  }

  /** The text of the editor that has the focus. */
  get focusedEditor(): Locator {
    return this.page.locator('.editor-instance .monaco-editor.focused .view-lines').first();
  }

  /** Places the cursor in the text of the active editor. */
  async clickEditor(): Promise<void> {
    await expect(async () => {
      await this.page.locator('.editor-instance:visible .view-lines').first().click({ timeout: 5_000 });
      await this.focusedEditor.waitFor({ timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  }

  /** Selects the first line of the active editor. */
  async selectFirstLine(): Promise<void> {
    await expect(async () => {
      await this.clickEditor();
      await this.page.keyboard.press('Control+Home');
      await this.page.keyboard.press('Shift+End');
      await expect(this.positionItem).toContainText(/^Ln 1, Col \d+ \(\d+ selected\)$/, { timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  }

  /** A screenshot of the whole window, for visual inspection: test-results/screenshots/<name>.png. */
  async shoot(name: string): Promise<void> {
    await this.page.screenshot({ path: `test-results/screenshots/${name}.png` });
  }

  /** The text of the active editor, with ordinary spaces. */
  async editorText(): Promise<string> {
    // VS Code appends a new line at the end of the list, wherever it is in the text.
    const lines = await this.page.locator('.editor-instance:visible .view-line').evaluateAll((found) =>
      found
        .map((line) => ({ top: line.getBoundingClientRect().top, text: (line as HTMLElement).innerText }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return lines.join('\n').replace(/\u00a0/g, ' ');
  }

  /** The content of the user settings file. */
  userSettings(): string {
    return readUserSettings(this.#home.dataDir);
  }

  /** Writes a file of the workspace, as another program does. */
  writeFile(name: string, text: string): void {
    writeFiles(this.#workspace, { [name]: text });
  }

  /** The content of a workspace file on the disk; undefined if it does not exist. */
  readFile(name: string): string | undefined {
    const path = join(this.#workspace, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** Edits the settings file on the disk; VS Code detects the change itself. */
  writeWorkspaceSettings(settings: Readonly<Record<string, unknown>>): void {
    this.writeSettingsText(JSON.stringify(settings));
  }

  /** The same, and waits until VS Code has read it: for settings that the page does not show. */
  async applyWorkspaceSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.writeWorkspaceSettings({ ...settings, 'window.title': 'changed settings' });
    await expect(this.page).toHaveTitle('changed settings');
  }

  /** The same with any text, such as invalid JSON. */
  writeSettingsText(text: string): void {
    writeFileSync(join(this.#workspace, '.vscode', 'settings.json'), text);
  }

  /** The settings of the machine that the window works on, as a devcontainer.json can set them. */
  writeMachineSettings(settings: Readonly<Record<string, unknown>>): void {
    const folder = join(this.#home.dataDir, 'Machine');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  }
}
