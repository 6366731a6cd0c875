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
