import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, key, test } from '../fixtures.ts';

const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};

const folder = resolve('test-results', 'screenshots');
mkdirSync(folder, { recursive: true });

for (const [name, theme] of Object.entries(themes)) {
  test.describe(`in ${theme}`, () => {
    test.use({
      userSettings: { 'workbench.colorTheme': theme },
      workspaceSettings: {
        'svc.compliance.securityLevel': 'maximum',
        'svc.compliance.dataResidency': 'eu-west',
        'svc.compliance.frameworks': ['pci-dss'],
      },
    });

    test(`the panel shows an answer and an error, and nothing is wider than it (${name})`, async ({
      workbench,
      chat,
      service,
    }) => {
      await workbench.storeKey(key);
      await chat.open();
      await chat.ask('Write a function that adds two numbers in TypeScript');
      await chat.becomes('complete');
      service.enqueue('forbidden');
      await chat.ask('And one that multiplies them');
      await chat.becomes('failed');
      await expect(chat.cards).toBeVisible();
      const widths = await chat.frame.locator('body').evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      expect(widths.scrollWidth).toBeLessThanOrEqual(widths.clientWidth);
      await workbench.run('Notifications: Clear All Notifications');
      await workbench.page.screenshot({ path: join(folder, `panel-${name}.png`) });
    });
  });
}
