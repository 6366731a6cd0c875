import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from '@playwright/test';
import type { Scene } from './scenes.ts';

/** The small pictures of README.md that no other scene takes, in this order. */
export const features: readonly ((scene: Scene) => Promise<void>)[] = [excluded, inline, verified];

/** Pasted text of an excluded file is recognized. */
async function excluded({ chat, workspace, shootPart }: Scene): Promise<void> {
  mkdirSync(join(workspace, 'config'));
  writeFileSync(
    join(workspace, 'config', '.env'),
    'SHOP_STOCK=ninety crates of apples stand beside the ramp\nSHOP_KEEPER=the keeper of the ramp is away on Mondays\n',
  );
  await chat.newChat();
  await chat.ask('Why is this wrong?\n\nSHOP_STOCK=ninety crates of apples stand beside the ramp');
  await chat.becomes('confirming');
  await expect(chat.confirmation).toContainText('config/.env');
  await shootPart('feature-excluded', chat.confirmation);
  await chat.confirmationButton('cancel-send').click();
  await chat.becomes('stopped');
}

/** A suggestion of the service at the cursor. */
async function inline({ workbench, shootPart }: Scene): Promise<void> {
  const { page } = workbench;
  await workbench.openFile('charge.ts');
  // The command would take the focus, and the suggestion with it.
  await workbench.run('Notifications: Clear All Notifications');
  await page.locator('.editor-instance:visible .view-lines').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('export function factorial');
  await page.locator('.editor-instance .ghost-text-decoration, .ghost-text').first().waitFor();
  await shootPart('feature-inline', page.locator('.editor-instance:visible').first());
  await page.keyboard.press('Escape');
  await workbench.run('View: Revert and Close Editor');
}

/** The program of an auditor, in a terminal, on a copy of the log. */
async function verified({ workbench, dataDir, folder, shootPart }: Scene): Promise<void> {
  const { page } = workbench;
  // The panel is a webview, too.
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await workbench.run('Svc: Open Audit Log');
  const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  // Signs what is not signed yet.
  await frame.getByTestId('verify').click();
  await expect(frame.getByTestId('verdict')).toContainText('intact');
  const evidence = join(folder, 'evidence');
  cpSync(join(dataDir, 'User/globalStorage/svc.svc-coder/audit'), join(evidence, 'audit'), { recursive: true });
  cpSync(resolve('dist/verify.mjs'), join(evidence, 'verify.mjs'));
  const { ledgers } = JSON.parse(jsonOf(evidence)) as { readonly ledgers: readonly { readonly vkey: string }[] };
  writeFileSync(join(evidence, 'trusted-keys.txt'), `log ${ledgers[0]?.vkey}\nquorum none\n`);
  await workbench.run('Terminal: Create New Terminal in Editor Area');
  const terminal = page.locator('.terminal-wrapper').filter({ visible: true }).first();
  const rows = terminal.locator('.xterm-rows').first();
  await workbench.clickUntil(terminal, terminal.locator('.xterm-rows.xterm-focus'));
  await page.keyboard.type(`cd ${evidence}; PS1='% '; clear\n`);
  await expect(rows).toHaveText(/^\s*%\s*$/);
  await page.keyboard.type('node verify.mjs --trusted-keys trusted-keys.txt audit\n');
  await expect(rows).toContainText('INTACT');
  await expect(rows).toContainText('sessions');
  await shootPart('feature-verify', terminal);
}

/** With exit code 3, because no key is trusted yet. */
function jsonOf(evidence: string): string {
  try {
    return execFileSync(process.execPath, ['verify.mjs', '--json', 'audit'], { cwd: evidence, encoding: 'latin1' });
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}
