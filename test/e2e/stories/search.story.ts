import { expect, test } from '../fixtures.ts';

test('words that users type find commands in the palette, and settings in the settings editor', async ({
  workbench,
}) => {
  const { page } = workbench;
  for (const [typed, title] of [
    ['token', 'Svc: Set API Key (Token)…'],
    ['health', 'Svc: Check Service Status (Health)'],
    ['proxy', 'Svc: Troubleshoot Connection (Proxy, Certificates)'],
    ['headers', 'Svc: Show Compliance Settings (Headers, Privacy)'],
    ['completions', 'Svc: Toggle Inline Suggestions (Completions) for This Language'],
    ['mcp', 'Svc: Configure Tools (MCP)…'],
    ['hipaa', 'Svc: Change Compliance Setting (HIPAA, GDPR, Region)…'],
    ['clear', 'Svc: Delete Local Data (Clear History)…'],
    ['privacy', 'Svc: Show Compliance Settings (Headers, Privacy)'],
  ] as const) {
    await expect(async () => {
      if (await workbench.input.isVisible()) await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await workbench.input.fill(`>svc ${typed}`, { timeout: 5_000 });
      await expect(workbench.quickPick.filter({ hasText: title })).toHaveCount(1, { timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
    await workbench.closeList();
  }
  await workbench.run('Preferences: Open Settings (UI)');
  const editor = page.locator('.settings-editor');
  for (const [typed, name] of [
    ['hipaa', 'Frameworks'],
    ['proxy', 'Ca File'],
    ['autocomplete', 'Inline Completions'],
  ] as const) {
    await expect(async () => {
      await editor.locator('.settings-header .monaco-editor').click({ timeout: 5_000 });
      await page.keyboard.press('Control+A');
      await page.keyboard.type(`@ext:svc.svc-coder ${typed}`);
      await expect(editor.locator('.setting-item-contents').filter({ hasText: name }).first()).toBeVisible({
        timeout: 15_000,
      });
    }).toPass({ timeout: 120_000 });
  }
  await workbench.shoot('settings-search');
});
