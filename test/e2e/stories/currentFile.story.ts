import { expect, key, test } from '../fixtures.ts';

test.use({
  files: { 'src/pay.ts': 'export const rate = 0.19;\n', 'src/tax.ts': 'const tax = 7;\n', '.env': 'TOKEN=abc\n' },
});

test('the current file is offered, and sent only after a click; then it follows the editor', async ({
  workbench,
  chat,
  service,
}) => {
  const body = (): string => service.chats.at(-1)?.body ?? '';
  const answered = async (question: string): Promise<void> => {
    await chat.ask(question);
    await chat.becomes('complete');
    expect(body()).toContain(question);
  };
  await workbench.storeKey(key);
  await workbench.openFile('pay.ts');
  await chat.open();
  await expect(chat.offeredChip).toHaveText('pay.ts');
  await answered('Why?');
  expect(body()).not.toContain('export const rate');
  await workbench.shoot('current-file-offered');

  await chat.offeredChip.getByRole('button').click();
  await expect(chat.chips).toHaveText([/src\/pay\.ts.*26 bytes.*follows the editor/]);
  await expect(chat.offeredChip).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
  await expect(chat.meter).toHaveAttribute('title', /Attached: [1-9]/);
  await workbench.shoot('current-file');
  await answered('And now?');
  expect(body()).toContain('export const rate = 0.19;');
  await expect(chat.turns.last()).toContainText('src/pay.ts');

  // It stays for the next question, and follows the editor and its selection.
  await workbench.openFile('tax.ts');
  await expect(chat.chips).toHaveText([/src\/tax\.ts/]);
  await workbench.selectFirstLine();
  await expect(chat.chips).toHaveText([/src\/tax\.ts:1/]);
  await answered('And this?');
  expect(body()).toContain('const tax = 7;');

  // A file that may not be sent is not sent, and its chip says so.
  await workbench.openFile('.env');
  await expect(chat.chips).toHaveText([/\.env.*not sent/]);
  await expect(chat.chips).toHaveAttribute('title', /Excluded by a built-in rule/);
  await answered('What is in it?');
  expect(body()).not.toContain('TOKEN=abc');
  await workbench.openFile('pay.ts');
  await expect(chat.chips).toHaveText([/src\/pay\.ts/]);
  await chat.chips.getByRole('button').click();
  await expect(chat.offeredChip).toHaveText('pay.ts');
  await expect(chat.chips).toHaveCount(0);
});
