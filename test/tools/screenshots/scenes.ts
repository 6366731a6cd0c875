import { expect, type Locator } from '@playwright/test';
import { BuiltInChat } from '../../e2e/builtInChat.ts';
import type { ChatPanel } from '../../e2e/chatPanel.ts';
import { Walkthrough } from '../../e2e/walkthrough.ts';
import type { Workbench } from '../../e2e/workbench.ts';
import type { LocalService } from '../../service/service.ts';
import { features } from './features.ts';

export interface Scene {
  readonly workbench: Workbench;
  readonly chat: ChatPanel;
  readonly service: LocalService;
  readonly inTheme: (theme: string) => Promise<void>;
  /** Takes a picture of the whole window, without notifications. */
  readonly shoot: (name: string) => Promise<void>;
  /** Takes a picture of a part, at most 640 by 360 px: its beginning, or its end. */
  readonly shootPart: (name: string, part: Locator, which?: 'end') => Promise<void>;
  readonly workspace: string;
  readonly dataDir: string;
  /** A temporary folder. */
  readonly folder: string;
}

const dark = 'Default Dark Modern';
const light = 'Default Light Modern';
// Assembled here, so that secret scanners find nothing in this file.
const secret = ['svc_', 'ent_', 'live0123456789abcdefghij'].join('');

/** The scenes in this order, in one window: each starts where the previous one ended. */
export const scenes: readonly ((scene: Scene) => Promise<void>)[] = [
  explain,
  context,
  generate,
  masked,
  review,
  firstSteps,
  inBuiltInChat,
  audit,
  ...features,
];

/** An explanation beside the code, with a receipt of what was confirmed. */
async function explain({ workbench, chat, inTheme, shoot }: Scene): Promise<void> {
  await workbench.openFile('card.ts');
  await workbench.page.locator('.editor-instance:visible .view-lines').first().click();
  await workbench.run('Svc: Explain Code');
  await chat.becomes('complete');
  await expect(chat.receipt).toHaveAttribute('data-verdict', 'confirmed');
  await shoot('chat-dark');
  await chat.receipt.locator('summary').click();
  await shoot('receipt');
  await inTheme(light);
  await chat.open();
  await chat.becomes('complete');
  await shoot('chat-light');
  await inTheme(dark);
}

/** The possible attachments of a question, and the selected ones. */
async function context({ workbench, chat, shoot }: Scene): Promise<void> {
  await workbench.run('Notifications: Clear All Notifications');
  await workbench.run('Svc: New Chat');
  await expect(chat.turns).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
  await chat.composer.fill('Are the bookings balanced? ');
  await chat.composer.press('End');
  await workbench.page.keyboard.type('@file:led');
  await expect(chat.completions).toHaveText([/ledger\.py/]);
  await workbench.page.keyboard.press('Enter');
  await expect(chat.chips).toContainText('ledger.py');
  await workbench.page.keyboard.type('@');
  await expect(chat.completions.first()).toBeVisible();
  await shoot('context');
  await workbench.page.keyboard.press('Escape');
  await chat.composer.fill('');
  await chat.chips.getByRole('button').click();
  await expect(chat.chips).toHaveCount(0);
}

/** Generated code in VS Code's own diff until it is accepted. */
async function generate({ workbench, shoot, shootPart }: Scene): Promise<void> {
  await workbench.openFile('card.ts');
  await workbench.page.locator('.editor-instance:visible .view-lines').first().click();
  await workbench.page.keyboard.press('Control+End');
  await workbench.run('Svc: Generate Code…');
  await workbench.answer('a function luhn that checks a card number with the Luhn algorithm');
  await workbench.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  await shoot('generate');
  await shootPart('feature-changes', workbench.page.locator('.monaco-diff-editor'), 'end');
  await workbench.page.getByRole('button', { name: 'Reject All' }).click();
  await expect(workbench.page.locator('.tab.active')).not.toContainText('Changes to');
}

/** A secret is found before anything is sent. */
async function masked({ workbench, chat, shoot, shootPart }: Scene): Promise<void> {
  await workbench.page.locator('.editor-instance:visible .view-lines').first().click();
  await workbench.page.keyboard.press('Control+Home');
  await chat.newChat();
  await chat.ask(`Why is this key refused?\n${secret}`);
  await chat.becomes('confirming');
  await shoot('masked');
  await shootPart('feature-masked', chat.confirmation);
  await chat.confirmationButton('cancel-send').click();
  await chat.becomes('stopped');
}

/** The findings of a review, each with its rule, in the Problems panel and in the editor. */
async function review({ workbench, shoot }: Scene): Promise<void> {
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await workbench.openFile('charge.ts');
  await workbench.run('Svc: Review File for Compliance');
  await expect(workbench.reviewItem).toContainText('Review complete');
  await workbench.problemsItem.click();
  await expect(workbench.page.locator('.markers-panel')).toContainText('pci-');
  await shoot('review');
  await workbench.run('Svc: Clear Compliance Findings');
  await workbench.run('View: Toggle Panel Visibility');
}

/** The walkthrough, with the steps completed so far. */
async function firstSteps({ workbench, shoot }: Scene): Promise<void> {
  const walkthrough = new Walkthrough(workbench);
  await walkthrough.open();
  await walkthrough.step('change').click();
  await walkthrough.expectTicked('connect', 'ask');
  await shoot('first-steps');
  await workbench.run('View: Close All Editors');
}

/** A Svc model answers in VS Code's own chat, signed out. */
async function inBuiltInChat({ workbench, shoot }: Scene): Promise<void> {
  const builtIn = new BuiltInChat(workbench);
  await builtIn.enable();
  await builtIn.open();
  await builtIn.showSteps();
  await builtIn.chooseUtilityModels('svc/auto');
  await workbench.page.keyboard.press('Escape');
  await expect(builtIn.utilityHint).toBeHidden();
  await builtIn.ask('Write a function isPrime in TypeScript');
  await expect(builtIn.answers.last()).toContainText('isPrime', { timeout: 60_000 });
  await shoot('built-in-chat');
}

/** The charts of the audit log, after a day with an error in it. */
async function audit({ workbench, chat, service, shoot }: Scene): Promise<void> {
  for (const question of ['Hello', 'Write isPrime in Python', 'Explain a mutex', 'Name three sorting algorithms']) {
    await chat.newChat();
    await chat.ask(question);
    await chat.becomes('complete');
  }
  service.setScenario('forbidden');
  await chat.newChat();
  await chat.ask('And this?');
  await chat.becomes('failed');
  service.setScenario('normal');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await workbench.run('View: Toggle Primary Side Bar Visibility');
  await workbench.run('Svc: Open Audit Log');
  const page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await page.getByTestId('verify').click();
  await expect(page.getByTestId('verdict')).toContainText('intact');
  await shoot('audit');
}
