import { expect, key, test } from '../fixtures.ts';

test.use({
  files: {
    'AGENTS.md': 'Answer in verse.\n',
    '.github/copilot-instructions.md': 'Use tabs.\n',
    'src/pay.ts': 'export const rate = 0.19;\n',
  },
});

test('project instructions go with each question, can be left out, and say why they are not sent', async ({
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
  await chat.open();
  await expect(chat.chips).toHaveText([
    /AGENTS\.md\s*instructions · 17 bytes/,
    /\.github\/copilot-instructions\.md\s*instructions · 10 bytes/,
  ]);
  await expect(chat.messages).toContainText(
    'AGENTS.md and .github/copilot-instructions.md are included in your questions.',
  );
  await answered('Why?');
  expect(body()).toContain('Answer in verse.');
  expect(body()).toContain('Use tabs.');

  // The chips stay. One of them is left out of the conversation.
  await expect(chat.chips).toHaveCount(2);
  await chat.chips.first().getByRole('button').click();
  await expect(chat.chips).toHaveText([/copilot-instructions/]);
  await expect(chat.messages).toHaveCount(0);
  await answered('And now?');
  expect(body()).not.toContain('Answer in verse.');
  expect(body()).toContain('Use tabs.');

  // A command sends them, too, and their chips stay while it is typed.
  await chat.composer.fill('/explain');
  await expect(chat.chips).toHaveText([/copilot-instructions/]);
  await chat.composer.fill('');
  await expect(chat.chips).toHaveCount(1);

  // A new conversation has both again; the workspace is told only once.
  await workbench.run('Svc: New Chat');
  await expect(chat.chips).toHaveCount(2);
  await expect(chat.messages).toHaveCount(0);
  workbench.writeFile('.svcignore', 'AGENTS.md\n');
  await expect(chat.chips.first()).toHaveText(/AGENTS\.md\s*instructions · excluded/);
  await expect(chat.chips.first()).toHaveAttribute('title', /Excluded by \.svcignore, line 1: AGENTS\.md/);
  await answered('Once more?');
  expect(body()).not.toContain('Answer in verse.');
  expect(body()).toContain('Use tabs.');
});
