// A credential helper: a program that signs the user in and prints a key.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, key, test } from '../fixtures.ts';

const folder = join(tmpdir(), `svc-helper-story-${process.pid}`);
const helper = `${folder}.sh`;
const signedIn = `${folder}.signed-in`;

test.use({ isNew: true, leavesWindow: false, userSettings: { 'svc.credentialHelper': { command: [helper] } } });

test.beforeAll(() => {
  const page = '{"visit":"https://sso.example.com/device","code":"WDJB-MJHT"}';
  const answer = JSON.stringify({ key, expiresAt: '2999-01-01T00:00:00Z', subject: 'anna@example.com' });
  writeFileSync(
    helper,
    `#!/bin/sh
echo $$ > '${folder}.pid'
[ -e '${signedIn}' ] || echo '${page}'
while [ ! -e '${signedIn}' ]; do sleep 0.1; done
echo '${answer}'
`,
  );
  chmodSync(helper, 0o755);
});
test.beforeEach(() => rmSync(signedIn, { force: true }));
test.afterAll(() => {
  for (const file of [helper, signedIn, `${folder}.pid`]) rmSync(file, { force: true });
});

test('asks the user to sign in on a page: Cancel ends it, and after the sign-in the question is answered', async ({
  chat,
  service,
  workbench,
}) => {
  await chat.open();
  await chat.ask('Hello');
  const card = chat.frame.getByTestId('message').filter({ hasText: 'Sign in to get an API key' });
  await expect(card).toContainText('open https://sso.example.com/device and to enter the code WDJB-MJHT');
  await expect(card.getByRole('button', { name: 'Open Page' })).toBeVisible();
  await card.getByRole('button', { name: 'Cancel' }).click();
  await expect(card).toHaveCount(0);
  const pid = readFileSync(`${folder}.pid`, 'utf8').trim();
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  expect(service.received).toHaveLength(0);

  await chat.ask('Hello again');
  await expect(card).toContainText('WDJB-MJHT');
  writeFileSync(signedIn, '');
  await chat.becomes('complete');
  await expect(card).toHaveCount(0);
  expect(service.chats.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`]);

  await workbench.run('Svc: Show Compliance Settings (Headers, Privacy)');
  const row = workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'API Key' });
  await expect(row).toContainText('from a credential helper');
  await expect(row).toContainText('set by user');
  await expect(row).toContainText(`${helper} prints it, for anna@example.com`);
});

test('gives no key: nothing is sent, and the card has the reason', async ({ chat, service }) => {
  writeFileSync(helper, '#!/bin/sh\necho "please run svc-login" >&2\nexit 7\n');
  await chat.open();
  await chat.ask('Hello');
  await chat.becomes('failed');
  await expect(chat.cards).toContainText('The credential helper gave no API key for 127.0.0.1');
  await expect(chat.cards).toContainText(`${helper} ended with exit code 7`);
  await expect(chat.cards).toContainText('Its error output begins with: please run svc-login');
  expect(service.received).toHaveLength(0);
});
