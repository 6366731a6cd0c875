import * as vscode from 'vscode';

/** A modal prompt that the user had to answer. */
export interface AskedInModal {
  readonly message: string;
  /** The text below the message; empty if there is none. */
  readonly detail: string;
  readonly buttons: readonly string[];
}

/**
 * Answers modal prompts like a user who presses this button, or Escape without one, and returns the prompts. VS Code
 * refuses to show them to a test.
 */
export async function answering(
  button: string | undefined,
  work: () => PromiseLike<unknown>,
): Promise<readonly AskedInModal[]> {
  const asked: AskedInModal[] = [];
  const answer = async (message: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
    const [options] = rest;
    if (typeof options !== 'object' || options === null || !('modal' in options)) return undefined;
    const detail = 'detail' in options ? String(options.detail) : '';
    const buttons = rest.filter((each) => typeof each === 'string');
    asked.push({ message, detail, buttons });
    return buttons.find((each) => each === button);
  };
  await replacing('showWarningMessage', answer, work);
  return asked;
}

/** The error notifications that appear while `work` runs. Their buttons are not pressed. */
export async function errorsShown(
  work: () => PromiseLike<unknown>,
): Promise<readonly { readonly message: string; readonly buttons: readonly string[] }[]> {
  const shown: { readonly message: string; readonly buttons: readonly string[] }[] = [];
  const show = async (message: string, ...buttons: readonly string[]): Promise<undefined> => {
    shown.push({ message, buttons });
  };
  await replacing('showErrorMessage', show, work);
  return shown;
}

/** Chooses this file in each save dialog. */
export function savingAs(file: vscode.Uri, work: () => PromiseLike<unknown>): Promise<void> {
  return replacing('showSaveDialog', async () => file, work);
}

/** The final state of a status bar item. */
export interface ShownItem {
  readonly id: string;
  readonly text: string;
  readonly label: string;
  readonly command: unknown;
  readonly isShown: boolean;
}

/** The status bar items that are created while `work` runs: VS Code does not expose them to tests. */
export async function statusItems(work: () => PromiseLike<unknown>): Promise<readonly ShownItem[]> {
  const made: (vscode.StatusBarItem & { isShown?: boolean })[] = [];
  const make = (id: string): vscode.StatusBarItem => {
    const item: (typeof made)[number] = {
      ...{ id, alignment: vscode.StatusBarAlignment.Right, priority: undefined, name: undefined, text: '' },
      ...{ tooltip: undefined, color: undefined, backgroundColor: undefined, command: undefined },
      accessibilityInformation: undefined,
      show: () => {
        item.isShown = true;
      },
      hide: () => {
        item.isShown = false;
      },
      dispose: () => {
        item.isShown = false;
      },
    };
    made.push(item);
    return item;
  };
  await replacing('createStatusBarItem', make, work);
  return made.map(({ id, text, accessibilityInformation, command, isShown = false }) => ({
    ...{ id, text, label: accessibilityInformation?.label ?? '', command, isShown },
  }));
}

/** Replaces a function of `vscode.window` for the extension while `work` runs. */
async function replacing(
  name: keyof typeof vscode.window,
  fake: (...args: never[]) => unknown,
  work: () => PromiseLike<unknown>,
): Promise<void> {
  // In VS Code 1.110, ES modules have their own API object.
  const windows = new Set([vscode.window, (await import('vscode')).window]);
  const before = [...windows].map((window) => ({ window, real: window[name] }));
  for (const { window } of before) Object.assign(window, { [name]: fake });
  try {
    await work();
  } finally {
    for (const { window, real } of before) Object.assign(window, { [name]: real });
  }
}
