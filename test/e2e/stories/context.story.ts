import { expect, key, test } from '../fixtures.ts';

test.use({
  files: {
    'src/pay.ts': 'export const rate = 0.19;\n',
    'src/tax.ts': 'export const tax = 7;\n',
    '.env': 'TOKEN=abc\n',
  },
});

test('with the keyboard alone, @ attaches a file of the workspace', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  await chat.open();
  await expect(chat.composer).toBeFocused();
  await workbench.page.keyboard.type('What is the rate? @');
  await expect(chat.completions.first()).toBeVisible();
  await workbench.page.keyboard.type('src/');
  await expect(chat.completions).toHaveText([/pay\.ts/, /tax\.ts/]);
  await expect(chat.composer).toHaveAttribute('aria-activedescendant', 'completions-0');
  await workbench.page.keyboard.press('ArrowDown');
  await expect(chat.selectedCompletion).toContainText('tax.ts');
  await workbench.page.keyboard.press('ArrowUp');
  await workbench.page.keyboard.press('Enter');
  await expect(chat.chips).toHaveText(/src\/pay\.ts.*26 bytes/);
  await expect(chat.composer).toHaveValue('What is the rate? ');
  await expect(chat.composer).toBeFocused();

  // Escape closes the popup and nothing else, and leaves what was typed.
  await workbench.page.keyboard.type('@ta');
  await expect(chat.completions).toHaveCount(1);
  await workbench.page.keyboard.press('Escape');
  await expect(chat.completions).toHaveCount(0);
  await expect(chat.composer).toHaveValue('What is the rate? @ta');
  await workbench.page.keyboard.press('Enter');
  await chat.becomes('complete');
  expect(service.chats[0]?.body).toContain('export const rate = 0.19;');
});

test('a file that may not leave is shown with the reason, and cannot be chosen', async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
  await workbench.page.keyboard.type('@.env');
  await expect(chat.completions).toHaveText(/\.env.*excluded by a built-in rule/);
  await chat.completions.click({ force: true });
  await expect(chat.chips).toHaveCount(0);
});
