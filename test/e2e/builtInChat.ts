import type { Locator } from '@playwright/test';
import type { Workbench } from './workbench.ts';

/** VS Code's own chat, signed out. */
export class BuiltInChat {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Opens the steps of our command. */
  async showSteps(): Promise<void> {
    await this.#workbench.run('Svc: Use Svc Models in VS Code Chat…');
    await this.#workbench.quickPick.filter({ hasText: 'Choose which Svc models' }).waitFor();
  }

  /** Runs our command's first step, which makes the chat work without an account. */
  async enable(): Promise<void> {
    const { page, quickPick } = this.#workbench;
    await this.showSteps();
    await quickPick.filter({ hasText: 'Choose which Svc models' }).click();
    await this.managed.filter({ hasText: 'svc/enterprise-coder-v1' }).waitFor();
    await page.keyboard.press('Escape');
    await this.managed.first().waitFor({ state: 'hidden' });
  }

  /** Runs the steps for VS Code's utility models one after the other; the list is open before and after. */
  async chooseUtilityModels(model: string): Promise<void> {
    const { quickPick } = this.#workbench;
    for (const setting of ['chat.utilityModel', 'chat.utilitySmallModel']) {
      const step = quickPick.filter({ hasText: `Select a Svc model for ${setting}` });
      await step.click();
      await quickPick.filter({ hasText: model }).click();
      // The steps reappear without it.
      await quickPick.filter({ hasText: 'Choose which Svc models' }).waitFor();
      await step.waitFor({ state: 'detached' });
    }
  }

  /** The models in VS Code's model management. */
  get managed(): Locator {
    return this.#workbench.page.locator('.models-widget .models-model-row');
  }

  async open(): Promise<void> {
    await this.#workbench.run('Chat: Open Chat (Agent)');
    await this.#input.waitFor();
    // The agent is in a large built-in extension, which shows this once it is loaded. Earlier questions are never
    // answered.
    await this.utilityHint.waitFor({ timeout: 90_000 });
  }

  /** VS Code's hint that no utility model is set. */
  get utilityHint(): Locator {
    return this.#workbench.page.getByText('Set BYOK utility models').first();
  }

  /** The button that VS Code shows during an answer, and that stops it. */
  async stop(): Promise<void> {
    await this.#workbench.page.locator('.interactive-input-part:visible .codicon-stop-circle').first().click();
  }

  async ask(text: string): Promise<void> {
    const { keyboard } = this.#workbench.page;
    await this.#input.click();
    await keyboard.type(text);
    // Closes the list of commands and files that some input opens.
    await keyboard.press('Escape');
    await keyboard.press('Enter');
  }

  get answers(): Locator {
    return this.#workbench.page.locator('.interactive-response');
  }

  get #input(): Locator {
    return this.#workbench.page.locator('.interactive-input-part:visible .monaco-editor').first();
  }
}
