import { expect, expectChats, key, test } from '../fixtures.ts';
import { Walkthrough } from '../walkthrough.ts';

test.use({
  takesWindow: false,
  leavesWindow: false,
  // As for a new user, with VS Code's chat in the place of the panel.
  userSettings: { 'svc.baseUrl': '', 'workbench.secondarySideBar.defaultVisibility': 'visibleInWorkspace' },
  workspaceSettings: { 'svc.compliance.securityLevel': 'high' },
  files: { 'src/pay.ts': 'export function fee(amount: number): number {\n  return amount * 0.19;\n}\n' },
});

test('a new user connects, asks, changes code, and sees what is sent, from an empty window to the fourth step', async ({
  workbench,
  chat,
  service,
}) => {
  test.slow();
  const walkthrough = new Walkthrough(workbench);
  const openCode = async (): Promise<void> => {
    await workbench.openFile('pay.ts');
    await workbench.page.locator('.editor-instance:visible .view-lines').first().click();
  };

  // The status bar says what is missing, and asks for it.
  await expect(workbench.statusItem).toHaveText('Svc: no address');
  await workbench.clickUntil(workbench.statusItem, workbench.input);
  await expect(workbench.page.locator('.quick-input-title:visible')).toContainText('Step 1 of 2');
  await workbench.page.keyboard.press('Escape');
  await workbench.input.waitFor({ state: 'hidden' });

  // An empty panel offers the next step, and opens the walkthrough.
  await chat.open();
  await expect(chat.notice).toContainText('Connect to your Svc service');
  await expect(chat.starters).toHaveCount(0);
  await workbench.shoot('first-run-empty');
  await chat.action('showFirstSteps').click();
  await walkthrough.expectTicked();

  // Running the command does not complete the step, and neither does a key that the service rejects.
  await walkthrough.press('connect', 'Set API Key');
  await workbench.answer(service.baseUrl);
  await workbench.typeKey('svc_ent_wrong_key');
  await workbench.heard('The API key was not accepted');
  await walkthrough.expectTicked();
  await expect(workbench.statusItem).toHaveText('Svc: no key');
  await expect(workbench.statusItem.getByRole('button')).toHaveAccessibleName(
    `Svc: No API key is stored for ${new URL(service.baseUrl).host}. Select to connect`,
  );
  await walkthrough.press('connect', 'Set API Key');
  await workbench.typeKey(key);
  await walkthrough.expectTicked('connect');
  await expect(workbench.statusItem).toHaveText('Svc: high');

  // Everything is set up: the panel offers questions about the open file.
  await openCode();
  await chat.open();
  await expect(chat.notice).toBeHidden();
  await expect(chat.starters).toHaveText(['Explain pay.ts', 'Write tests for pay.ts', 'Review pay.ts']);
  await workbench.shoot('first-run-starters');
  expect(service.chats).toHaveLength(0);
  await chat.starters.first().click();
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('fee');

  // A rejected proposal does not complete the step.
  for (const answer of ['Reject All', 'Accept All'] as const) {
    await openCode();
    await workbench.page.keyboard.press('Control+End');
    await workbench.run('Svc: Generate Code…');
    await workbench.answer('a function that adds two numbers');
    await workbench.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await workbench.decide(answer);
    await walkthrough.open();
    await walkthrough.expectTicked('connect', 'ask', ...(answer === 'Accept All' ? (['change'] as const) : []));
  }

  await openCode();
  await workbench.run('Notifications: Clear All Notifications');
  await chat.composer.fill('A draft, not sent');
  await chat.meter.click();
  await expect(workbench.page.locator('.tab.active')).toContainText('Request Preview');
  await walkthrough.open();
  await walkthrough.expectTicked('connect', 'ask', 'change', 'leaves');
  await workbench.run('Notifications: Clear All Notifications');
  await workbench.shoot('first-run-done');
  await expectChats(service, 3);
});

test('a missing address and key are asked for by the commands that need them', async ({ workbench, chat, service }) => {
  await workbench.openFile('pay.ts');
  await workbench.run('Svc: Explain Code');
  await chat.becomes('failed');
  await expect(chat.cards).toContainText('The address of the Svc service is not set');
  await chat.action('setBaseUrl').click();
  await workbench.answer(service.baseUrl);
  await workbench.typeKey(key);
  await workbench.heard('is valid and was stored');
  await expect(chat.notice).toBeHidden();
  await chat.action('retry').click();
  await chat.becomes('complete');
  await expectChats(service, 1);

  // The steps are ticked although they were never opened, also in the next window.
  const walkthrough = new Walkthrough(workbench);
  await walkthrough.open();
  await walkthrough.expectTicked('connect', 'ask');
  await workbench.reloadByCommand();
  await walkthrough.open();
  await walkthrough.expectTicked('connect', 'ask');
});
