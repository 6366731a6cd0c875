import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, key, test } from '../fixtures.ts';

test.use({ isNew: true, workspaceSettings: { 'svc.compliance.audit': true } });

test('a page that is loaded again as soon as an answer has come leaves an intact audit log', async ({
  workbench,
  chat,
  computer,
}) => {
  test.setTimeout(600_000);
  await workbench.storeKey(key);
  const verdict = workbench.onlyPage.getByTestId('verdict');
  for (let time = 0; time < 10; time += 1) {
    await chat.open();
    await chat.ask(`Question ${time}`);
    await chat.becomes('complete');
    await workbench.page.reload();
    await chat.open();
    await chat.ask(`Question ${time} again`);
    await chat.becomes('complete');
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    await expect(chat.composer).toBeHidden();
    await workbench.run('Svc: Open Audit Log');
    await workbench.onlyPage.getByTestId('verify').click();
    await expect(verdict).toContainText('The audit log is intact.', { timeout: 60_000 });
    await workbench.run('View: Close All Editors');
  }
  const said = readdirSync(computer.dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /audit.*ledger-[^/]*\.jsonl$/.test(name))
    .flatMap((name) => readFileSync(join(computer.dataDir, name), 'latin1').match(/"why":"\w+"/g) ?? []);
  expect(said).not.toContain('"why":"unanchored"');
});
