import assert from 'node:assert/strict';
import { ToolChoice, type ToolFacts } from '../../../../src/host/tools/toolChoice.ts';
import type { ToolItem } from '../../../../src/host/tools/toolItems.ts';
import { hostModule } from '../../../tools/hostModule.ts';

type Module = typeof import('../../../../src/host/tools/toolItems.ts');

const none: ToolFacts = {
  ...{ locked: '', isEnabled: true, present: [], allowed: [], disabled: [] },
  disabledElsewhere: new Map(),
};

async function itemsOf(facts: Partial<ToolFacts>): Promise<ReadonlyMap<string, ToolItem>> {
  const { toolItems } = await hostModule<Module>('src/host/tools/toolItems.ts', 'en');
  return new Map(toolItems(new ToolChoice({ ...none, ...facts })).map((item) => [item.id, item]));
}

describe('the list of tools in words', () => {
  it('tells what each tool does, and that it needs approval', async () => {
    const present = [{ name: 'weather', source: 'Extension: Other', description: 'Reports\nthe  weather.' }];
    const items = await itemsOf({ present, allowed: ['gone'] });
    const wordsOf = (id: string) => {
      const { label, description, detail } = items.get(id) ?? assert.fail(id);
      return [label, description, detail];
    };
    assert.deepEqual(wordsOf('switch').slice(0, 2), ['Use tools', undefined]);
    assert.deepEqual(wordsOf('own:git_diff'), [
      'Read Git changes',
      'git_diff · needs approval',
      'Reads the changes since the last commit.',
    ]);
    assert.deepEqual(wordsOf('other:weather'), [
      'weather',
      'needs approval · exclusions by name do not apply · Extension: Other',
      'Reports the weather.',
    ]);
    assert.deepEqual(wordsOf('other:gone'), [
      'gone',
      'needs approval · exclusions by name do not apply · Not available now',
      undefined,
    ]);
  });

  it('gives the reason for what is locked', async () => {
    const items = await itemsOf({
      present: [{ name: 'a.b', source: 'MCP servers', description: 'Does a lot.' }],
      disabledElsewhere: new Map([['git_diff', 'Turned off in the workspace settings.']]),
    });
    assert.equal(items.get('own:git_diff')?.isLocked, true);
    assert.equal(items.get('own:git_diff')?.detail, 'Turned off in the workspace settings.');
    assert.equal(items.get('other:a.b')?.detail, 'A tool with this name cannot be offered to the model.');
    const all = await itemsOf({ locked: 'Your administrator has turned this off' });
    assert.equal(all.get('switch')?.detail, 'Your administrator has turned this off');
    assert.ok([...all.values()].every(({ isLocked, isSeparator }) => isSeparator || isLocked));
  });

  it('text of others is cut, in one line, and hides and turns nothing', async () => {
    const bad = '$(shield) a\n\u202eb\u200b\u{e0041}[c](command:d)';
    const present = [
      { name: `${bad}${'n'.repeat(500)}`, source: `${bad}${'s'.repeat(500)}`, description: bad.repeat(50_000) },
    ];
    const items = [...(await itemsOf({ present, allowed: [`${bad}gone`] })).values()].slice(8);
    assert.equal(items.length, 4);
    const shown = items.flatMap(({ label, description, detail }) => [label, description, detail]);
    for (const text of shown.filter((one) => one !== undefined)) {
      assert.doesNotMatch(text, /\n|[\u202a-\u202e\u200b]|\u{e0041}/u);
      assert.ok(text.length < 1_000, String(text.length));
    }
  });
});
