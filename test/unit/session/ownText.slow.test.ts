import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A tool whose result has this text. */
const tool = (text: string): string => `
  import { type OwnText, ownText } from '${resolve('src/session/tools/ownText.ts')}';
  import type { ToolOutput } from '${resolve('src/session/tools/toolStep.ts')}';
  import type { MadeText } from '${resolve('src/gate/content.ts')}';
  export function planted(raw: string, made: MadeText, name: \`a.\${string}\`, word: 'one' | 'two'): ToolOutput {
    const own: OwnText = ownText\`\`;
    void [raw, made, name, word, own];
    return { text: ${text}, attachments: [] };
  }
`;

/** A template with these expressions in it. */
const template = (tag: string, ...inside: readonly string[]): string =>
  [tag, ...inside.map((each) => ['$', '{', each, '}'].join(''))].join('`').concat('`');

const refused = [
  ...['raw', 'made', 'word', template('', 'raw')],
  ...['raw', 'made', 'name'].map((value) => template('ownText', value)),
];
const accepted = ['own', ...['1', 'word', 'own', 'ownText`b`'].map((value) => template('ownText', value))];

describe('session: the text of a tool', () => {
  it('is made of our own words: text that was read does not compile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-own-text-'));
    try {
      const texts = [...refused, ...accepted];
      texts.forEach((text, index) => {
        writeFileSync(join(folder, `${index}.ts`), tool(text));
      });
      const files = texts.map((_, index) => `${index}.ts`);
      const config = { extends: resolve('tsconfig.json'), compilerOptions: { types: [] }, files };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const tsc = resolve('node_modules/typescript/bin/tsc');
      const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', folder], { encoding: 'utf8' });
      const failed = texts.filter((_, index) => new RegExp(`^[^:]*\\b${index}\\.ts\\(`, 'm').test(stdout));
      assert.deepEqual(failed, refused, stdout);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }).timeout(300_000);
});
