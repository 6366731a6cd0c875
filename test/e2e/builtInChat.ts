import { expect, type Locator } from '@playwright/test';
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
    const { page } = this.#workbench;
    await this.showSteps();
    await this.#workbench.choose('Choose which Svc models');
    await this.managed.filter({ hasText: 'svc/enterprise-coder-v1' }).waitFor();
    await expect(async () => {
      await page.keyboard.press('Escape');
      await this.managed.first().waitFor({ state: 'hidden', timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  }

  /** Runs the steps for VS Code's utility models one after the other; the list is open before and after. */
  async chooseUtilityModels(model: string): Promise<void> {
    const { quickPick } = this.#workbench;
    for (const setting of ['chat.utilityModel', 'chat.utilitySmallModel']) {
      const step = `Select a Svc model for ${setting}`;
      await this.#workbench.choose(step);
      await this.#workbench.choose(model);
      // The steps reappear without it.
      await quickPick.filter({ hasText: 'Choose which Svc models' }).waitFor();
      await quickPick.filter({ hasText: step }).waitFor({ state: 'detached' });
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

  /** Stops the answer that is being written. */
  async stop(): Promise<void> {
    await this.#workbench.clickUntil(this.#stop, this.#stop, 'hidden');
  }

  /** Asks once the answer before is complete; until then VS Code would let the question wait. */
  async ask(text: string): Promise<void> {
    const { keyboard } = this.#workbench.page;
    await expect(this.#stop).toHaveCount(0);
    const typed = async (): Promise<string> =>
      (await this.#input.locator('.view-lines').innerText()).replace(/\s+/g, ' ').trim();
    const isTyped = async (): Promise<boolean> =>
      (await typed()).replaceAll(' ', '').includes(text.replaceAll(' ', ''));
    await this.#input.waitFor();
    // In the thread of a participant, VS Code writes its name.
    const before = await typed();
    let all = text;
    await expect(async () => {
      await this.#input.click({ timeout: 5_000 });
      if (all !== text) await keyboard.press('Control+A');
      await keyboard.type(all);
      all = `${before} ${text}`;
      await expect.poll(isTyped, { timeout: 5_000 }).toBe(true);
    }).toPass({ timeout: 120_000 });
    await expect(async () => {
      // Closes the list of commands and files that some input opens.
      await keyboard.press('Escape');
      if (await isTyped()) await keyboard.press('Enter');
      await expect.poll(isTyped, { timeout: 10_000 }).toBe(false);
    }).toPass({ timeout: 120_000 });
  }

  get answers(): Locator {
    return this.#workbench.page.locator('.interactive-response');
  }

  /** The button that VS Code shows during an answer. */
  get #stop(): Locator {
    return this.#workbench.page.locator('.interactive-input-part:visible .codicon-stop-circle').first();
  }

  get #input(): Locator {
    return this.#workbench.page.locator('.interactive-input-part:visible .monaco-editor').first();
  }
}
