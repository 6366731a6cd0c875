// npm run screenshots: the pictures of README.md and docs/, taken from the packaged extension in a real VS Code and written to
// docs/screenshots. They are only in the repository, not in the VSIX. With names of scenes, such as `npm run screenshots -- masked`,
// only these are taken.
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { chromium, type Locator } from '@playwright/test';
import { ChatPanel } from '../../e2e/chatPanel.ts';
import { Workbench } from '../../e2e/workbench.ts';
import { demoKey } from '../../service/options.ts';
import { startService } from '../../service/service.ts';
import { findBrowser } from '../browser.ts';
import { installExtension, sparseSettings, startForPerson, writeUserSettings } from '../vscodeServer.ts';
import { smaller } from './png.ts';
import { type Scene, scenes } from './scenes.ts';

const target = 'docs/screenshots';
/** The size limit of a picture in bytes. */
const maximumBytes = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'svc-screenshots-'));
const dataDir = join(folder, 'data');
const extensionsDir = join(folder, 'extensions');
const workspace = join(folder, 'payments');
// Without its instructions, which the panel would mention in each picture.
cpSync(resolve('test/demo/workspace'), workspace, {
  recursive: true,
  filter: (path) => basename(path) !== 'AGENTS.md',
});
mkdirSync(target, { recursive: true });

const service = await startService();
await installExtension(resolve('svc-coder.vsix'), extensionsDir, join(folder, 'install'));
const server = await startForPerson({ dataDir, extensionsDir });
const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
  ...(await findBrowser()),
  viewport: { width: 1200, height: 720 },
  reducedMotion: 'reduce',
});
try {
  const page = context.pages()[0] ?? (await context.newPage());
  const workbench = new Workbench({ server, dataDir }, page, workspace);
  const settings = {
    'svc.baseUrl': service.baseUrl,
    'editor.minimap.enabled': false,
    'workbench.layoutControl.enabled': false,
    'breadcrumbs.enabled': false,
    'window.commandCenter': false,
    // VS Code's own list would hide an inline suggestion.
    'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
    'terminal.integrated.gpuAcceleration': 'off',
    'terminal.integrated.fontSize': 10,
    '[typescript]': { 'svc.inlineCompletions.enabled': true },
  };
  writeUserSettings(dataDir, { ...sparseSettings, ...settings });
  await workbench.open();
  const write = (name: string, png: Uint8Array): void => {
    const path = join(target, `${name}.png`);
    writeFileSync(path, smaller(png));
    const { size } = statSync(path);
    console.log(`${path}: ${(size / 1000).toFixed(0)} kB`);
    if (size > maximumBytes) throw new Error(`${path} is larger than ${maximumBytes} bytes.`);
  };
  const withoutNotifications = async (): Promise<void> => {
    // The command moves the focus, so it runs only if needed.
    if ((await page.locator('.notification-list-item').count()) > 0) {
      await workbench.run('Notifications: Clear All Notifications');
    }
    await page.locator('.notification-list-item').waitFor({ state: 'detached' });
  };
  const scene: Scene = {
    ...{ workbench, workspace, dataDir, folder },
    chat: new ChatPanel(workbench),
    service,
    inTheme: async (theme) => {
      writeUserSettings(dataDir, { ...sparseSettings, ...settings, 'workbench.colorTheme': theme });
      // Closed by its command, which gives VS Code the time to store the completed steps.
      await workbench.reloadByCommand();
    },
    shoot: async (name) => {
      await withoutNotifications();
      write(name, await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    },
    shootPart: async (name, part: Locator, which) => {
      await withoutNotifications();
      const box = await part.boundingBox();
      if (box === null) throw new Error(`${name} is not shown.`);
      const [width, height] = [Math.min(box.width, 640), Math.min(box.height, 360)];
      const y = which === 'end' ? box.y + box.height - height : box.y;
      write(name, await page.screenshot({ animations: 'disabled', caret: 'hide', clip: { ...box, y, width, height } }));
    },
  };
  await workbench.storeKey(demoKey);
  const names = process.argv.slice(2);
  for (const one of scenes) if (names.length === 0 || names.includes(one.name)) await one(scene);
} finally {
  await context.close();
  await server.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
