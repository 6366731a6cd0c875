import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { hostModule } from '../../../tools/hostModule.ts';

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly required?: readonly string[];
}

const fitting: Readonly<Record<string, readonly object[]>> = {
  read_file: [{ path: 'src/a.ts' }, { path: 'a', firstLine: 3, lastLine: 9 }],
  list_files: [{}, { path: '' }, { path: 'src' }],
  search_text: [{ query: 'x' }, { query: 'x', files: '**/*.ts' }],
  find_symbols: [{ query: 'Pay' }],
  get_problems: [{}, { path: 'src/a.ts' }],
  git_diff: [{}, { staged: true }],
};

const misfitting: Readonly<Record<string, readonly unknown[]>> = {
  read_file: [{}, { path: '' }, { path: 7 }, { path: 'a', firstLine: 0 }, { path: 'a', lastLine: 1.5 }, []],
  list_files: [{ path: null }, 'src'],
  search_text: [{}, { query: '' }, { query: 'x'.repeat(501) }, { query: ['x'] }, { query: 'x', files: 3 }],
  find_symbols: [{}, { query: {} }],
  get_problems: [{ path: '' }, { path: ['a'] }],
  git_diff: [{ staged: 'yes' }],
};

type Own = typeof import('../../../../src/features/tools/vscode/own/ownTools.ts');

describe('features/tools/vscode: the inputs of the tools', () => {
  let ownTools: Own['ownTools'];

  before(async () => {
    ({ ownTools } = await hostModule<Own>('src/features/tools/vscode/own/ownTools.ts', 'en'));
  });

  const toolOf = (name: string) => ownTools.get(name) ?? assert.fail(name);

  it('are tried for each tool', () => {
    assert.deepEqual(Object.keys(fitting).sort(), [...ownTools.keys()].sort());
    assert.deepEqual(Object.keys(misfitting).sort(), [...ownTools.keys()].sort());
  });

  for (const name of Object.keys(fitting)) {
    it(`${name}: the schema for the model equals the one that is enforced`, () => {
      const tool = toolOf(name);
      const said = tool.definition.schema as unknown as Schema;
      const held = z.toJSONSchema(tool.schema) as unknown as Schema;
      const types = ({ properties }: Schema) => Object.entries(properties).map(([key, { type }]) => [key, type]);
      assert.deepEqual(types(said), types(held));
      assert.deepEqual(said.required, held.required ?? []);
    });

    it(`${name}: accepts only valid input`, () => {
      const tool = toolOf(name);
      for (const input of fitting[name] ?? []) assert.equal(tool.whyNotFitting(input), null, JSON.stringify(input));
      for (const input of misfitting[name] ?? []) {
        assert.match(tool.whyNotFitting(input) ?? '', /^Refused: the input does not fit\./, JSON.stringify(input));
        assert.equal(tool.words(input), null, JSON.stringify(input));
      }
    });
  }

  it('names what does not fit', () => {
    const why = ownTools.get('read_file')?.whyNotFitting({ path: 'a', firstLine: 'one' });
    assert.match(why ?? '', /firstLine: /);
  });

  it('no property of Object is a tool', () => {
    assert.deepEqual(
      ['toString', '__proto__'].filter((name) => ownTools.has(name)),
      [],
    );
  });
});
