import { expect, key, test } from '../fixtures.ts';

const source = `export function total(): number {
  return 1;
}
`;

test.use({
  workspaceFile: 'two.code-workspace',
  files: {
    'app/src/pay.ts': source,
    'lib/src/fee.ts': source,
    'two.code-workspace': JSON.stringify({ folders: [{ path: 'app' }, { path: 'lib' }] }),
  },
});

test('in a workspace of two folders, code goes to the folder that it names or comes from', async ({
  workbench,
  chat,
}) => {
  const { page } = workbench;
  await workbench.storeKey(key);

  await workbench.openFile('fee.ts');
  await workbench.run('Svc: Generate Tests');
  await expect(page.locator('.tab.active')).toContainText('Changes to fee.test.ts');
  await workbench.decide('Accept All');
  await expect.poll(() => workbench.readFile('lib/src/fee.test.ts')).toContain('total');
  expect(workbench.readFile('app/src/fee.test.ts')).toBeUndefined();

  await chat.open();
  await chat.ask('Write a function isPrime in TypeScript in app/src/prime.ts');
  await chat.becomes('complete');
  await chat.code.last().getByRole('button', { name: 'Apply to File' }).click();
  await expect(page.locator('.tab.active')).toContainText('Changes to prime.ts');
  await workbench.decide('Accept All');
  await expect.poll(() => workbench.readFile('app/src/prime.ts')).toContain('function isPrime');
  expect(workbench.readFile('lib/src/prime.ts')).toBeUndefined();
});

test.describe('with instructions', () => {
  test.use({
    files: {
      'app/AGENTS.md': 'Write TypeScript.\n',
      'lib/AGENTS.md': 'Write Python.\n',
      'lib/.svcignore': 'AGENTS.md\n',
      'two.code-workspace': JSON.stringify({ folders: [{ path: 'app' }, { path: 'lib' }] }),
    },
  });

  test('each folder has its own, under its own rules', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    await expect(chat.chips).toHaveText([
      /app\/AGENTS\.md\s*instructions · 18 bytes/,
      /lib\/AGENTS\.md\s*instructions · excluded/,
    ]);
    await chat.ask('Which language?');
    await chat.becomes('complete');
    expect(service.chats[0]?.body).toContain('Write TypeScript.');
    expect(service.chats[0]?.body).not.toContain('Write Python.');
  });
});

test.describe('with instructions and regions that conflict', () => {
  const settings = (region: string): string => JSON.stringify({ 'svc.compliance.dataResidency': region });
  test.use({
    files: {
      'app/AGENTS.md': 'Write TypeScript.\n',
      'app/.vscode/settings.json': settings('us-east'),
      'app/src/pay.ts': source,
      'lib/AGENTS.md': 'Write Python.\n',
      'lib/.vscode/settings.json': settings('eu-west'),
      'two.code-workspace': JSON.stringify({ folders: [{ path: 'app' }, { path: 'lib' }] }),
    },
  });

  test('what blocks a new chat is named, and is left out with a button', async ({ workbench, chat, service }) => {
    const leaveOut = { name: 'Leave Out Instructions' };
    const body = (): string => service.chats.at(-1)?.body ?? '';
    await workbench.storeKey(key);
    await chat.open();
    await expect(chat.notice).toContainText('app/AGENTS.md and lib/AGENTS.md are included as instructions');

    // A question is refused with the same card, and is asked again without them.
    await chat.ask('Which language?');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText('app/AGENTS.md and lib/AGENTS.md are included as instructions');
    expect(service.chats).toHaveLength(0);
    await chat.cards.getByRole('button', leaveOut).click();
    await chat.becomes('complete');
    expect(body()).toContain('Which language?');
    expect(body()).not.toContain('Write TypeScript.');
    await expect(chat.notice).toHaveCount(0);
    await expect(chat.chips).toHaveCount(0);

    // A new chat has both again. With a file of one folder, only the instructions of the other are in the way.
    await chat.newChat();
    await expect(chat.chips).toHaveCount(2);
    await chat.addContext('pay.ts');
    await expect(chat.notice).toContainText('lib/AGENTS.md is included as instructions');
    await expect(chat.notice).not.toContainText('app/AGENTS.md');
    await chat.notice.getByRole('button', leaveOut).click();
    await expect(chat.notice).toHaveCount(0);
    await chat.ask('And this one?');
    await chat.becomes('complete');
    expect(body()).toContain('Write TypeScript.');
    expect(body()).not.toContain('Write Python.');
    expect(service.chats.at(-1)?.headers['svc-data-residency']).toBe('us-east');
  });
});

test.describe('with attachments whose folders conflict', () => {
  const settings = (region: string): string => JSON.stringify({ 'svc.compliance.dataResidency': region });
  test.use({
    files: {
      'app/.vscode/settings.json': settings('us-east'),
      'app/src/pay.ts': source,
      'lib/.vscode/settings.json': settings('eu-west'),
      'lib/src/fee.ts': source,
      'two.code-workspace': JSON.stringify({ folders: [{ path: 'app' }, { path: 'lib' }] }),
    },
  });

  test('the card names them, and leaves one out: of the next question, and of one that was refused', async ({
    workbench,
    chat,
    service,
  }) => {
    const leaveOut = { name: 'Leave Out a File…' };
    const words = /app\/src\/pay\.ts and lib\/src\/fee\.ts are attached/;
    await workbench.storeKey(key);
    await chat.open();
    for (const name of ['pay.ts', 'fee.ts']) {
      await chat.addContext(name);
      await expect(chat.chips.last()).toContainText(name);
    }
    await expect(chat.notice).toContainText(words);
    await workbench.shoot('attachments-conflict');
    await chat.notice.getByRole('button', leaveOut).click();
    await workbench.choose('lib/src/fee.ts');
    await expect(chat.notice).toHaveCount(0);
    await expect(chat.chips).toHaveText([/app\/src\/pay\.ts/]);

    await chat.addContext('fee.ts');
    await expect(chat.chips).toHaveCount(2);
    await chat.ask('What do they cost?');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText(words);
    expect(service.chats).toHaveLength(0);
    await chat.cards.getByRole('button', leaveOut).click();
    await workbench.choose('app/src/pay.ts');
    await chat.becomes('complete');
    expect(service.chats[0]?.headers['svc-data-residency']).toBe('eu-west');
    await expect(chat.turns.last()).toContainText('lib/src/fee.ts');
    await expect(chat.turns.last()).not.toContainText('app/src/pay.ts');

    // A file that conflicts with what the conversation has already is the only one in the way.
    await chat.addContext('pay.ts');
    await expect(chat.notice).toContainText('app/src/pay.ts is attached');
    await expect(chat.notice).not.toContainText('fee.ts');
    await chat.notice.getByRole('button', leaveOut).click();
    await expect(chat.chips).toHaveCount(0);
    await expect(chat.notice).toHaveCount(0);
  });
});
