import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, key, test } from '../fixtures.ts';

/** Themes by the kind that VS Code reports to a page. */
const themes = {
  'vscode-dark': 'Dark Modern',
  'vscode-light': 'Light Modern',
  'vscode-high-contrast': 'Default High Contrast',
  'vscode-high-contrast-light': 'Default High Contrast Light',
};

const folder = resolve('test-results', 'screenshots');
mkdirSync(folder, { recursive: true });

/** The texts of elements whose contrast with their opaque background is below a ratio (WCAG). Runs in the page. */
function fainterThan(elements: readonly Element[], ratio: number): readonly string[] {
  const channels = (color: string): readonly number[] => {
    if (color.startsWith('#')) {
      const digits = color.length < 6 ? color.replace(/[\da-f]/gi, '$&$&') : color;
      return (digits.match(/[\da-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16) / 255);
    }
    const numbers = (color.match(/[\d.]+(?:e-\d+)?/g) ?? []).map(Number);
    return color.startsWith('color(') ? numbers : numbers.map((value, index) => (index < 3 ? value / 255 : value));
  };
  const luminance = (color: string): number => {
    const [r = 0, g = 0, b = 0] = channels(color).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element: Element | null): string => {
    if (element === null) return getComputedStyle(document.body).getPropertyValue('--vscode-sideBar-background');
    const { backgroundColor } = getComputedStyle(element);
    return (channels(backgroundColor)[3] ?? 1) === 1 ? backgroundColor : background(element.parentElement);
  };
  return elements
    .filter((element) => {
      const [low = 0, high = 0] = [luminance(getComputedStyle(element).color), luminance(background(element))].sort(
        (a, b) => a - b,
      );
      return (high + 0.05) / (low + 0.05) < ratio;
    })
    .map((element) => element.textContent ?? '');
}

for (const [kind, theme] of Object.entries(themes)) {
  test.describe(theme, () => {
    test.use({
      workspaceSettings: {
        'workbench.colorTheme': theme,
        'svc.compliance.securityLevel': 'maximum',
        'svc.compliance.dataResidency': 'eu-west',
        'svc.compliance.frameworks': ['pci-dss'],
      },
    });

    test('the panel shows an answer and an error, and nothing is wider than it', async ({
      workbench,
      chat,
      service,
    }) => {
      await workbench.storeKey(key);
      await chat.open();
      await expect(chat.frame.locator('body')).toHaveAttribute('data-vscode-theme-kind', kind);
      await chat.ask('Write a function that adds two numbers in TypeScript');
      await chat.becomes('complete');
      service.enqueue('forbidden');
      await chat.ask('And one that multiplies them');
      await chat.becomes('failed');
      await expect(chat.cards).toBeVisible();
      const tooWide = (): Promise<number> =>
        chat.frame.locator('body').evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        });
      await expect.poll(tooWide).toBeLessThanOrEqual(0);
      const inks = chat.frame.locator('.code-block [class^=ink-]');
      await inks.first().waitFor();
      expect(await inks.evaluateAll(fainterThan, 3)).toEqual([]);
      await workbench.run('Notifications: Clear All Notifications');
      await workbench.page.screenshot({ path: join(folder, `panel-${kind}.png`) });
    });
  });
}
