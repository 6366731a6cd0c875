import { expect, type Locator } from '@playwright/test';
import type { Workbench } from './workbench.ts';

export type Step = 'connect' | 'ask' | 'change' | 'leaves';

/** VS Code's walkthrough page, in the editor. */
export class Walkthrough {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  async open(): Promise<void> {
    await this.#workbench.run('Svc: Show First Steps');
    await this.page.waitFor();
  }

  get page(): Locator {
    return this.#workbench.page.locator('.gettingStartedContainer .gettingStartedSlideDetails');
  }

  step(step: Step): Locator {
    return this.page.locator(`.getting-started-step[data-step-id$="#${step}"]`);
  }

  /** Presses a button of a step, which asks for something. */
  async press(step: Step, name: string): Promise<void> {
    const button = this.page.getByRole('button', { name });
    await this.#workbench.clickUntil(this.step(step), button);
    await this.#workbench.clickUntil(button, this.#workbench.input);
  }

  /** Expects exactly these steps to be ticked, by title. */
  async expectTicked(...steps: readonly Step[]): Promise<void> {
    const ticked = this.page.locator('[data-done-step-id][aria-checked="true"]');
    const ids = (): Promise<(string | undefined)[]> =>
      ticked.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('data-done-step-id')?.split('#').at(-1)));
    await this.page.waitFor();
    await expect.poll(ids).toEqual(steps);
  }
}
