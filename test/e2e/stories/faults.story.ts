import type { ScenarioName } from '../../service/scenarios.ts';
import { expect, expectChats, key, test } from '../fixtures.ts';

/** The fault on the wire, the resulting status of the turn, and text of its card or its status line. */
const rows: readonly (readonly [ScenarioName, string, RegExp])[] = [
  ['bad-gateway-html', 'failed', /The service reported an internal error \(502\)/],
  ['quota', 'failed', /Too many requests|quota/],
  ['unauthorized', 'failed', /The API key was not accepted/],
  ['forbidden', 'failed', /has no access to the model/],
  ['too-large', 'failed', /too large for the service/],
  ['redirect', 'failed', /redirected the request to another address/],
  ['html-instead-of-json', 'failed', /Unexpected response: a web page/],
  ['error-in-stream', 'interrupted', /The answer was interrupted/],
  ['malformed-sse', 'interrupted', /The answer was interrupted/],
  ['end-without-done', 'interrupted', /The answer was interrupted/],
  ['no-done', 'complete', /svc\/auto/],
  ['json-instead-of-stream', 'complete', /svc\/auto/],
  ['length', 'complete', /stopped at the maximum length/],
  ['refuse-content', 'complete', /stopped by the content filter/],
  ['network-error', 'complete', /ended for another reason: network_error/],
  ['calls-missing', 'complete', /announces a tool call, but contains none/],
  ['no-reason', 'complete', /svc\/auto/],
  ['no-reason-no-done', 'interrupted', /The answer was interrupted/],
  ['thinking-only', 'failed', /The answer is empty/],
  ['budget', 'failed', /The quota or the budget at .* is used up/],
  ['quota-forbidden', 'failed', /The quota or the budget at .* is used up/],
  ['content-filter', 'failed', /The content filter of the service refused the request/],
  ['page-unauthorized', 'failed', /A web page answered in place of .* \(401\)/],
  ['page-forbidden', 'failed', /A web page answered in place of .* \(403\)/],
  ['early-reason', 'complete', /svc\/auto/],
  ['null-reason', 'complete', /svc\/auto/],
  ['heartbeats', 'complete', /svc\/auto/],
  ['whole-message', 'complete', /svc\/auto/],
  ['wrong-coding', 'complete', /svc\/auto/],
  ['created', 'complete', /svc\/auto/],
  ['error-object', 'interrupted', /The scenario says that the model failed/],
  ['page-mid-stream', 'interrupted', /The answer was interrupted/],
  ['no-usage', 'complete', /2 requests were sent, because .* no token counts are asked for/],
];

test('every fault of the service has a message in the panel, and the next question works', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  for (const [index, [scenario, status, words]] of rows.entries()) {
    await test.step(scenario, async () => {
      service.setScenario(scenario);
      await chat.ask(`Question ${index}`);
      await expect(chat.turns).toHaveCount(index + 1);
      await chat.becomes(status);
      await expect(chat.turns.last()).toContainText(words);
    });
  }
  service.setScenario('normal');
  await chat.ask('And now?');
  await expect(chat.turns).toHaveCount(rows.length + 1);
  await chat.becomes('complete');
});

test('code of an answer without a reason is used after a question', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  await chat.open();
  for (const [index, [scenario, status]] of (
    [
      ['no-reason', 'complete'],
      ['no-reason-no-done', 'interrupted'],
    ] as const
  ).entries()) {
    service.setScenario(scenario);
    await chat.ask('Write a function that adds two numbers');
    await expect(chat.turns).toHaveCount(index + 1);
    await chat.becomes(status);
    await chat.code.last().getByRole('button', { name: 'New File' }).click();
    await workbench.answerDialog('Use It');
    await expect.poll(() => workbench.editorText()).toContain('function add');
    await workbench.run('View: Revert and Close Editor');
  }
});

test('a delay that is too long is not waited for: the panel shows how long the service asks for', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  service.setScenario('rate-limit-long');
  await chat.ask('Hello');
  await expect(chat.cards).toContainText('The service asked to wait 90 s');
  await expectChats(service, 1);
});

test('a wait before a retry can be cancelled', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  await chat.open();
  service.setScenario('rate-limit', { retryAfterSeconds: 30 });
  await chat.ask('Hello');
  await expect(chat.retry).toContainText('Retrying in');
  await chat.frame.getByTestId('retry-cancel').click();
  await chat.becomes('stopped');
  // The service's delay applies to the next question, too, until the user overrides it.
  await chat.ask('And now?');
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.retry).toContainText('Retrying in');
  await expectChats(service, 1);
  await chat.frame.getByTestId('retry-now').click();
  await chat.becomes('complete');
  await expectChats(service, 2);
});

test.describe('with a second connection', () => {
  test.use({ userSettings: { 'svc.connections': [{ name: 'other', baseUrl: 'http://127.0.0.1:9/api/v1' }] } });

  test('another address never gets the key of the first, nor earlier messages before the user is asked', async ({
    workbench,
    chat,
    service,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    await chat.ask('First');
    await chat.becomes('complete');
    workbench.writeWorkspaceSettings({ 'svc.connection': 'other' });
    await expect(chat.notice).toContainText('Store your API key');
    await chat.ask('Hello');
    await expect(chat.cards).toContainText('No API key is stored for 127.0.0.1:9');
    // No server listens there: the key cannot be checked, and the user decides.
    await chat.action('setApiKey').click();
    await workbench.typeKey(key);
    await expect(workbench.page.locator('.monaco-dialog-box')).toContainText(
      '127.0.0.1:9 could not check the key (Cannot reach 127.0.0.1:9). Store it without a check?',
    );
    await workbench.answerDialog('Store Anyway');
    await expect(chat.notice).toBeHidden();
    await chat.action('retry').click();
    await expect(chat.confirmation).toContainText('would be sent to another address');
    await expect(chat.confirmation).toContainText(new URL(service.baseUrl).origin);
    await chat.confirmationButton('send-masked').click();
    await expect(chat.cards).toContainText('Cannot reach 127.0.0.1:9', { timeout: 60_000 });
    await expect(chat.action('diagnoseConnection')).toBeVisible();
    // The user is asked only once.
    await chat.ask('More');
    await expect(chat.turns).toHaveCount(3);
    await expect(chat.turns.last()).toContainText('Cannot reach 127.0.0.1:9', { timeout: 60_000 });
    await expectChats(service, 1);
    // The card still names where its question was sent, in another window with the first address.
    await expect.poll(() => workbench.savedConversation()).toContain('"More"');
    workbench.writeWorkspaceSettings({});
    await workbench.reload();
    await chat.open();
    await expect(chat.turns).toHaveCount(3);
    // The last one may have been waiting for a retry.
    await expect(chat.turns.nth(1)).toContainText('Cannot reach 127.0.0.1:9');
    await expect(chat.turns.nth(1)).not.toContainText(new URL(service.baseUrl).host);
  });
});
