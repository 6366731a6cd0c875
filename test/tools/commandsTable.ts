// Writes the tables of commands into docs/commands.md and README.md from package.json.
import { readFileSync } from 'node:fs';
import { tableOf, updatePage, withGeneratedPart } from './generatedPart.ts';

export const commandsPage = 'docs/commands.md';
export const readmePage = 'README.md';

/** The commands in README.md, with what each does. */
const mainCommands: Readonly<Record<string, string>> = {
  'svc.openChat': 'shows the Svc panel',
  'svc.attach': 'adds the file or the selection to your question',
  'svc.editCode': 'changes the code at the cursor as you describe',
  'svc.acceptHunk': 'accepts one change of a proposal',
  'svc.acceptProposal': 'accepts all changes of a proposal',
  'svc.previewRequest': 'shows the next request before it is sent',
};

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
}

/** The parts of package.json that the tables show. */
export interface CommandsManifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly Keybinding[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  };
}

type Nls = Readonly<Record<string, string>>;

/** docs/commands.md with all commands of the palette. */
export function withCommandsTable(page: string, manifest: CommandsManifest, nls: Nls): string {
  const { commands, menus } = manifest.contributes;
  const isHidden = (id: string): boolean =>
    menus.commandPalette.some(({ command, when }) => command === id && when === 'false');
  const listed = commands.filter(({ command }) => !isHidden(command));
  const rows = listed.map(({ command }) => [
    titleOf(command, manifest, nls),
    keysOf(command, manifest),
    `\`${command}\``,
  ]);
  return withGeneratedPart(page, 'commands', tableOf(['Command', 'Default key', 'ID'], rows));
}

/** README.md with the main commands. */
export function withMainCommands(page: string, manifest: CommandsManifest, nls: Nls): string {
  const rows = Object.entries(mainCommands).map(([command, does]) => [
    titleOf(command, manifest, nls),
    keysOf(command, manifest),
    does,
  ]);
  return withGeneratedPart(page, 'main-commands', tableOf(['Command', 'Default key', 'What it does'], rows));
}

function titleOf(command: string, { contributes }: CommandsManifest, nls: Nls): string {
  const found = contributes.commands.find((one) => one.command === command);
  const title = nls[found?.title.slice(1, -1) ?? ''];
  if (title === undefined) throw new Error(`package.json has no title for ${command}.`);
  return title;
}

/** The default keys for people, such as `` `Ctrl+Enter` (macOS: `Cmd+Enter`) ``. */
function keysOf(command: string, { contributes }: CommandsManifest): string {
  const keys = contributes.keybindings.filter((binding) => binding.command === command);
  const shown = keys.map(({ key, mac }) =>
    mac === undefined ? keyName(key) : `${keyName(key)} (macOS: ${keyName(mac)})`,
  );
  return [...new Set(shown)].join(', ');
}

function keyName(key: string): string {
  const chords = key.split(' ').map((chord) =>
    chord
      .split('+')
      .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
      .join('+'),
  );
  return `\`${chords.join(' ')}\``;
}

if (import.meta.main) {
  const manifest: CommandsManifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const nls: Nls = JSON.parse(readFileSync('package.nls.json', 'utf8'));
  updatePage(commandsPage, (page) => withCommandsTable(page, manifest, nls));
  updatePage(readmePage, (page) => withMainCommands(page, manifest, nls));
}
