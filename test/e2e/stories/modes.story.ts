import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatBody } from '../../service/chatBody.ts';
import type { PlayedAnswer } from '../../service/played.ts';
import { expect, key, test } from '../fixtures.ts';

const pay = 'export function pay() {\n  return 1;\n}\n\nexport function refund() {\n  return -1;\n}\n';

test.use({ files: { 'src/pay.ts': pay } });

const edit = (oldString: string, newString: string) => ({
  name: 'edit_file',
  input: { path: 'src/pay.ts', oldString, newString },
});

/** What the model does, request by request. */
const rounds: readonly PlayedAnswer[] = [
  // Plan.
  { calls: [{ name: 'read_file', input: { path: 'src/pay.ts' } }] },
  { text: '1. In `src/pay.ts`, double both amounts.\n\nRisk: callers that expect the old amounts.' },
  // Change.
  { calls: [edit('  return 1;', '  return 2;'), edit('  return -1;', '  return -2;')] },
  { text: 'I propose to double both amounts.' },
  // Go on.
  { text: 'Then the refund stays as it is.' },
];

/** The names of the tools that a request offers. */
function offered(body: string | undefined): readonly string[] {
  const { tools = [] } = JSON.parse(body ?? '{}') as { tools?: readonly { function: { name: string } }[] };
  return tools.map((tool) => tool.function.name);
}

test('a model plans, the user has the plan carried out, accepts a part, and the model continues', async ({
  workbench,
  chat,
  service,
  folder,
}) => {
  const { page } = workbench;
  const read = (): string => readFileSync(join(folder, 'workspace/src/pay.ts'), 'utf8');
  const sent = (): string | undefined => service.chats.at(-1)?.body;
  await workbench.storeKey(key);
  await chat.open();
  const left = [...rounds];
  service.play((_: ChatBody) => left.shift());

  // The first choice asks once, and turns on what Plan needs.
  await expect(chat.mode).toHaveAccessibleName('Mode: Ask');
  await chat.mode.focus();
  await page.keyboard.press('Enter');
  await workbench.choose('Plan');
  await workbench.answerDialog('Turn On');
  await expect(chat.mode).toHaveAccessibleName('Mode: Plan');
  await expect(chat.nextStep('carry-out')).toHaveCount(0);
  await chat.ask('Please double the amounts.');
  await chat.toolButton('allow-conversation').click();
  await chat.becomes('complete');
  expect(offered(sent())).toContain('read_file');
  expect(offered(sent())).not.toContain('edit_file');
  expect(sent()).toContain('You plan, and change nothing.');

  // The plan is carried out in Change, which asks for what it needs.
  await workbench.shoot('mode-plan');
  await chat.nextStep('carry-out').click();
  await workbench.answerDialog('Turn On');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  await expect(chat.mode).toHaveAccessibleName('Mode: Change');
  await expect(chat.turns.last()).toContainText('Carry out the plan above.');
  expect(offered(sent())).toContain('edit_file');
  expect(sent()).toContain('You change files by proposing changes with the tools.');
  expect(sent()).not.toContain('You plan, and change nothing.');
  await expect(chat.nextStep('carry-out')).toHaveCount(0);
  await expect(chat.nextStep('go-on')).toHaveCount(0);

  // One change is rejected in the diff, and the rest is accepted in the card.
  const title = chat.frame.getByTestId('changes-title');
  await expect(title).toHaveText('Files with proposed changes: 1 (+2 −2). Nothing has been written.');
  await chat.frame.getByTestId('open-change').click();
  await expect(page.locator('.tab.active').filter({ hasText: 'Changes to pay.ts' })).toBeVisible();
  const changed = page.locator('.monaco-diff-editor .modified .view-line').filter({ hasText: /return\s-?2/ });
  await expect(changed).toHaveCount(2);
  await workbench.clickUntil(page.getByRole('button', { name: 'Reject Change' }), changed.nth(1), 'hidden');
  await workbench.run('View: Close Editor');
  await chat.frame.getByTestId('accept-change').click();
  await expect(title).toHaveText('Written: 1.');
  expect(read().match(/return -?2;/g)).toHaveLength(1);

  // The next question carries the decisions, which can be opened and removed.
  await expect(chat.chips).toHaveCount(1);
  await expect(chat.chips).toContainText('decisions on changes');
  await chat.frame.getByTestId('open-chip').click();
  const text = page.locator('.monaco-editor .view-lines');
  await expect(text.filter({ hasText: 'src/pay.ts:' })).toContainText(
    /accepted\sline\s[26];\srejected\sthe\schange\sof\sline\s[26]/,
  );
  await workbench.run('View: Close Editor');
  await workbench.shoot('mode-decisions');
  await chat.nextStep('go-on').focus();
  await page.keyboard.press('Enter');
  await expect(chat.turns).toHaveCount(3);
  await chat.becomes('complete');
  await expect(chat.answers.last()).toHaveText('Then the refund stays as it is.');
  await expect(chat.turns.last()).toContainText('Go on.');
  expect(sent()).toMatch(/src\/pay\.ts: accepted line [26]; rejected the change of line [26]/);
  await expect(chat.chips).toHaveCount(0);
  await expect(chat.nextStep('go-on')).toHaveCount(0);

  // A new chat has the last mode of the window, and no decisions.
  await chat.newChat();
  await expect(chat.mode).toHaveAccessibleName('Mode: Change');
  await expect(chat.chips).toHaveCount(0);
});
