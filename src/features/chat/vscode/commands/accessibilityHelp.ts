import * as vscode from 'vscode';
import type { ReadOnlyDocuments } from '../../../../platform/confirm/readOnlyDocument.ts';

const t = vscode.l10n.t;

/** The parts of our package.json that the help lists; VS Code has already inserted the translated texts. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category?: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac?: string }[];
  };
}

/** Opens the accessibility help as a read-only page, which a screen reader reads line by line. */
export async function showAccessibilityHelp({
  documents,
  context,
}: {
  readonly documents: ReadOnlyDocuments;
  readonly context: vscode.ExtensionContext;
}) {
  const { commands, keybindings }: Manifest['contributes'] = context.extension.packageJSON.contributes;
  const keys = keybindings.flatMap(({ command, key, mac }) => {
    const title = commands.find((one) => one.command === command)?.title;
    if (title === undefined) return [];
    return [mac === undefined ? `${keyName(key)}: ${title}` : `${keyName(key)} (macOS: ${keyName(mac)}): ${title}`];
  });
  const parts: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    [t('In the composer'), composerLines()],
    [t('In the conversation'), conversationLines()],
    [t('What a screen reader announces'), announcementLines()],
    [
      t('Keys of commands'),
      [...keys, t('The list shows the defaults. Keyboard Shortcuts shows and changes them all.')],
    ],
  ];
  const text = parts.map(([heading, lines]) => [heading, ...lines.map((line) => `  ${line}`), ''].join('\n'));
  await documents.show(`${t('Svc Accessibility Help')}.txt`, text.join('\n'));
  return { ok: true } as const;
}

/** The name of a key for display, for example `Ctrl+K J` for `ctrl+k j`. */
function keyName(key: string): string {
  return key.replace(/[a-z0-9]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function composerLines(): readonly string[] {
  return [
    t('Enter: sends the question. Shift+Enter: a new line.'),
    t('Up and Down, in the first and the last line: the questions that you sent before.'),
    t('@: adds context. /: lists commands. In the list, Up and Down move, Enter selects, and Esc closes.'),
    t('Tab: moves to context, mode, model, size, compliance settings, tools, preview, and Send.'),
    t('Esc: stops the answer.'),
  ];
}

function conversationLines(): readonly string[] {
  return [
    t('Alt+PageUp and Alt+PageDown: the previous answer, and the next one. After the last answer comes the composer.'),
    t(
      'Tab and Shift+Tab: three stops for each turn: the question, the answer, and the line below it with the report of the service.',
    ),
    t(
      'Arrow keys, at one of these stops: the next link or button of this part. From the second one on, Tab stops at each of them.',
    ),
    t('In a code block or table that can be scrolled, the arrow keys scroll.'),
    t('A question to you, such as a confirmation or a tool call, has a stop for each of its buttons.'),
    t(
      'In the list of proposed changes, Up and Down go to the same button of the file above or below; Tab passes the other files.',
    ),
    t('Ctrl+F (macOS: Cmd+F): finds text in the conversation.'),
    t('Alt+F1: this help. Close its tab to go back.'),
  ];
}

function announcementLines(): readonly string[] {
  return [
    t('That a question was sent, waits, or was not sent.'),
    t(
      'That an answer has started and is complete, with the number of its code blocks; its text only where you go to it.',
    ),
    t('A header for which the service reports different settings, with what you asked for.'),
    t('Errors, confirmations, and tool calls that wait for you.'),
    t('That changes to files are proposed, when the answer is complete, and what became of them.'),
  ];
}
