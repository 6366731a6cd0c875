import * as vscode from 'vscode';
import { withoutKeys } from '../../../policy/files/keyInSettings.ts';
import type { SettingsFileProblem } from '../../../policy/files/settingsFile.ts';

const t = vscode.l10n.t;

/** Describes in two sentences what is wrong in a settings file, at which line, and how to fix it. */
export function describeSettingsFile({ file, line, ...problem }: SettingsFileProblem): string {
  return `${t('{0}, line {1}: {2}.', file, line, reasonOf(problem))} ${t('VS Code skips what it cannot read, which may be a stricter setting. Correct the file.')}`;
}

function reasonOf({ reason, key: named = '', detail = '' }: Omit<SettingsFileProblem, 'file' | 'line'>): string {
  const key = withoutKeys(named);
  switch (reason) {
    case 'syntax':
      return t('the JSON is invalid there ({0})', detail);
    case 'merge-conflict':
      return t('there is an unresolved merge conflict');
    case 'not-an-object':
      return key === '' ? t('settings must be an object, {…}') : t('{0} must be an object, {…}', key);
    case 'duplicate':
      return t('{0} is set twice, or once inside the other', key);
    case 'dotted':
      return t('{0} has a dot in a name inside an object', key);
    case 'per-language':
      return t('{0} cannot be set for a language', key);
    case 'outside-settings':
      return t('{0} must be inside "settings"', key);
    case 'too-large':
      return t('it is too large');
    case 'not-taken':
      return t('VS Code has not applied {0} yet', key);
    case 'unreadable':
      return t('it exists but cannot be read ({0})', detail);
  }
}
