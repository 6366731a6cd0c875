// Writes the table of settings into docs/settings.md from the table in src/policy/settings.ts.
import { readFileSync } from 'node:fs';
import { type SettingSpec, settingKeys, settings } from '../../src/policy/settings.ts';
import { tableOf, updatePage, withGeneratedPart } from './generatedPart.ts';

export const settingsPage = 'docs/settings.md';

/** The page with the expected table. */
export function withSettingsTable(page: string, nls: Readonly<Record<string, string>>): string {
  const rows = settingKeys.map((key) => {
    const spec: SettingSpec = settings[key];
    const words = (nls[`${key}.description`] ?? '').replace(/`#(.+?)#`/g, '`$1`');
    return [`\`${key}\``, `\`${JSON.stringify(spec.default)}\``, spec.scope, words];
  });
  return withGeneratedPart(page, 'settings', tableOf(['Setting', 'Default', 'Scope', 'What it does'], rows));
}

if (import.meta.main) {
  const nls = JSON.parse(readFileSync('package.nls.json', 'utf8'));
  updatePage(settingsPage, (page) => withSettingsTable(page, nls));
}
