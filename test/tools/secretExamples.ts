// The examples of test/fixtures/gitleaks, and how many of them the scanner finds.
import { readFileSync } from 'node:fs';
import { scanText } from '../../src/gate/secrets/scanner.ts';

export const examplesFile = 'test/fixtures/gitleaks/examples.json';

/** Strings are stored reversed: see README.md beside the file. */
interface Row {
  /** The name in gitleaks. */
  readonly rule: string;
  /** Written in each of the forms, under this name. */
  readonly name?: string;
  readonly values?: readonly string[];
  /** Harmless values, written in the same forms. */
  readonly not?: readonly string[];
  /** Secrets that need a specific text around them. */
  readonly texts?: readonly { readonly before: string; readonly middle: string; readonly after: string }[];
}

/** A text with the positions of the values that a rule covers. */
export interface Sheet {
  readonly text: string;
  readonly values: readonly { readonly at: number; readonly length: number }[];
}

export interface RuleExamples {
  readonly rule: string;
  readonly secrets: readonly Sheet[];
  readonly harmless: readonly Sheet[];
}

/** Ways to assign a value to a name. `@` stands for the value. */
const forms: readonly ((name: string) => string)[] = [
  (name) => `${name}Token="@"`,
  (name) => `${name}Token = "@"`,
  (name) => `${name}Token=@`,
  (name) => `${name}Token = @`,
  (name) => `{\n    "${name}_token": "@"\n}`,
  (name) => `{"config.ini": "${name.toUpperCase()}_TOKEN=@\\nBACKUP=true"}`,
  (name) => `{"config.ini": "BACKUP=true\\n${name.toUpperCase()}_TOKEN=\\n@"}`,
  (name) => `<${name}Token>\n    @\n</${name}Token>`,
  (name) => `<${name}Token>@</${name}Token>`,
  (name) => `<add key="${name}Token" value="@" />`,
  (name) => `${name}_token: @`,
  (name) => `${name}_token: '@'`,
  (name) => `${name}_token: "@"`,
  (name) => `${name}_token: |\n  @`,
  (name) => `- name: ${name.toUpperCase()}_TOKEN\n  value: "@"`,
  (name) => `string ${name}Token = "@";`,
  (name) => `var ${name}Token string = "@"`,
  (name) => `${name}Token := "@"`,
  (name) => `${name}Token := \`@\``,
  (name) => `String ${name}Token = "@";`,
  (name) => `val ${name}Token = "@"`,
  (name) => `$${name}Token .= "@"`,
  (name) => `${name}Token = '@'`,
  (name) => `System.setProperty("${name.toUpperCase()}_TOKEN", "@")`,
  (name) => `  "${name}Token" => "@"`,
  (name) => `${name.toUpperCase()}_TOKEN := "@"`,
  (name) => `${name.toUpperCase()}_TOKEN ::= "@"`,
  (name) => `${name.toUpperCase()}_TOKEN ?= "@"`,
  (name) => `export ${name.toUpperCase()}_TOKEN=@`,
  (name) => `ENV ${name.toUpperCase()}_TOKEN @`,
  (name) => `https://host.example/?${name}_token=@&page=2`,
  (name) => `curl -H "X-${name}-Token: @" https://host.example`,
];

const backwards = (text: string): string => [...text].reverse().join('');

export function readExamples(): readonly RuleExamples[] {
  const rows: readonly Row[] = JSON.parse(readFileSync(examplesFile, 'utf8'));
  return rows.map(({ rule, name = '', values = [], not = [], texts = [] }) => ({
    rule,
    secrets: [
      ...values.map((stored) => inAllForms(name, backwards(stored))),
      ...texts.map(({ before, middle, after }) => ({
        text: before + backwards(middle) + after,
        values: [{ at: before.length, length: middle.length }],
      })),
    ],
    harmless: not.map((stored) => inAllForms(name, backwards(stored))),
  }));
}

function inAllForms(name: string, value: string): Sheet {
  const values: { at: number; length: number }[] = [];
  let text = '';
  for (const form of forms) {
    const [before = '', after = ''] = form(name).split('@');
    values.push({ at: text.length + before.length, length: value.length });
    text += `${before}${value}${after}\n\n`;
  }
  return { text, values };
}

/** Fewer than this many consecutive characters of a secret may remain. */
const tooMany = 8;

export interface Score {
  readonly values: number;
  /** Examples of which less than eight consecutive characters remain after masking. */
  readonly found: number;
  /** Examples in which anything is masked. */
  readonly touched: number;
}

export async function scoreOf({ text, values }: Sheet): Promise<Score> {
  const isMasked = new Uint8Array(text.length);
  for (const { start, end } of await scanText(text)) isMasked.fill(1, start, end);
  const places = values.map(({ at, length }) => isMasked.subarray(at, at + length).join(''));
  return {
    values: values.length,
    found: places.filter((place) => !place.includes('0'.repeat(Math.min(tooMany, place.length)))).length,
    touched: places.filter((place) => place.includes('1')).length,
  };
}
