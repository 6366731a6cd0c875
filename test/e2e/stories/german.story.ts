import { expect, key, test as story } from '../fixtures.ts';

const test = story.extend({
  // This server has no language packs: the display language is set in its page. VS Code's own texts stay English; those
  // of extensions are looked up in this language, as in a VS Code with the pack installed.
  computer: async ({ computer }, use) => {
    const page = await computer.replacePage();
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => 'de', set: () => undefined });
    });
    await use(computer);
    await computer.replacePage();
  },
});

test.use({ takesWindow: false, leavesWindow: false });

test('a German VS Code shows the commands, the panel, its answers and the audit page in German', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.run('Svc: API-Schlüssel (Token) festlegen…');
  await workbench.typeKey(key);
  await workbench.heard('ist gültig und wurde gespeichert');
  await workbench.run('Svc: Chat öffnen');
  await expect(chat.composer).toHaveAttribute('placeholder', 'Svc fragen (@ Kontext, / Befehle)');
  await expect(chat.frame.locator('html')).toHaveAttribute('lang', 'de');
  await expect(chat.frame.getByTestId('empty')).toContainText('Fragen zu Ihrem Code stellen');
  await expect(chat.send).toHaveAttribute('aria-label', 'Senden');

  await chat.ask('Write a function that adds two numbers in TypeScript');
  await chat.becomes('complete');
  await expect(chat.frame.getByRole('status')).toHaveText('Die Antwort ist vollständig. Codeblöcke: 1.');
  service.enqueue('forbidden');
  await chat.ask('And one that multiplies them');
  await chat.becomes('failed');
  await expect(chat.cards).toContainText('hat keinen Zugriff auf das Modell');
  await expect(chat.action('retry')).toHaveText('Wiederholen');
  await workbench.run('Notifications: Clear All Notifications');
  await workbench.shoot('german-panel');

  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await workbench.run('Svc: Audit-Protokoll öffnen');
  await expect(workbench.onlyPage.getByRole('heading', { name: 'Svc-Audit-Protokoll' })).toBeVisible();
  await expect(workbench.onlyPage.getByTestId('verify')).toHaveText('Überprüfen');
  await workbench.shoot('german-audit');
});
