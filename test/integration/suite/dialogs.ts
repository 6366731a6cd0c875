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
  // What is loaded as a module of the newer kind has an API object of its own in VS Code 1.110.
  const windows = new Set([vscode.window, (await import('vscode')).window]);
  const before = [...windows].map((window) => ({ window, showWarningMessage: window.showWarningMessage }));
  for (const { window } of before) Object.assign(window, { showWarningMessage: answer });
  try {
    await work();
  } finally {
    for (const { window, showWarningMessage } of before) Object.assign(window, { showWarningMessage });
  }
  return asked;
}
