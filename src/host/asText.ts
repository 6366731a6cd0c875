/** What reorders text on the screen, and controls but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Between the two, nobody sees it, and VS Code reads no icon and no link. */
const joiner = '\u2060';

/**
 * Text of a service, a workspace or a user as VS Code is to show it in a list, a message, the status bar or a code lens: as
 * text. There `$(name)` would be an icon, `[text](command:…)` a link that runs a command, and a bidirectional character
 * would turn around what stands beside it. Whoever shows such text calls this, or showInformation() and its like.
 */
export function asText(text: string): string {
  return text
    .replace(/([$\]])(?=\()/g, `$1${joiner}`)
    .replace(unseen, (each) => `[U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
