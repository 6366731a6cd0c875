import { houseRules } from '../../../src/session/prompts/houseRules.ts';
import { expect, expectChats, key, test } from '../fixtures.ts';

test.use({
  files: {
    'src/pay.ts': 'export const rate = 0.19;\n',
    'src/tax.ts': 'export const tax = 7;\n',
    'broken.json': '{ "a": }\n',
    'big.txt': `${'x'.repeat(99)}\n`.repeat(11_000),
    '.env': 'TOKEN=abc\n',
    '.svc/prompts/audit.md':
      '---\ndescription: Finds what is not logged\nmodel: svc/enterprise-coder-v1\n---\nSay which of these calls leave no trace in the log.\n',
    '.svc/prompts/broken.md': '---\ntools: all\n---\nx\n',
  },
});

test('with only the keyboard, @ attaches a file, a folder and problems', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  await workbench.openFile('broken.json');
  await expect(workbench.page.locator('.squiggly-error').first()).toBeVisible();
  await chat.open();
  await expect(chat.composer).toBeFocused();
  const { keyboard } = workbench.page;
  await keyboard.type('What is the rate? @');
  await expect(chat.completions.first()).toBeVisible();
  await chat.query('file:src/', [/pay\.ts/, /tax\.ts/]);
  await expect(chat.composer).toHaveAttribute('aria-activedescendant', 'completions-0');
  await keyboard.press('ArrowDown');
  await expect(chat.selectedCompletion).toContainText('tax.ts');
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await expect(chat.chips).toHaveText([/src\/pay\.ts.*26 bytes/]);
  await expect(chat.composer).toHaveValue('What is the rate? ');
  await expect(chat.composer).toBeFocused();

  // Choosing the kind continues with the names of that kind; Tab accepts the selected item too.
  await keyboard.type('@folder');
  await expect(chat.selectedCompletion).toContainText('Folder…');
  await keyboard.press('Enter');
  await expect(chat.composer).toHaveValue('What is the rate? @folder:');
  await chat.query('src', [/src\//]);
  await keyboard.press('Tab');
  await expect(chat.chips.nth(1)).toContainText('src/');
  await keyboard.type('@problems');
  await expect(chat.selectedCompletion).toContainText('Problems of the File');
  await keyboard.press('Enter');
  await expect(chat.chips.nth(2)).toContainText('problems in broken.json');

  // Escape closes only the popup, and keeps the typed text.
  await keyboard.type('@ta');
  await expect(chat.completions.first()).toBeVisible();
  await keyboard.press('Escape');
  await expect(chat.completions).toHaveCount(0);
  await expect(chat.composer).toHaveValue('What is the rate? @ta');
  await keyboard.press('Enter');
  await chat.becomes('complete');
  await expect(chat.chips).toHaveCount(0);
  const { body = '' } = service.chats[0] ?? {};
  expect(body).toContain('export const rate = 0.19;');
  expect(body).toContain('pay.ts\\ntax.ts');
  expect(body).toContain('broken.json:1:8 error');
});

test('a file that may not be sent is shown with the reason, and cannot be chosen', async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
  await expect(chat.composer).toBeFocused();
  await chat.query('@file:.env', [/\.env.*excluded by a built-in rule/]);
  await chat.completions.click({ force: true });
  await expect(chat.refusal).toContainText('.env: excluded by a built-in rule');
  await expect(chat.chips).toHaveCount(0);
});

test('/tests asks for tests of the selection', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  await workbench.openFile('tax.ts');
  await workbench.selectFirstLine();
  await chat.open();
  await expect(chat.composer).toBeFocused();
  await workbench.page.keyboard.type('/te');
  await expect(chat.completions.first()).toContainText('/tests');
  await workbench.page.keyboard.press('Enter');
  await expect(chat.composer).toHaveValue('/tests ');
  await workbench.page.keyboard.type('with mocha');
  await workbench.page.keyboard.press('Enter');
  await chat.becomes('complete');
  await expect(chat.turns.last().getByTestId('prompt')).toHaveText('/tests with mocha');
  await expect(chat.turns.last()).toContainText('src/tax.ts:1');
  const { body = '' } = service.chats[0] ?? {};
  expect(body).toContain('Write unit tests for this code');
  expect(body).toContain('with mocha');
  expect(body).toContain('export const tax = 7;');
});

test('a prompt of the workspace uses its own model; a broken one shows its error', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await expect(chat.composer).toBeFocused();
  await workbench.page.keyboard.type('/');
  await expect(chat.completions.filter({ hasText: '/audit' })).toContainText('Finds what is not logged');
  await expect(chat.completions.filter({ hasText: '/broken' })).toContainText('broken.md: line 2');
  await workbench.page.keyboard.type('audit');
  await expect(chat.completions).toHaveCount(1);
  await workbench.page.keyboard.press('Enter');
  await workbench.page.keyboard.press('Enter');
  await chat.becomes('complete');
  await expect(chat.turns.last().getByTestId('prompt')).toHaveText('/audit');
  const { json } = service.chats[0] ?? {};
  expect(json).toMatchObject({
    model: 'svc/enterprise-coder-v1',
    messages: [{ role: 'user', content: `${houseRules}\n\nSay which of these calls leave no trace in the log.` }],
  });

  await chat.composer.fill('/broken');
  await expect(chat.completions).toHaveCount(1);
  await chat.composer.press('Enter');
  await expect(chat.refusal).toContainText('broken.md: line 2');
  await chat.composer.press('Escape');
  await chat.composer.press('Enter');
  await expect(chat.refusal).toContainText('.svc/prompts/broken.md cannot be used: line 2');
  await expectChats(service, 1);
});

test('content that is too large is reported before it is sent, with what to remove', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await expect(chat.composer).toBeFocused();
  await chat.query('@file:big', [/big\.txt/]);
  await workbench.page.keyboard.press('Enter');
  await expect(chat.chips).toHaveAttribute('title', /The limit for a file is 1 MB/);
  await expect(chat.attachmentProblem).toHaveText('The limit for a file is 1 MB. Remove big.txt');
  await chat.ask('What is it?');
  await expect(chat.refusal).toContainText('Remove big.txt');
  await expect(chat.composer).toHaveValue('What is it?');
  expect(service.chats).toHaveLength(0);
  await chat.chips.getByRole('button').click();
  await expect(chat.attachmentProblem).toBeHidden();
  await chat.composer.press('Enter');
  await chat.becomes('complete');
});

test('a file and a folder that are dropped on the composer are attached; other items are refused', async ({
  workbench,
  chat,
  folder,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await expect(chat.composer).toBeFocused();
  const workspace = `vscode-remote://${new URL(workbench.page.url()).host}${folder}/workspace`;
  await chat.drag('dragover', [`${workspace}/broken.json`]);
  await expect(chat.dropHint).toBeVisible();
  await chat.drag('drop', [`${workspace}/broken.json`, `${workspace}/src`]);
  await expect(chat.dropHint).toHaveCount(0);
  await expect(chat.chips).toHaveText([/broken\.json/, /src\//]);
  await chat.drag('drop', ['https://example.com/a.ts']);
  await expect(chat.refusal).toContainText('is not a file or folder that can be attached');
  await expect(chat.chips).toHaveCount(2);
});

test.describe('the questions that an empty panel offers', () => {
  const name = '\u05d0\u202e.ts';
  test.use({
    files: { 'src/pay.ts': 'export const rate = 0.19;\nexport const tax = 7;\n', '.env': 'TOKEN=abc\n', [name]: 'x\n' },
  });

  test('follow the editor and its selection, and without an editor tell what to open', async ({ workbench, chat }) => {
    await workbench.storeKey(key);
    await workbench.run('View: Close All Editors');
    await chat.open();
    await expect(chat.startersHint).toHaveText('Open a file with code to get suggestions, or type @ to add context.');
    await expect(chat.starters).toHaveCount(0);
    await workbench.shoot('starters-none');

    await workbench.openFile('pay.ts');
    await expect(chat.starters).toHaveText(['Explain pay.ts', 'Write tests for pay.ts', 'Review pay.ts']);
    await expect(chat.startersHint).toHaveText('A suggestion sends src/pay.ts. Type @ to add other context.');
    await workbench.selectFirstLine();
    await expect(chat.starters.first()).toHaveText('Explain the selection in pay.ts');
    await expect(chat.startersHint).toContainText('src/pay.ts:1.');
    await workbench.shoot('starters-selection');
    await workbench.page.locator('.editor-instance:visible .view-lines').first().click();
    await workbench.page.keyboard.press('Control+A');
    await expect(chat.startersHint).toContainText('src/pay.ts:1-2.');
    await chat.query('@selection', [/Selection.*src\/pay\.ts:1-2$/]);
    await chat.composer.fill('');

    // An excluded file is not offered, and the reason is shown.
    await workbench.openFile('.env');
    await expect(chat.startersHint).toContainText('.env is not sent: it is excluded by');
    await expect(chat.starters).toHaveCount(0);

    // A name cannot turn the words around it.
    await workbench.openFile(name);
    await expect(chat.starters.first().locator('bdi')).toHaveText('\u05d0[U+202E].ts');
    await workbench.shoot('starters-bidi');
  });

  test('are sent with a click, with the file attached, and keep the draft', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    const openWhole = async (): Promise<void> => {
      await workbench.openFile('pay.ts');
      await workbench.clickEditor();
      await expect(chat.startersHint).toContainText('A suggestion sends src/pay.ts. ');
    };
    await chat.newChat();
    await openWhole();
    await chat.composer.fill('A draft');
    await chat.starters.filter({ hasText: 'Write tests' }).click();
    await chat.becomes('complete');
    await expect(chat.composer).toBeFocused();
    await expect(chat.composer).toHaveValue('A draft');
    await expect(chat.chips).toHaveCount(0);
    await expectChats(service, 1);
    expect(service.chats[0]?.body).toContain('Write unit tests for this code');
    expect(service.chats[0]?.body).toContain('export const tax = 7;');

    // With a preview of each request, nothing is sent before the user confirms.
    await workbench.applyWorkspaceSettings({ 'svc.gate.preview': true });
    await chat.composer.fill('');
    await chat.newChat();
    await openWhole();
    await chat.starters.first().click();
    await chat.becomes('confirming');
    await expectChats(service, 1);
    await chat.confirmationButton('cancel-send').click();
    await chat.becomes('stopped');
    await expectChats(service, 1);
  });
});

test.describe('an image', () => {
  test.use({ files: { 'logo.png': '\x89PNG\r\n\x1a\n\0\0', 'src/pay.ts': 'export const rate = 0.19;\n' } });

  test('is refused where it is attached: dropped, pasted, or named', async ({ workbench, chat, folder, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    // From the explorer.
    const workspace = `vscode-remote://${new URL(workbench.page.url()).host}${folder}/workspace`;
    await chat.drag('drop', [`${workspace}/logo.png`]);
    await expect(chat.refusal).toContainText('logo.png is an image, and Svc models accept only text');
    await expect(chat.refusal).toContainText('Describe what the image shows, or attach a file with its text.');
    await workbench.shoot('image-refused');
    // By its name: it is listed, and cannot be chosen.
    await chat.query('@file:logo', [/logo\.png.*an image: Svc models accept only text/]);
    await chat.composer.press('Escape');
    // From another program.
    for (const [index, way] of (['drop', 'paste'] as const).entries()) {
      await chat.composer.fill(way);
      await chat.composer.evaluate((area, kind) => {
        const data = new DataTransfer();
        data.items.add(new File(['x'], 'shot.png', { type: 'image/png' }));
        const about = { bubbles: true, cancelable: true };
        area.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...about, clipboardData: data })
            : new DragEvent('drop', { ...about, dataTransfer: data }),
        );
      }, way);
      await expect(chat.refusal).toContainText('Svc models accept only text, no images.');
      // Sending clears it.
      await chat.composer.press('Enter');
      await expect(chat.turns).toHaveCount(index + 1);
      await chat.becomes('complete');
      await expect(chat.refusal).toHaveCount(0);
    }
    await expect(chat.chips).toHaveCount(0);
    await expectChats(service, 2);
  });

  test('is refused by the command that attaches files', async ({ workbench, chat }) => {
    await workbench.storeKey(key);
    await workbench.run('View: Close All Editors');
    await workbench.run('Svc: Add to Svc Chat');
    await workbench.choose('logo.png');
    await workbench.heard('logo.png is an image, and Svc models accept only text');
    await expect(chat.chips).toHaveCount(0);
  });
});
