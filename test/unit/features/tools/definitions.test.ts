import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import {
  isToolName,
  type ToolName,
  toolDefinitions,
  toolInputs,
  toolNames,
  whyNotFitting,
} from '../../../../src/features/tools/vscode/definitions.ts';

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly required?: readonly string[];
}

const fitting: Readonly<Record<ToolName, readonly object[]>> = {
  read_file: [{ path: 'src/a.ts' }, { path: 'a', firstLine: 3, lastLine: 9 }],
  list_files: [{}, { path: '' }, { path: 'src' }],
  search_text: [{ query: 'x' }, { query: 'x', files: '**/*.ts' }],
  find_symbols: [{ query: 'Pay' }],
  get_problems: [{}, { path: 'src/a.ts' }],
  git_diff: [{}, { staged: true }],
};

const misfitting: Readonly<Record<ToolName, readonly unknown[]>> = {
  read_file: [{}, { path: '' }, { path: 7 }, { path: 'a', firstLine: 0 }, { path: 'a', lastLine: 1.5 }, []],
  list_files: [{ path: null }, 'src'],
  search_text: [{}, { query: '' }, { query: 'x'.repeat(501) }, { query: ['x'] }, { query: 'x', files: 3 }],
  find_symbols: [{}, { query: {} }],
  get_problems: [{ path: '' }, { path: ['a'] }],
  git_diff: [{ staged: 'yes' }],
};

describe('features/tools/vscode: the inputs of the tools', () => {
  for (const name of toolNames) {
    it(`${name}: the schema for the model equals the one that is enforced`, () => {
      const said = toolDefinitions.find((tool) => tool.name === name)?.schema as unknown as Schema;
      const held = z.toJSONSchema(toolInputs[name]) as unknown as Schema;
      const types = ({ properties }: Schema) => Object.entries(properties).map(([key, { type }]) => [key, type]);
      assert.deepEqual(types(said), types(held));
      assert.deepEqual(said.required, held.required ?? []);
    });

    it(`${name}: accepts only valid input`, () => {
      for (const input of fitting[name]) assert.equal(whyNotFitting(name, input), null, JSON.stringify(input));
      for (const input of misfitting[name]) {
        assert.match(whyNotFitting(name, input) ?? '', /^Refused: the input does not fit\./, JSON.stringify(input));
      }
    });
  }

  it('names what does not fit', () => {
    assert.match(whyNotFitting('read_file', { path: 'a', firstLine: 'one' }) ?? '', /firstLine: /);
  });

  it('no property of Object is a tool', () => assert.deepEqual(['toString', '__proto__'].filter(isToolName), []));
});
