import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const tidy = [
  'workbench.action.closeAllEditors',
  'workbench.action.closePanel',
  'notifications.clearAll',
  'svc.newChat',
] as const;

/** Keybindings for the setup of stories. Running a command by its title takes far longer. */
export const keybindings = {
  /** Tidies up before the next story. */
  tidy: { key: 'Control+Alt+Shift+1', commands: tidy },
  /** Resets the extension to its initial state. */
  beginAnew: {
    key: 'Control+Alt+Shift+2',
    commands: [{ command: 'svc.purgeLocalData', args: { keys: true, audit: true } }],
  },
  openUserSettings: {
    key: 'Control+Alt+Shift+3',
    commands: ['workbench.action.closeAllEditors', 'workbench.action.openSettingsJson'],
  },
  /** All messages, including those that VS Code has hidden or never showed. */
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
