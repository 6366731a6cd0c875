import { readFileSync, writeFileSync } from 'node:fs';

/**
 * The page with `text` between the markers of a generated part: `<!-- NAME: made by npm run docs -->` and
 * `<!-- /NAME -->`.
 */
export function withGeneratedPart(page: string, name: string, text: string): string {
  const begin = `<!-- ${name}: made by npm run docs -->`;
  const end = `<!-- /${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no place for the generated part: ${begin} … ${end}`);
  return `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`;
}

/** Rewrites a page of the documentation. */
export function updatePage(path: string, update: (page: string) => string): void {
  writeFileSync(path, update(readFileSync(path, 'utf8')));
}

export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}
