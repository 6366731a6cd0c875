import { expect, key, test } from '../fixtures.ts';

test.use({
  files: { 'src/pay.ts': 'export const rate = 0.19;\nexport const fee = 2;\n', '.env': 'TOKEN=abc\n' },
});

test('attachments are sent with the next question, and are read when it is sent', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await workbench.openFile('pay.ts');
  await workbench.clickEditor();
  await workbench.run('Svc: Add to Svc Chat');
  await expect(chat.chips).toHaveText([/src\/pay\.ts.*48 bytes/]);
  await expect(chat.composer).toBeFocused();

  // Text that is typed into the file afterwards is sent too.
  await workbench.clickEditor();
  await workbench.page.keyboard.press('Control+Home');
  await workbench.page.keyboard.type('export const tip = 1;');
  await workbench.page.keyboard.press('Enter');
  await expect.poll(() => workbench.editorText()).toContain('export const tip = 1;\nexport const rate');
  await chat.ask('What does this cost?');
  await chat.becomes('complete');
  await expect(chat.chips).toHaveCount(0);
  await expect(chat.turns.last()).toContainText('src/pay.ts');
  expect(service.chats[0]?.body).toContain('export const tip = 1;\\nexport const rate = 0.19;');
});

test('a file that is attached again with the same text is not sent again, and its label shows this', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  for (const question of ['What does it cost?', 'And with a fee?']) {
    await chat.addContext('pay.ts');
    await expect(chat.chips).toHaveCount(1);
    await chat.ask(question);
    await expect(chat.turns.last()).toContainText(question);
    await chat.becomes('complete');
    await expect(chat.chips).toHaveCount(0);
  }
  await expect(chat.turns.first()).not.toContainText('as above');
  await expect(chat.turns.last().locator('.context')).toHaveText(/src\/pay\.ts\s*as above/);
  await expect(chat.turns.last().locator('.context li')).toHaveAttribute('title', /It was not sent again/);
  const body = service.chats[1]?.body ?? '';
  expect(body.split('export const fee = 2;')).toHaveLength(2);
  expect(body).toContain('[src/pay.ts: as above]');
});

test('only the changes of a file are sent if it was changed since an earlier question, and its label shows this', async ({
  workbench,
  chat,
  service,
}) => {
  const text = (rate: string): string =>
    `${'export const some = "words";\n'.repeat(100)}export const rate = ${rate};\n`;
  await workbench.storeKey(key);
  await chat.open();
  for (const [question, rate] of [
    ['What does it cost?', '0.19'],
    ['And now?', '0.2'],
  ] as const) {
    workbench.writeFile('src/pay.ts', text(rate));
    await chat.addContext('pay.ts');
    await expect(chat.chips).toHaveCount(1);
    await chat.ask(question);
    await expect(chat.turns.last()).toContainText(question);
    await chat.becomes('complete');
    await expect(chat.chips).toHaveCount(0);
  }
  await expect(chat.turns.first()).not.toContainText('changes since');
  await expect(chat.turns.last().locator('.context')).toHaveText(/src\/pay\.ts\s*changes only/);
  await expect(chat.turns.last().locator('.context li')).toHaveAttribute('title', /Only what changed since was sent/);
  const body = service.chats[1]?.body ?? '';
  expect(body).toContain('-export const rate = 0.19;\\n+export const rate = 0.2;');
  expect(body.split('export const some = ').length).toBeLessThan(110);
});

test('a file that may not be sent is marked, blocks the question, and can be removed', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await expect(chat.composer).toBeFocused();
  // The list says why it cannot be chosen; from its editor it can be added.
  // VS Code may find a file that was just written some moments later.
  await expect(async () => {
    if (await chat.completions.first().isVisible()) await chat.composer.press('Escape');
    await chat.attach.click();
    await expect(chat.completions.last()).toHaveText(/\.env.*excluded by a built-in rule/, { timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
  await chat.composer.press('Escape');
  await expect(chat.completions).toHaveCount(0);
  await expect(chat.composer).toHaveValue('');
  await workbench.openFile('.env');
  await workbench.run('Svc: Add to Svc Chat');
  await expect(chat.chips).toHaveAttribute('title', /Excluded by a built-in rule \(\.env\)/);
  await chat.ask('What is in it?');
  await expect(chat.cards).toContainText('.env is excluded');
  expect(service.chats).toHaveLength(0);
  await expect(chat.action('retry')).toHaveCount(0);
  await chat.action('removeFile').click();
  await chat.becomes('complete');
  await expect(chat.cards).toHaveCount(0);
  expect(service.chats[0]?.body).not.toContain('.env');
  await chat.addContext('pay.ts');
  await expect(chat.chips).toHaveCount(1);
  await chat.chips.getByRole('button').click();
  await expect(chat.chips).toHaveCount(0);
  await chat.ask('And without?');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
});
