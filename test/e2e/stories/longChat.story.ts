// A conversation that is longer than the model reads: what is left out is said, and the user decides about whole turns.
import { expect, key, test } from '../fixtures.ts';

const lines = (word: string): string =>
  Array.from({ length: 300 }, (_, at) => `export const ${word}${at} = ${at};`).join('\n');

test.use({
  files: { 'src/a [ä].ts': lines('pay'), 'src/tax.ts': lines('tax'), 'src/fee.ts': lines('fee') },
  workspaceSettings: { 'svc.context.maxTokens': 6000 },
});

test('attachments that do not fit are named below the question, and whole turns are left out when the user says so', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  const about = async (name: string): Promise<void> => {
    await chat.addContext(name);
    await expect(chat.chips.last()).toContainText(name);
    await chat.ask(`What is in ${name}?`);
    await chat.becomes('complete');
  };
  const leftOut = chat.frame.getByTestId('left-out');
  await about('a [ä].ts');
  await about('tax.ts');
  await expect(leftOut).toHaveCount(0);
  await about('fee.ts');
  await expect(leftOut).toHaveCount(1);
  await expect(leftOut.locator('summary')).toHaveText(/^Left out to fit: 1 attachment \(about [\d,]+ tokens\)$/);
  await leftOut.locator('summary').click();
  await expect(leftOut.locator('li')).toHaveText([/^src\/a \[ä\]\.ts, [\d.]+ kB – What is in a \[ä\]\.ts\?$/]);
  expect(service.chats.at(-1)?.body).toMatch(/left out to fit: src\/a \[ä\]\.ts, /);

  service.setScenario('big', { bigBytes: 12_000 });
  await chat.newChat();
  for (const question of ['First?', 'Second?']) {
    await chat.ask(question);
    await chat.becomes('complete');
  }
  await chat.ask('Third?');
  await chat.becomes('failed');
  await expect(chat.cards).toContainText('This conversation is longer than the model can read');
  const sent = service.chats.length;
  service.setScenario('normal');
  await chat.cards.getByRole('button', { name: 'Leave Out the Oldest Turns' }).click();
  await chat.becomes('complete');
  await expect(leftOut.locator('summary')).toHaveText(/^Left out to fit: 1 turn \(about/);
  expect(service.chats).toHaveLength(sent + 1);
  expect(service.chats.at(-1)?.body).toContain('First?');
});
