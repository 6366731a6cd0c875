import * as vscode from 'vscode';
import { withProperty } from './dialogs.ts';

/** Something that a command says or asks. */
export interface Effect {
  readonly kind: 'message' | 'question';
  /** The text of a message, or the title of a question. */
  readonly text: string;
}

const messages = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;
const questions = ['showQuickPick', 'showInputBox', 'showSaveDialog', 'showOpenDialog'] as const;
const lists = ['createQuickPick', 'createInputBox'] as const;

/** What `work` says and asks. Questions are answered as by a user who presses Escape. */
export async function effectsOf(work: () => PromiseLike<unknown>): Promise<readonly Effect[]> {
  const effects: Effect[] = [];
  const note = (kind: Effect['kind'], text: unknown): void => void effects.push({ kind, text: String(text) });
  await within(
    [
      ...messages.map((name) => [name, async (text: unknown) => note('message', text)] as const),
      ...questions.map(
        (name) => [name, async (...given: readonly unknown[]) => note('question', titleIn(given))] as const,
      ),
      ...lists.map((name) => [name, () => dismissed((title) => note('question', title))] as const),
    ],
    work,
  );
  return effects;
}

/** A list or an input box that the user closes as soon as it is shown. */
function dismissed(shown: (title: string) => void): object {
  const hidden = new vscode.EventEmitter<void>();
  const input = {
    ...{ title: '', value: '', items: [], activeItems: [], selectedItems: [], buttons: [] },
    onDidHide: hidden.event,
    show: () => {
      shown(input.title);
      setImmediate(() => hidden.fire());
    },
    hide: () => hidden.fire(),
    dispose: () => undefined,
  };
  const never = (): vscode.Disposable => new vscode.Disposable(() => undefined);
  return new Proxy(input, {
    get: (target, key) =>
      key in target ? Reflect.get(target, key) : String(key).startsWith('onDid') ? never : undefined,
  });
}

function titleIn(given: readonly unknown[]): unknown {
  const options = given.find((part) => typeof part === 'object' && part !== null && 'title' in part);
  return (options as { readonly title?: unknown } | undefined)?.title ?? '';
}

/** Replaces functions of `vscode.window` while `work` runs. */
function within(
  fakes: readonly (readonly [name: string, fake: unknown])[],
  work: () => PromiseLike<unknown>,
): PromiseLike<unknown> {
  const [first, ...others] = fakes;
  if (first === undefined) return work();
  const [name, value] = first;
  const fake = { configurable: true, writable: true, value };
  return withProperty(
    ({ window }) => window,
    name,
    fake,
    () => within(others, work),
  );
}
