import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectChats, key, test } from '../fixtures.ts';
import type { Workbench } from '../workbench.ts';

const source = `// Takes card payments.
export function total(text: string): number {
  return eval(text);
}
post('http://payments.example.com/charge');
`;

/** VS Code has no language server for this language, which would report its own problems beside the review. */
const script = `// Takes card payments.
def total(String text) {
  return eval(text)
}
post('http://payments.example.com/charge')
`;

/** Opens the report of the last review, from the status bar. */
async function openReport(workbench: Workbench): Promise<void> {
  const report = workbench.page.locator('.tab.active').filter({ hasText: 'Compliance Review' });
  await workbench.clickUntil(workbench.reviewItem, report);
}

test.describe('a review', () => {
  test.use({
    files: { 'src/pay.groovy': script },
    workspaceSettings: { 'svc.compliance.frameworks': ['pci-dss'] },
  });

  test('the findings of a file appear in the Problems panel; those suppressed with a reason are gone in the next review', async ({
    workbench,
    chat,
    service,
  }) => {
    const { page } = workbench;
    await workbench.storeKey(key);
    await chat.open();
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    await workbench.openFile('pay.groovy');
    // No finding is meant.
    await workbench.expectOffered('Svc: Suppress Compliance Finding', false);
    await workbench.run('Svc: Review File for Compliance');
    await expect(workbench.reviewItem).toHaveText('Review complete. Findings: 2');
    const problems = page.locator('.markers-panel');
    await workbench.clickUntil(workbench.problemsItem, problems);
    await expect(problems).toContainText('Text is run as code. (PCI DSS, high)');
    await expect(problems).toContainText('pci-injection');
    await expect(problems).toContainText('pci-transmission');
    expect(service.chats[0]?.json).toMatchObject({ model: 'svc/compliance-assistant' });
    await workbench.shoot('review-problems');

    await expect(async () => {
      await problems.getByText('Text is run as code').first().dblclick({ timeout: 5_000 });
      await expect(workbench.positionItem).toContainText('Ln 3,', { timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
    await page
      .locator('.editor-instance:visible .native-edit-context, .editor-instance:visible textarea')
      .first()
      .focus();
    await workbench.expectOffered('Svc: Suppress Compliance Finding', true);
    await workbench.quickFix('Suppress with a Reason');
    await workbench.answer('the text is a constant of ours');
    await expect
      .poll(() => workbench.editorText())
      .toContain('// svc-ignore pci-injection: the text is a constant of ours');
    await expect(problems).not.toContainText('Text is run as code');

    await workbench.run('Svc: Review File for Compliance');
    await expect(workbench.reviewItem.locator('a')).toHaveAttribute('aria-label', /1 \(0 new, 1 gone, 1 unchanged\)$/);
    await expect(problems).not.toContainText('pci-injection');
    await expect(problems).toContainText('pci-transmission');

    await openReport(workbench);
    const report = workbench.onlyPage.locator('body');
    await expect(report).toContainText('Complete. Everything you selected was reviewed.');
    await expect(report).toContainText('PCI DSS v4.0.1, requirement 4.2.1');
    await expect(report).toContainText('reason: the text is a constant of ours');
    await workbench.shoot('review-report');
    await report.getByRole('link', { name: 'src/pay.groovy:6' }).click();
    await expect(page.locator('.tab.active')).toContainText('pay.groovy');
    await expect(workbench.positionItem).toContainText('Ln 6,');
  });

  test('reports an answer that is not a review', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    await workbench.openFile('pay.groovy');
    service.enqueue('review-prose');
    await workbench.run('Svc: Review File for Compliance');
    await expect(workbench.reviewItem).toHaveText('Review incomplete. Findings: 0');
    await openReport(workbench);
    await expect(workbench.onlyPage.locator('body')).toContainText(
      'src/pay.groovy: the answer contains text instead of findings',
    );
  });
});

test.describe('the report', () => {
  const name = 'ä [1](2) %20 #L9.groovy';
  test.use({ files: { [name]: script }, workspaceSettings: { 'svc.compliance.frameworks': ['pci-dss'] } });

  test('opens the line of a finding, whatever the name of the file is', async ({ workbench, chat }) => {
    await workbench.storeKey(key);
    await chat.open();
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    const opened = workbench.page.locator('.tab.active').filter({ hasText: name });
    await workbench.clickUntil(workbench.page.getByRole('treeitem', { name }), opened);
    // The tab appears before the text, and the command is about the editor that shows a text.
    await workbench.clickEditor();
    await workbench.run('Svc: Review File for Compliance');
    await expect(workbench.reviewItem).toHaveText('Review complete. Findings: 2');
    await openReport(workbench);
    await workbench.onlyPage.getByRole('link', { name: `${name}:3` }).click();
    await expect(workbench.page.locator('.tab.active')).toContainText(name);
    await expect(workbench.positionItem).toContainText('Ln 3,');
  });
});

test.describe('a review while the panel is open', () => {
  test.use({ files: { 'pay.groovy': script }, workspaceSettings: { 'svc.compliance.frameworks': ['pci-dss'] } });

  test('says its result in the panel, where no message of VS Code covers the composer', async ({ workbench, chat }) => {
    await workbench.storeKey(key);
    await chat.open();
    await workbench.openFile('pay.groovy');
    await workbench.run('Svc: Review File for Compliance');
    const message = workbench.panelMessage('Review complete. Findings: 2');
    await expect(message).toBeVisible();
    await workbench.shoot('review-panel');
    await expect(workbench.notification('Review complete')).toHaveCount(0);
    await message.getByRole('button', { name: 'Show Problems' }).click();
    await expect(workbench.page.locator('.markers-panel')).toContainText('pci-injection');
    await message.getByRole('button', { name: 'Open Report' }).click();
    await expect(workbench.page.locator('.tab.active')).toContainText('Compliance Review');
    await expect(chat.composer).toBeVisible();
  });
});

test.describe('a review of the workspace', () => {
  test.use({
    files: {
      'src/pay.ts': source,
      'src/other.ts': '// card\neval(x);\n',
      '.svcignore': 'hidden/\n',
      'hidden/a.ts': source,
    },
    workspaceSettings: {
      'svc.compliance.frameworks': ['pci-dss'],
      'svc.compliance.zeroRetention': true,
      'svc.gate.preview': true,
    },
  });

  test('shows its cost first, then the first request, and asks before it leaves a file', async ({
    workbench,
    service,
    folder,
  }) => {
    const { page } = workbench;
    const dialog = page.locator('.monaco-dialog-box');
    await workbench.storeKey(key);
    await workbench.run('Svc: Review Workspace for Compliance…');
    await workbench.answer('**/*.ts');
    await expect(dialog).toContainText('Review 2 files?');
    await expect(dialog).toContainText('Excluded files: 1');
    await expect(dialog).toContainText('svc/compliance-assistant');
    await workbench.shoot('review-estimate');
    await workbench.answerDialog('Cancel');
    await expect(dialog).toHaveCount(0);
    expect(service.chats).toHaveLength(0);

    await workbench.run('Svc: Review Workspace for Compliance…');
    await workbench.answer('**/*.ts');
    await workbench.answerDialog('Review');
    await workbench.choose('Send');
    await expect(workbench.reviewItem).toHaveText('Review complete. Findings: 3');
    await expectChats(service, 2);

    const file = join(folder, 'workspace', 'svc-review.sarif');
    await workbench.run('Svc: Export Compliance Review…');
    await expect(dialog).toContainText('Zero retention is or may be on');
    await workbench.answerDialog('Cancel');
    expect(existsSync(file)).toBe(false);
    await workbench.run('Svc: Export Compliance Review…');
    await workbench.answerDialog('Export Anyway');
    await workbench.choose('SARIF');
    const ok = page.locator('.quick-input-widget:visible').getByText('OK');
    await workbench.clickUntil(ok, ok, 'hidden');
    await workbench.heard('The review was exported');
    expect(JSON.parse(readFileSync(file, 'utf8')).runs[0].results).toHaveLength(3);
  });
});

test.describe('a review of 200 files', () => {
  test.use({
    files: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`src/f${index}.ts`, source])),
    workspaceSettings: { 'svc.compliance.frameworks': ['pci-dss'] },
  });

  test('has twelve requests at the same time, shows how far it is, and keeps what it has when it is stopped', async ({
    workbench,
    chat,
    service,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    const held = service.holdChunks();
    await workbench.run('Svc: Review Workspace for Compliance…');
    await workbench.answer('**/*.ts');
    await workbench.answerDialog('Review');
    const progress = workbench.panelMessage('Svc is reviewing…');
    await service.waitFor(() => service.chats.length === 12);
    // The window stays responsive, and no further request is sent.
    await workbench.openFile('f7.ts');
    await expectChats(service, 12);
    await expect(progress).toContainText('0 of 200 files, 0 findings');
    // Not enough for an answer: what is complete in it is shown.
    held.release(600);
    await expect(progress).toContainText(/[1-9]\d* of 200 files, [1-9]\d* findings/);
    await workbench.shoot('review-progress');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    const item = workbench.reviewItem.locator('a');
    await expect(item).toHaveAttribute('aria-label', /^Review incomplete. Findings: [1-9].*the review was stopped/);
    await expectChats(service, 12);
  });
});
