import type * as vscode from 'vscode';

/** Invisible characters: bidirectional controls, and control characters except tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** U+2060 WORD JOINER, which is invisible. Between two characters, it prevents VS Code from parsing an icon or a link. */
const joiner = '\u2060';

/**
 * Escapes text of a service, a workspace or a user, so that VS Code shows it literally in a list, a message, the status
 * bar or a code lens. There `$(name)` would be an icon, `[text](command:…)` a link that runs a command, and a
 * bidirectional character would reorder the text beside it. Code that shows such text must call this function, or
 * showInformation() and its variants.
 */
export function asText(text: string): string {
  return text
    .replace(/([$\]])(?=\()/g, `$1${joiner}`)
    .replace(invisible, (each) => `[U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
}

/** Returns the item of an otherwise empty list: what the user can do, and why the list is empty. */
export function nothingItem(icon: string, label: string, why: string): vscode.QuickPickItem {
  return { label: `$(${icon}) ${label}`, detail: asText(why), alwaysShow: true };
}
