import * as vscode from 'vscode';

/** A question that the user had to answer before anything went on. */
export interface AskedInModal {
  readonly message: string;
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
  const before = vscode.window.showWarningMessage;
  const answer = async (message: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
    const [options] = rest;
    if (typeof options !== 'object' || options === null || !('modal' in options)) return undefined;
    const buttons = rest.filter((each) => typeof each === 'string');
    asked.push({ message, buttons });
    return buttons.find((each) => each === button);
  };
  Object.assign(vscode.window, { showWarningMessage: answer });
  try {
    await work();
  } finally {
    Object.assign(vscode.window, { showWarningMessage: before });
  }
  return asked;
}
