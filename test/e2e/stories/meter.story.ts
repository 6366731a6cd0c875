import { expect, key, test } from '../fixtures.ts';

const line = 'export const rate = 0.19;\n';

test.use({
  // A window keeps what earlier stories have taught it about the model.
  takesWindow: false,
  files: { 'src/pay.ts': line.repeat(600), 'src/tax.ts': line.repeat(300) },
  workspaceSettings: { 'svc.context.maxTokens': 9_000 },
});

test('the meter follows what is typed and attached, and opens the preview of what it counts', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  const tokens = async (): Promise<number> =>
    Number(
      /about ([\d,]+) of 9,000 tokens/.exec((await chat.meter.getAttribute('title')) ?? '')?.[1]?.replace(',', ''),
    );
  // The rules for the model.
  await expect(chat.meter).toHaveAttribute('title', /about [\d,]+ of 9,000 tokens[\s\S]*Tools: 0[\s\S]*estimates/);
  await expect(chat.meter).toHaveAccessibleName(/about [\d,]+ of 9,000 tokens\. Preview Request/);
  const empty = await tokens();
  await chat.composer.fill('word '.repeat(640));
  await expect.poll(tokens).toBe(empty + 1000);
  await chat.composer.fill('What is the rate?');
  await expect.poll(tokens).toBeLessThan(empty + 10);

  // A command takes the file of the editor, without a chip.
  await workbench.openFile('pay.ts');
  await chat.open();
  await chat.composer.fill('/explain ');
  await expect(chat.meter).toHaveAttribute('title', /Attached: 4,8\d\d/);
  await chat.composer.fill('What is the rate?');
  await expect(chat.meter).toHaveAttribute('title', /Attached: 0/);

  // A file of 15,600 bytes.
  await chat.composer.pressSequentially(' @file:pay');
  await expect(chat.completions).toHaveText([/pay\.ts/]);
  await chat.composer.press('Enter');
  await expect(chat.meter).toHaveAttribute('title', /Attached: 4,8\d\d/);
  expect(await tokens()).toBeGreaterThan(empty + 4800);
  await expect(chat.meter).not.toHaveClass(/full/);
  await workbench.shoot('meter');
  await chat.composer.pressSequentially(' @file:tax');
  await expect(chat.completions).toHaveText([/tax\.ts/]);
  await chat.composer.press('Enter');
  await expect(chat.meter).toHaveClass(/full/);
  await expect(chat.meter).toHaveAttribute('title', /Almost full/);
  await workbench.shoot('meter-full');

  await chat.meter.click();
  await expect(workbench.page.locator('.tab.active')).toContainText('Request Preview');
  expect(service.chats).toHaveLength(0);

  // After an answer, the attachments are part of the conversation. The service has counted its tokens: it has others.
  await chat.composer.fill('Why?');
  await chat.composer.press('Enter');
  await chat.becomes('complete');
  await expect(chat.chips).toHaveCount(0);
  await expect(chat.meter).toHaveAttribute('title', /Attached: 6,\d\d\d/);
  await chat.newChat();
  await expect(chat.meter).toHaveAttribute('title', /Attached: 0/);
});
