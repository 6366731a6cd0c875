import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlayedAnswer } from '../../service/played.ts';
import { expect, key, test } from '../fixtures.ts';

const sum = 'exports.sum = (a, b) => a - b;\n';
const check = "const { sum } = require('./sum.js');\nif (sum(1, 2) !== 3) throw new Error('wrong sum');\n";
const tasks = JSON.stringify({ tasks: [{ label: 'test', type: 'shell', command: 'node check.js' }] });

test.use({
  userSettings: { 'svc.tools.enabled': true, 'svc.changes.enabled': true, 'svc.tools.runTask': true },
  // The terminal is rendered as text, which a test can wait for.
  workspaceSettings: { 'terminal.integrated.gpuAcceleration': 'off' },
  files: { 'sum.js': sum, 'check.js': check, '.vscode/tasks.json': tasks },
});

const runTask: PlayedAnswer = { calls: [{ name: 'run_task', input: { name: 'test' } }] };
const code = [
  'Both files change:',
  '```js title="sum.js"\nexports.sum = (a, b) => a + b;\n```',
  '```md title="notes.md"\n# Sums\n```',
].join('\n\n');

test('a model runs the failing test that the user allows, its code is proposed together, and the test passes', async ({
  workbench,
  chat,
  service,
  folder,
}) => {
  const { page } = workbench;
  const read = (name: string): string => readFileSync(join(folder, 'workspace', name), 'utf8');
  await workbench.storeKey(key);
  await chat.open();
  const left: PlayedAnswer[] = [runTask, { text: code }, runTask, { text: 'It passes.' }];
  service.play(() => left.shift());
  await chat.ask('Why does the test fail?');

  // The command line is shown, and only this call can be allowed.
  const asking = chat.steps('asking');
  await expect(asking).toContainText('Svc wants to run the task test');
  await expect(asking.getByTestId('step-detail')).toContainText('node check.js');
  await expect(chat.toolButton('allow-conversation')).toHaveCount(0);
  await workbench.shoot('task-question');
  await chat.toolButton('allow-once').click();
  await chat.becomes('complete');
  await expect(page.locator('.terminal-wrapper .xterm-rows')).toContainText('Node.js v');
  await expect(chat.steps('done').locator('summary')).toContainText('Run the task test');

  await chat.turns.last().getByRole('button', { name: 'Propose All' }).click();
  const title = chat.frame.getByTestId('changes-title');
  await expect(title).toHaveText('Files with proposed changes: 2 (+2 −1). Nothing has been written.');
  expect(read('sum.js')).toBe(sum);
  await workbench.shoot('propose-all');
  await chat.frame.getByTestId('accept-changes').click();
  await expect(title).toHaveText('Written: 2.');
  expect(read('sum.js')).toBe('exports.sum = (a, b) => a + b;\n');

  await chat.ask('And now?');
  await chat.toolButton('allow-once').click();
  await chat.becomes('complete');
  await chat.steps('done').last().locator('summary').click();
  await expect(chat.steps('done').last().getByTestId('step-result')).toContainText('Exit code 0.');
});
