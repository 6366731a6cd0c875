import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { hostModule } from '../../../tools/hostModule.ts';
import { toolInventory } from '../../../tools/toolInventory.ts';

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly required?: readonly string[];
}

type Own = typeof import('../../../../src/features/tools/vscode/own/ownTools.ts');

describe('features/tools/vscode: the inputs of the tools', () => {
  let ownTools: Own['ownTools'];

  before(async () => {
    ({ ownTools } = await hostModule<Own>('src/features/tools/vscode/own/ownTools.ts', 'en'));
  });

  const toolOf = (name: string) => ownTools.get(name) ?? assert.fail(name);

  it('are tried for each tool, in the order in which they are offered', () => {
    assert.deepEqual(
      Object.entries(toolInventory).map(([name, { title, proposes }]) => [name, title, proposes]),
      [...ownTools].map(([name, { title, proposes }]) => [name, title(), proposes]),
    );
  });

  for (const [name, { fitting, misfitting }] of Object.entries(toolInventory)) {
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
      for (const input of fitting) assert.equal(tool.whyNotFitting(input), null, JSON.stringify(input));
      for (const input of misfitting) {
        assert.match(tool.whyNotFitting(input) ?? '', /^Refused: the input does not fit\./, JSON.stringify(input));
        assert.equal(tool.words(input), null, JSON.stringify(input));
      }
    });
  }

  it('accepts the names that models know from other tools; the own name wins if both are there', () => {
    const edit = toolOf('edit_file');
    const input = { file_path: 'a', path: 'b', old_str: 'x', new_string: 'y' };
    assert.deepEqual(edit.withOwnNames(input), { ...input, oldString: 'x', newString: 'y' });
    assert.match(edit.words(input) ?? '', / b$/);
    assert.equal(edit.hasField('old_str'), true);
    for (const other of ['old_str', 'replace_all', 'toString', '__proto__'])
      assert.equal(toolOf('read_file').hasField(other), false);
  });

  it('reads a number or a flag that a model writes as text, and leaves out what it writes as null', () => {
    const read = toolOf('read_file');
    assert.match(read.words({ path: 'a', firstLine: '3', lastLine: '9' }) ?? '', /lines 3 to 9/);
    assert.match(read.words({ path: 'a', firstLine: 3, lastLine: null }) ?? '', /from line 3/);
    const flags = ['true', 'false', null].map((staged) => toolOf('git_diff').withOwnNames({ staged }).staged);
    assert.deepEqual(flags, [true, false, undefined]);
    assert.match(read.whyNotFitting({ path: 'a', firstLine: -1 }) ?? '', /firstLine: expected integer, counted from 1/);
  });

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
