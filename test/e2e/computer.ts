import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../tools/browser.ts';
import { sharedMemory } from '../tools/folders.ts';
import { startForPerson, type VsCodeServer } from '../tools/vscodeServer.ts';
import { writeKeybindings } from './keybindings.ts';

export interface ComputerOptions {
  readonly vscodeVersion: string;
  /** The extensions that are installed on it. */
  readonly extensionsDir: string;
  readonly workspaceTrust: boolean;
}

/** A window of VS Code. */
export interface Window {
  /** Its workspace is in there. */
  readonly folder: string;
  /** Or it is still to be opened. */
  readonly isOpen: boolean;
  /** The key that was stored in it. */
  readonly storedKey: string | undefined;
}

/**
 * Chromium then takes VS Code's script as it has compiled it before, and does not read all of its 19 MB with each window.
 * It goes by the last such list: those of Playwright's are there that a page could notice.
 */
const keepCompiled =
  '--disable-features=BackgroundResourceFetch,PaintHolding,ThirdPartyStoragePartitioning,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,AvoidUnnecessaryBeforeUnloadCheckSync';

/** What a person sits at: a VS Code, and the browser that shows it. */
export class Computer {
  /** Everything that it keeps on the disk is in here. */
  readonly folder: string;
  readonly dataDir: string;
  readonly server: VsCodeServer;
  readonly context: BrowserContext;
  /** The window that the last story left open for the next one. */
  left: Window | undefined;

  private constructor(folder: string, dataDir: string, server: VsCodeServer, context: BrowserContext) {
    this.folder = folder;
    this.dataDir = dataDir;
    this.server = server;
    this.context = context;
  }

  static async start({ vscodeVersion: version, extensionsDir, workspaceTrust }: ComputerOptions): Promise<Computer> {
    // All that VS Code and the browser write goes faster there.
    const folder = mkdtempSync(join(sharedMemory() ?? tmpdir(), 'svc-e2e-'));
    const dataDir = join(folder, 'data');
    const ownExtensions = join(folder, 'extensions');
    cpSync(extensionsDir, ownExtensions, { recursive: true });
    writeKeybindings(dataDir);
    const server = await startForPerson({ version, dataDir, extensionsDir: ownExtensions, workspaceTrust });
    const program = await findBrowser();
    // Persistent: a window that is reloaded finds its secrets again, as a person's does.
    const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
      ...program,
      args: [...program.args, keepCompiled],
      permissions: ['clipboard-read', 'clipboard-write'],
      // What only moves would be drawn anew sixty times a second, and no story looks at it.
      reducedMotion: 'reduce',
    });
    return new Computer(folder, dataDir, server, context);
  }

  async page(): Promise<Page> {
    return this.context.pages()[0] ?? this.context.newPage();
  }

  /** Another page, which keeps nothing of the one before. */
  async replacePage(): Promise<Page> {
    const before = await this.page();
    const page = await this.context.newPage();
    await before.close();
    return page;
  }

  /** Closes the window, and has the browser forget what it keeps for VS Code: secrets, views, what extensions stored. */
  async forget(): Promise<void> {
    const page = await this.page();
    await page.goto('about:blank');
    const session = await this.context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', {
      origin: new URL(this.server.url('')).origin,
      storageTypes: 'all',
    });
    await session.detach();
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
