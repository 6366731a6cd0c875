import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ChatPanel } from '../chatPanel.ts';
import { expect, key, test } from '../fixtures.ts';
import { Workbench } from '../workbench.ts';

test.use({ isAlone: true, takesWindow: false });

test('the logs of two windows are collected, verified with verify.mjs, and reported on', async ({
  workbench,
  chat,
  computer,
  service,
  folder,
  extensionsDir,
}, testInfo) => {
  await workbench.storeKey(key);
  await chat.open();
  await chat.ask('Hello');
  await chat.becomes('complete');
  // Another folder in another window of the same computer, with its key.
  const workspace = join(folder, 'other');
  const page = await computer.newPage();
  const other = new Workbench(computer, page, workspace, workbench.storedKey);
  const settings = { 'svc.baseUrl': service.baseUrl };
  other.prepare({ name: testInfo.testId, userSettings: settings, workspaceSettings: {}, files: { 'a.txt': 'a' } });
  await other.open();
  const otherChat = new ChatPanel(other);
  await otherChat.open();
  await otherChat.ask('Hello from another window');
  await otherChat.becomes('complete');
  // Signs what is not signed yet.
  await other.run('Svc: Verify Audit Log');
  await other.heard('The audit log is intact.');
  await workbench.page.bringToFront();
  await workbench.run('Svc: Verify Audit Log');
  await workbench.heard('The audit log is intact.');

  const find = (under: string, pattern: RegExp): string =>
    join(under, readdirSync(under, { recursive: true, encoding: 'utf8' }).find((one) => pattern.test(one)) ?? '');
  const log = dirname(find(computer.dataDir, /audit[\\/]ledger-.*\.jsonl$/));
  // A collector stores the lines of all files as they come, and some twice.
  const lines = readdirSync(log).flatMap((name) => readFileSync(join(log, name), 'latin1').trimEnd().split('\n'));
  const collected = join(folder, 'collected');
  mkdirSync(join(collected, 'pc-1'), { recursive: true });
  writeFileSync(join(collected, 'pc-1/audit.log'), `${[...lines.toReversed(), ...lines.slice(0, 4)].join('\n')}\n`);
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [...args], { cwd: folder, encoding: 'utf8' });

  const program = find(extensionsDir, /svc\.svc-coder[^\\/]*[\\/]dist[\\/]verify\.mjs$/);
  const first = run(program, '--collected', '--json', collected);
  const verdict = JSON.parse(first.stdout) as Record<'verdict', string> & {
    readonly sessions: number;
    readonly ledgers: readonly { readonly vkey: string }[];
  };
  expect(verdict).toMatchObject({ verdict: 'intact', sessions: 2, breaks: [] });
  writeFileSync(join(folder, 'policy.txt'), `log ${verdict.ledgers[0]?.vkey}\nquorum none\n`);
  expect(run(program, '--collected', '--trusted-keys', 'policy.txt', collected)).toMatchObject({
    status: 0,
    stderr: '',
  });

  const main = resolve('tools/report/main.ts');
  const reported = run(main, '--trusted-keys', 'policy.txt', collected);
  expect(reported).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^intact: pc-1\n/) });
  const report = JSON.parse(readFileSync(join(folder, 'audit-report/report.json'), 'utf8')) as object;
  const figures = { models: { 'svc/auto': 2 }, outcomes: { complete: 2 } };
  expect(report).toMatchObject({ machines: [{ names: ['pc-1'], state: 'intact' }], unheard: [], newKeys: [], figures });
  await page.goto(`file://${join(folder, 'audit-report/report.html')}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All machines are intact');
  // Some lines are lost on the way.
  const rest = lines.filter((line) => !line.includes('"kind":"request-outcome"'));
  writeFileSync(join(collected, 'pc-1/audit.log'), `${rest.join('\n')}\n`);
  const later = run(main, '--trusted-keys', 'policy.txt', '--grace', '0', collected);
  expect(later).toMatchObject({ status: 1, stdout: expect.stringMatching(/^incomplete: pc-1\n/) });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 of 1 machine needs attention');
  await page.close();
});
