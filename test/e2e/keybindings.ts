import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const tidy = [
  'workbench.action.closeAllEditors',
  'workbench.action.closePanel',
  'notifications.clearAll',
  'svc.newChat',
] as const;

/** Keys of the user whom a story is about, for what no story is about. By its title a command takes far longer. */
export const keybindings = {
  /** As a person tidies up before the next task. */
  tidy: { key: 'Control+Alt+Shift+1', commands: tidy },
  /** As if nothing had ever been stored or asked. */
  beginAnew: {
    key: 'Control+Alt+Shift+2',
    commands: [{ command: 'svc.purgeLocalData', args: { keys: true, audit: true } }, ...tidy],
  },
  openUserSettings: {
    key: 'Control+Alt+Shift+3',
    commands: ['workbench.action.closeAllEditors', 'workbench.action.openSettingsJson'],
  },
  /** All messages, those too that VS Code shows no longer or never showed by themselves. */
  showMessages: { key: 'Control+Alt+Shift+4', commands: ['notifications.showList'] },
} as const;

export function writeKeybindings(dataDir: string): void {
  mkdirSync(join(dataDir, 'User'), { recursive: true });
  const list = Object.values(keybindings).map(({ key, commands }) => ({
    key: key.toLowerCase().replace('control', 'ctrl'),
    command: 'runCommands',
    args: { commands },
  }));
  writeFileSync(join(dataDir, 'User', 'keybindings.json'), JSON.stringify(list));
}
