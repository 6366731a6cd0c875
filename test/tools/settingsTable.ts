// Writes the table of settings into README.md from the table in src/policy/settings.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { type SettingSpec, settingKeys, settings } from '../../src/policy/settings.ts';

const begin = '<!-- settings: made by npm run docs -->';
const end = '<!-- /settings -->';

/** README.md with the expected table. */
export function withSettingsTable(readme: string, nls: Readonly<Record<string, string>>): string {
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md has no place for the table: ${begin} … ${end}`);
  const rows = settingKeys.map((key) => {
    const spec: SettingSpec = settings[key];
    const words = (nls[`${key}.description`] ?? '').replace(/`#(.+?)#`/g, '`$1`');
    return `| \`${key}\` | \`${JSON.stringify(spec.default)}\` | ${spec.scope} | ${words} |`;
  });
  const table = ['| setting | default | scope | what it does |', '|---|---|---|---|', ...rows].join('\n');
  return `${readme.slice(0, from)}${begin}\n${table}\n${readme.slice(to)}`;
}

if (import.meta.main) {
  const nls = JSON.parse(readFileSync('package.nls.json', 'utf8'));
  writeFileSync('README.md', withSettingsTable(readFileSync('README.md', 'utf8'), nls));
}
