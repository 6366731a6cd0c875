import * as vscode from 'vscode';

/** A question that the user had to answer before anything went on. */
export interface AskedInModal {
  readonly message: string;
  /** What stands below it; empty where nothing does. */
  readonly detail: string;
  readonly buttons: readonly string[];
}

/**
 * Answers modal questions as a user who presses this button, or Escape where there is none, and gives what was asked. VS Code
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

/** The errors that are shown in notifications while `work` is done. Nobody presses their buttons. */
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

/** Chooses this file in each dialog that asks where to save. */
export function savingAs(file: vscode.Uri, work: () => PromiseLike<unknown>): Promise<void> {
  return replacing('showSaveDialog', async () => file, work);
}

/** An item of the status bar as it was left. */
export interface ShownItem {
  readonly id: string;
  readonly text: string;
  readonly label: string;
  readonly command: unknown;
  readonly isShown: boolean;
}

/** The items of the status bar that come while `work` is done: VS Code shows them to nobody else. */
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

/** Has the extension call something else in place of a function of `vscode.window` while `work` is done. */
async function replacing(
  name: keyof typeof vscode.window,
  fake: (...args: never[]) => unknown,
  work: () => PromiseLike<unknown>,
): Promise<void> {
  // What is loaded as a module of the newer kind has an API object of its own in VS Code 1.110.
  const windows = new Set([vscode.window, (await import('vscode')).window]);
  const before = [...windows].map((window) => ({ window, real: window[name] }));
  for (const { window } of before) Object.assign(window, { [name]: fake });
  try {
    await work();
  } finally {
    for (const { window, real } of before) Object.assign(window, { [name]: real });
  }
}
