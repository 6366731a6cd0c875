// Writes into docs/secrets.md how many of the examples of each rule the scanner finds.
import { readFileSync, writeFileSync } from 'node:fs';
import { type RuleExamples, readExamples, type Score, type Sheet, scoreOf } from './secretExamples.ts';
import { gaps } from './secretGaps.ts';

export const secretsPage = 'docs/secrets.md';
const begin = '<!-- recall: made by npm run docs -->';
const end = '<!-- /recall -->';

/** The share of a rule's examples that must be found before it is treated as covered. */
export const enough = 0.99;

export interface Recall {
  readonly rule: string;
  readonly examples: number;
  readonly found: number;
  readonly harmless: number;
  readonly flagged: number;
}

export async function measureRecall(): Promise<readonly Recall[]> {
  const rows: Recall[] = [];
  for (const examples of readExamples()) rows.push(await recallOf(examples));
  return rows;
}

async function recallOf({ rule, secrets, harmless }: RuleExamples): Promise<Recall> {
  const examples = await totalOf(secrets);
  const others = await totalOf(harmless);
  return {
    rule,
    examples: examples.values,
    found: examples.found,
    harmless: others.values,
    flagged: others.touched,
  };
}

async function totalOf(sheets: readonly Sheet[]): Promise<Score> {
  let total = { values: 0, found: 0, touched: 0 };
  for (const sheet of sheets) {
    const { values, found, touched } = await scoreOf(sheet);
    total = { values: total.values + values, found: total.found + found, touched: total.touched + touched };
  }
  return total;
}

export const isCovered = ({ examples, found }: Recall): boolean => found >= examples * enough;

/** The page with the current figures. */
export function withRecall(page: string, rows: readonly Recall[]): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${secretsPage} has no place for the figures: ${begin} … ${end}`);
  const covered = rows.filter(isCovered);
  const flagged = rows.filter((row) => row.flagged > 0);
  const text = [
    `**${covered.length} of ${rows.length} rules are covered.** Of their ${sum(covered, 'examples')} examples ${sum(covered, 'found')} are found.`,
    `Of ${sum(rows, 'harmless')} harmless look-alikes of all rules, ${sum(rows, 'flagged')} are masked anyway: placeholders and tokens cut short`,
    `of ${flagged.map(({ rule }) => `\`${rule}\``).join(', ')}.`,
    '',
    '### Covered',
    '',
    '| rule | examples | found | recall | look-alikes | masked |',
    '|---|---:|---:|---:|---:|---:|',
    ...covered.map(
      (row) =>
        `| \`${row.rule}\` | ${row.examples} | ${row.found} | ${percent(row)} | ${row.harmless} | ${row.flagged} |`,
    ),
    '',
    '### Named gaps',
    '',
    '| rule | examples | found | recall | why |',
    '|---|---:|---:|---:|---|',
    ...rows
      .filter((row) => !isCovered(row))
      .map((row) => `| \`${row.rule}\` | ${row.examples} | ${row.found} | ${percent(row)} | ${gaps.get(row.rule)} |`),
  ].join('\n');
  return `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`;
}

function sum(rows: readonly Recall[], of: 'examples' | 'found' | 'harmless' | 'flagged'): number {
  return rows.reduce((before, row) => before + row[of], 0);
}

const percent = ({ examples, found }: Recall): string => `${Math.floor((100 * found) / examples)} %`;

if (import.meta.main) {
  writeFileSync(secretsPage, withRecall(readFileSync(secretsPage, 'utf8'), await measureRecall()));
}
