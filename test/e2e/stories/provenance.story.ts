import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, key, test } from '../fixtures.ts';

const source = 'export const first = 1;\n';

test.describe('accepted code', () => {
  test.use({
    takesWindow: false,
    leavesWindow: false,
    userSettings: { 'svc.provenance.notes': true },
    files: { 'src/pay.ts': source },
  });

  test.beforeEach(({ folder }) => {
    const workspace = join(folder, 'workspace');
    mkdirSync(join(workspace, 'src'), { recursive: true });
    writeFileSync(join(workspace, 'src/pay.ts'), source);
    for (const args of [
      ['init', '-q'],
      ['config', 'user.name', 'Test'],
      ['config', 'user.email', 'test@example.com'],
      ['config', 'notes.rewriteRef', 'refs/notes/ai'],
      ['add', '.'],
      ['commit', '-q', '-m', 'feat: begin'],
    ]) {
      execFileSync('git', args, { cwd: workspace });
    }
  });

  test('is proven from the question to the commit: note, trailers, Show Provenance, verify.mjs, and explain', async ({
    workbench,
    folder,
    computer,
    extensionsDir,
  }) => {
    const { page } = workbench;
    const workspace = join(folder, 'workspace');
    const git = (...args: readonly string[]): string =>
      spawnSync('git', [...args], { cwd: workspace, encoding: 'utf8' }).stdout;
    await workbench.storeKey(key);
    await workbench.openFile('pay.ts');
    await workbench.run('Svc: Generate Code…');
    await workbench.answer('a function that adds two numbers');
    await workbench.decide('Accept All');
    await workbench.run('File: Save');
    await expect.poll(() => git('diff', '--stat')).toContain('pay.ts');
    git('add', '.');

    const box = await workbench.openSourceControl();
    // The view may be drawn again when Git has seen the change: then the box loses the focus.
    await expect(async () => {
      await box.click({ timeout: 5_000 });
      await expect(box.locator('.monaco-editor.focused')).toBeVisible({ timeout: 5_000 });
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText('feat: add');
      await expect(box).toHaveText('feat: add', { timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
    await workbench.run('Svc: Add Audit Trailers to Commit Message');
    await expect(box).toContainText('Assisted-by: svc-coder:svc/enterprise-coder-v1');
    await expect(box).toContainText('Svc-Checkpoint: svc-coder/');
    // VS Code sees some moments later what is staged, and would ask what to commit.
    await expect(page.getByRole('treeitem', { name: 'pay.ts, Index Modified' })).toBeVisible();
    await workbench.run('Git: Commit Staged');
    await expect
      .poll(() => git('log', '--format=%B', '-1'))
      .toMatch(/^feat: add\n\nAssisted-by: .+\nSvc-Checkpoint: .+/);
    await expect
      .poll(() => git('notes', '--ref=ai', 'show', 'HEAD'))
      .toMatch(/^src\/pay\.ts\n {2}s_\w+::t_\w+ [\d,-]+\n---\n/);

    await workbench.openFile('pay.ts');
    const [, line = ''] = /::t_\w+ (\d+)/.exec(git('notes', '--ref=ai', 'show', 'HEAD')) ?? [];
    await expect(async () => {
      await page.keyboard.press('Control+G');
      await workbench.input.fill(`:${line}`, { timeout: 5_000 });
      await workbench.input.press('Enter', { timeout: 5_000 });
      await expect(workbench.positionItem).toContainText(`Ln ${line},`, { timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
    await workbench.run('Svc: Show Provenance');
    await expect
      .poll(() => workbench.editorText())
      .toContain(`Line ${line} of src/pay.ts is code that was accepted from Svc.`);
    await expect.poll(() => workbench.editorText()).toContain(git('rev-parse', 'HEAD').trim());
    const shown = await workbench.editorText();
    await workbench.shoot('provenance');

    // Signs what is not signed yet.
    await workbench.run('Svc: Verify Audit Log');
    await workbench.heard('The audit log is intact.');
    const find = (under: string, pattern: RegExp): string =>
      join(under, readdirSync(under, { recursive: true, encoding: 'utf8' }).find((one) => pattern.test(one)) ?? '');
    const log = dirname(find(computer.dataDir, /audit[\\/]ledger-.*\.jsonl$/));
    const program = find(extensionsDir, /svc\.svc-coder[^\\/]*[\\/]dist[\\/]verify\.mjs$/);
    const seen = join(folder, 'seen.txt');
    writeFileSync(seen, git('log', '--format=%B'));
    const verify = () =>
      spawnSync(process.execPath, [program, '--seen', seen, '--repository', workspace, log], { encoding: 'utf8' });
    const { status, stdout } = verify();
    expect(stdout).toMatch(/\b[1-9]\d* lines? of accepted code proven, in 1 edit of 1 commit/);
    expect(status, stdout).toBe(3);
    // The question of an auditor, about the same line: the same page as in VS Code, and the key.
    const trusted = join(folder, 'enrolled.txt');
    // The log may have other ledgers, of stories before.
    const [ledger = ''] = /svc-coder\/[0-9a-f]{32}/.exec(shown.replace(/\s+/g, '')) ?? [];
    const keys = [...stdout.matchAll(/^ {2}key {4}(\S+)$/gm)].map(([, each = '']) => each);
    const vkey = keys.find((each) => each.startsWith(`${ledger}+`)) ?? '';
    writeFileSync(trusted, [...keys.map((each) => `log ${each}`), 'quorum none', ''].join('\n'));
    const options = ['explain', '--trusted-keys', trusted, '--repository', workspace];
    const explained = spawnSync(process.execPath, [program, ...options, `src/pay.ts:${line}`, log], {
      encoding: 'utf8',
    });
    expect(explained.status, explained.stdout + explained.stderr).toBe(0);
    const answer = explained.stdout.split('\n');
    expect(answer[0]).toBe(`Line ${line} of src/pay.ts in HEAD is code that was accepted from Svc.`);
    const same = answer.filter((one) =>
      /^(Request|Sent|Asked by|Model|Zero retention|Accepted|Not proven): /.test(one),
    );
    expect(same).toHaveLength(7);
    // The editor wraps its lines.
    for (const one of same) expect(shown.replace(/\s+/g, '')).toContain(one.replace(/\s+/g, ''));
    expect(explained.stdout).toContain(
      `Proven: the line fits these records, which are signed with ${vkey}, which you trust`,
    );
    // A line that somebody moves in the note does not fit.
    const note = git('notes', '--ref=ai', 'show', 'HEAD').replace(/(::t_\w+) [\d,-]+/, '$1 1');
    git('notes', '--ref=ai', 'add', '--force', '--message', note, 'HEAD');
    expect(verify().stdout).toMatch(/Breaks: not-a-note\./);
  });
});
