import { withProperty } from '../../../integration/suite/dialogs.ts';
import type { Question } from './jobs.ts';

/** What the user saw while something ran. */
export interface Seen {
  readonly questions: Question[];
  readonly messages: string[];
  /** Messages that something was not done; they are not in `messages`. */
  readonly errors: string[];
}

/** Presses the button with this index in every question, or Escape if it has none; messages stay as they are. */
export async function pressing(index: number, work: (seen: Seen) => PromiseLike<unknown>): Promise<Seen> {
  const seen: Seen = { questions: [], messages: [], errors: [] };
  const show = async (message: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
    const isModal = rest.some((one) => typeof one === 'object' && one !== null && 'modal' in one);
    if (!isModal) return void seen.messages.push(message);
    const buttons = rest.filter((one) => typeof one === 'string');
    seen.questions.push({ message, buttons });
    return buttons[index];
  };
  const pick = async (items: readonly { readonly label: string }[]): Promise<unknown> => {
    seen.questions.push({ message: 'quick pick', buttons: items.map(({ label }) => label) });
    return items[index];
  };
  const fakes = {
    showWarningMessage: show,
    showInformationMessage: show,
    showErrorMessage: async (message: string) => void seen.errors.push(message),
    showQuickPick: pick,
  };
  let inner = (): PromiseLike<unknown> => work(seen);
  for (const [name, value] of Object.entries(fakes)) {
    const within = inner;
    const fake = { configurable: true, writable: true, value };
    inner = () => withProperty(({ window }) => window, name, fake, within);
  }
  await inner();
  return seen;
}
