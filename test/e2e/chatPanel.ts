import { expect, type FrameLocator, type Locator } from '@playwright/test';
import type { Workbench } from './workbench.ts';

/** The states of a turn that nothing follows by itself. */
const ended = ['complete', 'stopped', 'failed', 'interrupted'];

/** The panel in the secondary side bar. */
export class ChatPanel {
  readonly #workbench: Workbench;
  /** The turns whose end the story has seen, with how they ended. */
  readonly #seen = new Map<string, string>();

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  async open(): Promise<void> {
    await this.leaveComposer();
    await this.#workbench.run('Svc: Open Chat');
    // Text that is typed earlier goes to the element that has the focus then.
    await expect(this.composer).toBeFocused();
  }

  /** Begins a conversation, and waits for the focus as open() does. */
  async newChat(): Promise<void> {
    await this.leaveComposer();
    await this.#workbench.run('Svc: New Chat');
    await expect(this.turns).toHaveCount(0);
    await expect(this.composer).toBeFocused();
  }

  /**
   * Takes the focus from the composer, before a command that moves it there: when the list of commands closes, VS Code
   * returns the focus to where it was, and the command's own focus, which comes later, would close the next list.
   */
  async leaveComposer(): Promise<void> {
    // The panel may not be there.
    await this.composer
      .evaluateAll((found) => {
        for (const area of found) area.blur();
      })
      .catch(() => undefined);
  }

  get frame(): FrameLocator {
    return this.#workbench.viewPage;
  }

  get composer(): Locator {
    return this.#part('composer');
  }

  get send(): Locator {
    return this.#part('send');
  }

  get stop(): Locator {
    return this.#part('stop');
  }

  get model(): Locator {
    return this.#part('model');
  }

  /** The mode of the next question; opens the list of modes. */
  get mode(): Locator {
    return this.#part('mode');
  }

  /** The question that the panel suggests next. */
  nextStep(id: 'carry-out' | 'go-on'): Locator {
    return this.#part(id);
  }

  /** How much of what the model reads the next request takes. */
  get meter(): Locator {
    return this.#part('meter');
  }

  get posture(): Locator {
    return this.#part('posture');
  }

  get notice(): Locator {
    return this.#part('notice');
  }

  /** The messages beside the conversation. */
  get messages(): Locator {
    return this.#part('message');
  }

  get turns(): Locator {
    return this.#part('turn');
  }

  get answers(): Locator {
    return this.#part('answer');
  }

  /** Blocks of code in answers. */
  get code(): Locator {
    return this.#part('code-block');
  }

  get cards(): Locator {
    return this.turns.last().getByTestId('card');
  }

  /** The line of a turn that waits for its first text. */
  get waiting(): Locator {
    return this.turns.last().getByTestId('waiting');
  }

  get confirmation(): Locator {
    return this.turns.last().getByTestId('confirmation');
  }

  get receipt(): Locator {
    return this.turns.last().getByTestId('receipt');
  }

  confirmationButton(id: 'send-masked' | 'send-as-is' | 'cancel-send'): Locator {
    return this.confirmation.getByTestId(id);
  }

  /** Tool calls of the last turn, in any state or in one. */
  steps(state?: string): Locator {
    const steps = this.turns.last().getByTestId('step');
    return state === undefined ? steps : steps.and(this.frame.locator(`[data-state="${state}"]`));
  }

  toolButton(id: 'allow-once' | 'allow-conversation' | 'deny'): Locator {
    return this.steps('asking').getByTestId(id);
  }

  /** The announcements for screen readers. */
  get said(): Locator {
    return this.frame.getByRole('status');
  }

  get chips(): Locator {
    return this.#part('chip');
  }

  /** The current file, while it is not sent. */
  get offeredChip(): Locator {
    return this.#part('offered-chip');
  }

  /** Long texts that were pasted as attachments. */
  get pasted(): Locator {
    return this.#part('pasted');
  }

  /** The questions that an empty panel offers. */
  get starters(): Locator {
    return this.#part('starter');
  }

  /** What they send, or how to get some. */
  get startersHint(): Locator {
    return this.#part('starters-hint');
  }

  /** The popup of the composer. */
  get completions(): Locator {
    return this.#part('completion');
  }

  get attachmentProblem(): Locator {
    return this.#part('attachment-problem');
  }

  get dropHint(): Locator {
    return this.#part('drop-hint');
  }

  get composerBox(): Locator {
    return this.#part('composer-box');
  }

  /** Why the last message was not accepted. */
  get refusal(): Locator {
    return this.frame.locator('.composer-error');
  }

  get selectedCompletion(): Locator {
    return this.frame.locator('[data-testid="completion"][aria-selected="true"]');
  }

  /** The number of tools; opens their list. */
  get tools(): Locator {
    return this.#part('tools');
  }

  get attach(): Locator {
    return this.#part('attach');
  }

  /** Adds what the list of context offers under a name, with the mouse. */
  async addContext(name: string): Promise<void> {
    const item = this.completions.filter({ hasText: name }).first();
    // The list of files may be some seconds old.
    await expect(async () => {
      if (await this.completions.first().isVisible()) await this.composer.press('Escape');
      await this.attach.click();
      await item.waitFor({ timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
    await item.click();
  }

  /**
   * Types a word until the popup offers these items: its list of files may be some seconds old, and is asked for at each
   * key press.
   */
  async query(word: string, items: readonly RegExp[]): Promise<void> {
    let isTyped = false;
    await expect(async () => {
      if (isTyped) for (const _ of word) await this.composer.press('Backspace');
      isTyped = true;
      await this.composer.pressSequentially(word);
      await expect(this.completions).toHaveText(items, { timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  }

  /** The text of the question that is being edited. */
  get editor(): Locator {
    return this.#part('edit-text');
  }

  get editChips(): Locator {
    return this.#part('edit-chip');
  }

  /** The switch between the branches of a question. */
  get branches(): Locator {
    return this.#part('branches');
  }

  get retry(): Locator {
    return this.#part('retry');
  }

  action(id: string): Locator {
    return this.frame.locator(`[data-testid="card-action"][data-action="${id}"]`).last();
  }

  /**
   * Simulates a drag from VS Code's explorer over the composer: Playwright's mouse cannot drag into the panel's frame.
   */
  async drag(type: 'dragover' | 'drop', uris: readonly string[]): Promise<void> {
    await this.composerBox.evaluate(
      (box, [kind, list]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('application/vnd.code.uri-list', list);
        box.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
      },
      [type, uris.join('\r\n')] as const,
    );
  }

  /** Sends a question, and waits until the panel has taken it: a turn, a waiting question, or a refusal. */
  async ask(text: string): Promise<void> {
    const count = await this.turns.count();
    const turn = this.turns.nth(count);
    // After a turn has ended the panel is busy for some moments more: the question would wait.
    const { id, status } = await this.#last();
    if (ended.includes(status)) {
      this.#seen.set(id, status);
      await expect(this.send).toBeVisible();
    }
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await expect(turn.or(this.#part('waiting-question')).or(this.refusal).first()).toBeAttached();
  }

  /**
   * Waits until the last turn gets into this state. An end that the story has seen before is ignored: a click or a question may
   * not have begun its turn yet.
   */
  async becomes(status: string): Promise<void> {
    let id = '';
    const state = async (): Promise<string> => {
      const last = await this.#last();
      ({ id } = last);
      return this.#seen.get(id) === last.status ? `${last.status}, as before` : last.status;
    };
    await expect.poll(state).toBe(status);
    if (ended.includes(status)) this.#seen.set(id, status);
  }

  /** Waits until the last turn is shown in this state, also in a page that is created again. */
  async shows(status: string): Promise<void> {
    await expect(this.turns.last()).toHaveAttribute('data-status', status);
  }

  /** The last turn, read at one moment. While the page is not there, it has none. */
  #last(): Promise<{ readonly id: string; readonly status: string }> {
    return this.turns
      .evaluateAll((found) => {
        const { turn: id = '', status = 'none' } = (found.at(-1) as HTMLElement | undefined)?.dataset ?? {};
        return { id, status };
      })
      .catch(() => ({ id: '', status: 'none' }));
  }

  #part(id: string): Locator {
    return this.frame.getByTestId(id);
  }
}
