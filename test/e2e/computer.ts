import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../tools/browser.ts';
import { sharedMemory } from '../tools/folders.ts';
import { startForPerson, type VsCodeServer } from '../tools/vscodeServer.ts';
import { ignoreTraffic } from '../tools/windowTraffic.ts';
import { writeKeybindings } from './keybindings.ts';

export interface ComputerOptions {
  readonly vscodeVersion: string;
  /** The folder of the installed extensions. */
  readonly extensionsDir: string;
  /** The folder of an extension of someone else that is installed, too; empty if there is none. */
  readonly otherExtension?: string;
  readonly workspaceTrust: boolean;
}

/** The state of a VS Code window. */
export interface Window {
  /** The folder that contains its workspace. */
  readonly folder: string;
  /** False if the window is not open yet. */
  readonly isOpen: boolean;
  /** The key that was stored in it. */
  readonly storedKey: string | undefined;
  /** The service that it was stored for: the port of a worker's services may be in use. */
  readonly baseUrl: string | undefined;
}

/**
 * Chromium then uses the cached compiled form of VS Code's script and does not parse all of its 19 MB for each window. Only the
 * last such list is used, so it repeats those of Playwright's features that affect a page.
 */
const keepCompiled =
  '--disable-features=BackgroundResourceFetch,PaintHolding,ThirdPartyStoragePartitioning,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,AvoidUnnecessaryBeforeUnloadCheckSync';

/** Installs an extension, and returns its folder. VS Code lists what is there again where its list is missing. */
function addExtension(extensionsDir: string, from: string): string {
  const installed = join(extensionsDir, `test.${basename(from)}-0.0.1`);
  cpSync(from, installed, { recursive: true });
  rmSync(join(extensionsDir, 'extensions.json'), { force: true });
  return installed;
}

/** A simulated user's computer: a VS Code server, and the browser that shows it. */
export class Computer {
  /** Contains everything that the computer stores on the disk. */
  readonly folder: string;
  readonly dataDir: string;
  /** The folder of the other extension as it is installed; empty if there is none. */
  readonly otherExtension: string;
  readonly server: VsCodeServer;
  readonly context: BrowserContext;
  /** The window that the last story left open for the next one. */
  left: Window | undefined;

  private constructor(
    folder: string,
    dataDir: string,
    otherExtension: string,
    server: VsCodeServer,
    context: BrowserContext,
  ) {
    this.folder = folder;
    this.dataDir = dataDir;
    this.otherExtension = otherExtension;
    this.server = server;
    this.context = context;
  }

  static async start({
    vscodeVersion: version,
    extensionsDir,
    workspaceTrust,
    otherExtension = '',
  }: ComputerOptions): Promise<Computer> {
    // Shared memory speeds up all writes of VS Code and the browser.
    const folder = mkdtempSync(join(sharedMemory() ?? tmpdir(), 'svc-e2e-'));
    const dataDir = join(folder, 'data');
    const ownExtensions = join(folder, 'extensions');
    cpSync(extensionsDir, ownExtensions, { recursive: true });
    const added = otherExtension === '' ? '' : addExtension(ownExtensions, otherExtension);
    writeKeybindings(dataDir);
    const server = await startForPerson({ version, dataDir, extensionsDir: ownExtensions, workspaceTrust });
    const program = await findBrowser();
    // Persistent: like a user's window, a reloaded window finds its secrets again.
    const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
      ...program,
      args: [...program.args, keepCompiled],
      permissions: ['clipboard-read', 'clipboard-write'],
      // Animations would be redrawn sixty times a second, and no story checks them.
      reducedMotion: 'reduce',
    });
    // A persistent context begins with a page.
    for (const page of context.pages()) await ignoreTraffic(page);
    return new Computer(folder, dataDir, added, server, context);
  }

  async page(): Promise<Page> {
    return this.context.pages()[0] ?? this.newPage();
  }

  async newPage(): Promise<Page> {
    const page = await this.context.newPage();
    await ignoreTraffic(page);
    return page;
  }

  /** Opens a new page without state of the previous one. */
  async replacePage(): Promise<Page> {
    const before = await this.page();
    const page = await this.newPage();
    await before.close();
    return page;
  }

  /** Closes the window and clears VS Code's data in the browser: secrets, views, extension storage. */
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
