import assert from 'node:assert/strict';
import { ToolChoice, type ToolFacts } from '../../../../src/features/tools/vscode/choose/toolChoice.ts';
import type { ToolItem } from '../../../../src/features/tools/vscode/choose/toolItems.ts';
import { estimateTokens } from '../../../../src/send/budget/tokens.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { toolInventory } from '../../../tools/toolInventory.ts';

type Own = typeof import('../../../../src/features/tools/vscode/own/ownTools.ts');
type Module = typeof import('../../../../src/features/tools/vscode/choose/toolItems.ts');

const none: Omit<ToolFacts, 'own'> = {
  ...{ locked: '', isEnabled: true, present: [], allowed: [], disabled: [] },
  disabledElsewhere: new Map(),
};

const ownTools = async () => (await hostModule<Own>('src/features/tools/vscode/own/ownTools.ts', 'en')).ownTools;

async function itemsOf(facts: Partial<ToolFacts>): Promise<ReadonlyMap<string, ToolItem>> {
  const { toolItems } = await hostModule<Module>('src/features/tools/vscode/choose/toolItems.ts', 'en');
  return new Map(
    toolItems(new ToolChoice({ ...none, own: await ownTools(), ...facts })).map((item) => [item.id, item]),
  );
}

describe('the list of tools in words', () => {
  it('tells what each tool does, and that it needs approval', async () => {
    const present = [
      { name: 'weather', source: 'Extension: Other', description: 'Reports\nthe  weather.', tokens: 1234 },
    ];
    const items = await itemsOf({ present, allowed: ['gone'] });
    const wordsOf = (id: string) => {
      const { label, description, warning, detail } = items.get(id) ?? assert.fail(id);
      return [label, description, ...(warning === undefined ? [] : [warning]), detail];
    };
    assert.deepEqual(wordsOf('switch').slice(0, 2), ['Use tools', undefined]);
    assert.deepEqual(wordsOf('own:git_diff'), [
      'Read Git changes',
      'git_diff · about 70 tokens · needs approval',
      'Reads the changes since the last commit.',
    ]);
    assert.deepEqual(wordsOf('other:weather'), [
      'weather',
      'about 1,234 tokens · needs approval · Extension: Other',
      'Exclusions by name do not apply.',
      'Reports the weather.',
    ]);
    assert.deepEqual(wordsOf('other:gone'), [
      'gone',
      'needs approval · Not available now',
      'Exclusions by name do not apply.',
      undefined,
    ]);
  });

  it('gives the reason for what is locked', async () => {
    const items = await itemsOf({
      present: [{ name: 'a.b', source: 'MCP servers', description: 'Does a lot.', tokens: 9 }],
      disabledElsewhere: new Map([['git_diff', 'Turned off in the workspace settings.']]),
    });
    assert.equal(items.get('own:git_diff')?.isLocked, true);
    assert.equal(items.get('own:git_diff')?.detail, 'Turned off in the workspace settings.');
    assert.equal(items.get('other:a.b')?.detail, 'A tool with this name cannot be offered to the model.');
    const all = await itemsOf({ locked: 'Your administrator has turned this off' });
    assert.equal(all.get('switch')?.detail, 'Your administrator has turned this off');
    assert.ok([...all.values()].every(({ isLocked, isSeparator }) => isSeparator || isLocked));
  });

  it('third-party text is cut, in one line, and hides and turns nothing', async () => {
    const bad = '$(shield) a\n\u202eb\u200b\u{e0041}[c](command:d)';
    const present = [
      {
        name: `${bad}${'n'.repeat(500)}`,
        source: `${bad}${'s'.repeat(500)}`,
        description: bad.repeat(50_000),
        tokens: 9,
      },
    ];
    const items = [...(await itemsOf({ present, allowed: [`${bad}gone`] })).values()].slice(
      2 + Object.keys(toolInventory).length,
    );
    assert.equal(items.length, 4);
    const shown = items.flatMap(({ label, description, detail }) => [label, description, detail]);
    for (const text of shown.filter((one) => one !== undefined)) {
      assert.doesNotMatch(text, /\n|[\u202a-\u202e\u200b]|\u{e0041}/u);
      assert.ok(text.length < 1_000, String(text.length));
    }
  });

  it('the title has the number of selected tools and their tokens, and says from 21 on that they cost', async () => {
    const { toolTitle } = await hostModule<Module>('src/features/tools/vscode/choose/toolItems.ts', 'en');
    const ours = await ownTools();
    const tools = Array.from({ length: 20 }, (_, at) => ({
      ...{ name: `t${at}`, source: 'MCP servers', description: '', tokens: 100 },
    }));
    const titleOf = (count: number, facts: Partial<ToolFacts> = {}) => {
      const allowed = [...tools.slice(0, count).map(({ name }) => name), 'gone'];
      return toolTitle(new ToolChoice({ ...none, own: ours, present: tools, allowed, ...facts }));
    };
    const own = [...ours.values()].reduce((sum, { definition }) => sum + estimateTokens(JSON.stringify(definition)), 0);
    const words = (count: number) => new Intl.NumberFormat('en').format(own + count * 100);
    const most = 20 - ours.size;
    assert.equal(titleOf(0), `Configure Tools: ${ours.size} selected, about ${words(0)} tokens each time`);
    assert.equal(titleOf(most), `Configure Tools: 20 selected, about ${words(most)} tokens each time`);
    assert.equal(titleOf(most + 1), `Configure Tools: these 21 tools cost about ${words(most + 1)} tokens each time`);
    assert.equal(titleOf(1, { disabled: [...ours.keys()] }), 'Configure Tools: 1 selected, about 100 tokens each time');
    assert.equal(titleOf(0, { disabled: [...ours.keys()], allowed: [] }), 'Configure Tools');
    for (const off of [{ isEnabled: false }, { locked: 'now' }]) {
      assert.equal(titleOf(15, off), 'Configure Tools: tools are off');
    }
  });
});
