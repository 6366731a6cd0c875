import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, key, test } from '../fixtures.ts';

test.use({
  isNew: true,
  workspaceSettings: { 'svc.compliance.securityLevel': 'high', 'svc.compliance.audit': true },
});

test('the audit log is drawn, filtered and verified, and a change in it is found', async ({
  workbench,
  chat,
  service,
  computer,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await chat.ask('Hello');
  await chat.becomes('complete');
  service.setScenario('forbidden');
  await chat.ask('Hello again');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('failed');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await workbench.run('Svc: Open Audit Log');
  const page = workbench.onlyPage;
  await expect(page.getByTestId('totals')).toContainText('Requests2');
  await expect(page.getByTestId('totals')).toContainText('Failed1');
  await expect(page.getByTestId('chart')).toHaveCount(6);
  const rows = page.getByTestId('requests').locator('tbody tr');
  await expect(rows.first()).toContainText('failed (no permission, 403)');
  const sent = rows.last();
  await expect(sent.locator('td')).toHaveCount(7);
  await sent.getByRole('button').press('Enter');
  const facts = page.getByTestId('requests').locator('dl');
  await expect(facts).toContainText('Service confirmationconfirmed');
  await expect(facts).toContainText('Svc-Security-Levelhigh');
  await page.getByTestId('requests').getByRole('button').last().press('Enter');
  await expect(rows).toHaveCount(2);
  await page.getByTestId('outcome').selectOption('complete');
  await expect(rows).toHaveCount(1);
  await page.getByTestId('outcome').selectOption('');

  await page.getByTestId('period').selectOption('days');
  await page.getByTestId('to').fill('2020-01-01');
  await expect(page.getByTestId('totals')).toContainText('Requests0');
  await page.getByTestId('period').selectOption('all');
  await expect(rows).toHaveCount(2);

  await page.getByTestId('verify').click();
  await expect(page.getByTestId('verdict')).toContainText('The audit log is intact.');
  await expect(page.getByTestId('verdict')).toContainText('Proven: since it was signed');
  await expect(page.getByTestId('verdict')).toContainText(/ledger svc-coder\/[0-9a-f]{32}, \d+ lines/);
  await expect(page.getByTestId('verdict')).toContainText('Not proven: who used the machine');
  await workbench.shoot('audit');
  const name = readdirSync(computer.dataDir, { recursive: true, encoding: 'utf8' }).find((one) =>
    /audit.*\d{8}T[^/]*\.jsonl$/.test(one),
  );
  const path = join(computer.dataDir, name ?? '');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"outcome":"complete"', '"outcome":"stopped"'));
  await page.getByTestId('verify').click();
  await expect(page.getByTestId('verdict')).toContainText('The audit log was changed.');
  await expect(page.getByTestId('verdict')).toContainText(/line \d+: this line was changed/);
  await expect(page.getByTestId('verdict')).not.toContainText('Proven: since');
});
