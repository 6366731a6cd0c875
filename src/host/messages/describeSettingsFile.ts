import * as vscode from 'vscode';
import { withoutKeys } from '../../policy/files/keyInSettings.ts';
import type { SettingsFileProblem } from '../../policy/files/settingsFile.ts';

const t = vscode.l10n.t;

/** What is wrong in a settings file, at which line, and how to fix it, in two sentences. */
export function describeSettingsFile({ file, line, ...problem }: SettingsFileProblem): string {
  return `${t('{0}, line {1}: {2}.', file, line, reasonOf(problem))} ${t('VS Code leaves out what it cannot read, and that may ask for more. Correct the file.')}`;
}

function reasonOf({ reason, key: named = '', detail = '' }: Omit<SettingsFileProblem, 'file' | 'line'>): string {
  const key = withoutKeys(named);
  switch (reason) {
    case 'syntax':
      return t('it is not JSON there ({0})', detail);
    case 'merge-conflict':
      return t('a merge conflict is not resolved');
    case 'not-an-object':
      return key === '' ? t('settings have to be an object, {…}') : t('{0} has to be an object, {…}', key);
    case 'duplicate':
      return t('{0} is there twice, or once within the other', key);
    case 'dotted':
      return t('{0} has a dot in a name within an object', key);
    case 'per-language':
      return t('{0} cannot be set for a language', key);
    case 'outside-settings':
      return t('{0} has to be within "settings"', key);
    case 'too-large':
      return t('it is too large to be read');
    case 'not-taken':
      return t('{0} is there, and VS Code has not taken it', key);
    case 'unreadable':
      return t('it is there and cannot be read ({0})', detail);
  }
}
