import assert from 'node:assert/strict';
import {
  type SettingChange,
  ToolChoice,
  type ToolFacts,
} from '../../../../src/features/tools/vscode/choose/toolChoice.ts';
import type { OwnTool } from '../../../../src/features/tools/vscode/own/tool.ts';
import { toolNames, toolNamesWithout } from '../../../tools/toolInventory.ts';

const none: ToolFacts = {
  ...{
    locked: '',
    isEnabled: false,
    own: new Map(toolNames.map((name) => [name, {} as OwnTool])),
    present: [],
    allowed: [],
    disabled: [],
  },
  disabledElsewhere: new Map(),
};
const weather = { name: 'weather', source: 'Extension: Other', description: 'Reports the weather.', tokens: 9 };
const docs = { name: 'mcp_docs_search', source: 'MCP server: docs', description: 'Searches.', tokens: 9 };

const checked = (choice: ToolChoice): readonly string[] =>
  choice.rows.filter((row) => row.kind !== 'group' && choice.isChecked(row)).map(({ id }) => id);
/** What VS Code reports when the user clicks a row. */
const click = (choice: ToolChoice, id: string): void => {
  const now = new Set(checked(choice));
  choice.select(now.has(id) ? new Set([...now].filter((one) => one !== id)) : now.add(id));
};
const changes = (choice: ToolChoice): Record<string, SettingChange['value']> =>
  Object.fromEntries(choice.changes.map(({ key, value }) => [key, value]));
const ids = (names: readonly string[]): readonly string[] => names.map((name) => `own:${name}`);
const own = ids(toolNames);

describe('the choice of tools', () => {
  it('begins with what the settings contain: the switch, our tools, those of others by source, absent ones last', () => {
    const allowed = ['gone', 'weather'];
    const choice = new ToolChoice({
      ...none,
      isEnabled: true,
      present: [docs, weather],
      allowed,
      disabled: ['git_diff'],
    });
    assert.deepEqual(
      choice.rows.map((row) => (row.kind === 'group' ? `${row.of} ${row.source}`.trim() : row.id)),
      [
        ...['switch', 'own', ...own],
        ...['source Extension: Other', 'other:weather', 'source MCP server: docs', 'other:mcp_docs_search'],
        ...['absent', 'other:gone'],
      ],
    );
    assert.deepEqual(checked(choice), ['switch', ...ids(toolNamesWithout('git_diff')), 'other:weather', 'other:gone']);
    assert.deepEqual(choice.changes, []);
  });

  it('writes only what changed, and an empty list not at all', () => {
    const choice = new ToolChoice({
      ...none,
      isEnabled: true,
      present: [weather],
      allowed: ['gone'],
      disabled: ['git_diff'],
    });
    click(choice, 'own:git_diff');
    assert.deepEqual(changes(choice), { 'svc.tools.disabled': undefined });
    click(choice, 'other:gone');
    click(choice, 'other:weather');
    click(choice, 'own:read_file');
    assert.deepEqual(changes(choice), { 'svc.tools.allowed': ['weather'], 'svc.tools.disabled': ['read_file'] });
    click(choice, 'switch');
    // What the list does not show any more is not written.
    assert.deepEqual(changes(choice), { 'svc.tools.enabled': false });
    click(choice, 'switch');
    assert.deepEqual(changes(choice), { 'svc.tools.allowed': ['weather'], 'svc.tools.disabled': ['read_file'] });
  });

  it('two clicks on the same tool change nothing', () => {
    const choice = new ToolChoice({ ...none, isEnabled: true, allowed: ['a', 'a'], disabled: ['b', 'b'] });
    for (const id of ['own:read_file', 'own:read_file', 'switch', 'switch']) click(choice, id);
    assert.deepEqual(choice.changes, []);
  });

  it('nothing is checked while tools are off, and a tool that is turned on turns them on', () => {
    const choice = new ToolChoice({ ...none, present: [weather] });
    assert.deepEqual([checked(choice), choice.isOn], [[], false]);
    click(choice, 'other:weather');
    assert.deepEqual([checked(choice), choice.isOn], [['switch', ...own, 'other:weather'], true]);
    click(choice, 'switch');
    assert.deepEqual([checked(choice), choice.changes], [[], []]);
    click(choice, 'own:git_diff');
    assert.deepEqual(checked(choice), ['switch', ...own, 'other:weather']);
    assert.deepEqual(changes(choice), { 'svc.tools.enabled': true, 'svc.tools.allowed': ['weather'] });
  });

  it('checking everything with the box above the list does what the list then shows', () => {
    const choice = new ToolChoice({ ...none, present: [weather], disabled: ['git_diff'] });
    choice.select(new Set(['switch', ...own, 'other:weather']));
    const all = { 'svc.tools.enabled': true, 'svc.tools.allowed': ['weather'], 'svc.tools.disabled': undefined };
    assert.deepEqual(changes(choice), all);
    choice.select(new Set());
    assert.deepEqual([checked(choice), choice.changes], [[], []]);
  });

  it('keeps what another window changes in the meantime, and rows never move', () => {
    const choice = new ToolChoice({ ...none, isEnabled: true, present: [weather], allowed: ['weather'] });
    const before = choice.rows.map(({ id }) => id);
    click(choice, 'own:read_file');
    assert.equal(choice.isOutdated([weather]), false);
    assert.equal(choice.isOutdated([docs]), true);
    choice.update({ ...none, isEnabled: true, present: [docs], allowed: ['weather', 'gone'], disabled: ['git_diff'] });
    assert.deepEqual(
      choice.rows.slice(0, before.length).map(({ id }) => id),
      before,
    );
    assert.deepEqual(
      choice.rows.slice(before.length).map((row) => (row.kind === 'group' ? row.of : row.id)),
      ['source', 'other:mcp_docs_search', 'absent', 'other:gone'],
    );
    const left = toolNamesWithout('git_diff').filter((name) => name !== 'read_file');
    assert.deepEqual(checked(choice), ['switch', ...ids(left), 'other:weather', 'other:gone']);
    assert.deepEqual(changes(choice), { 'svc.tools.disabled': ['git_diff', 'read_file'] });
    // The other window makes the same change.
    choice.update({ ...none, isEnabled: true, disabled: ['read_file'] });
    assert.deepEqual(choice.changes, []);
  });

  it('a tool that is chosen and then disappears stays chosen', () => {
    const choice = new ToolChoice({ ...none, isEnabled: true, present: [weather] });
    click(choice, 'other:weather');
    choice.update({ ...none, isEnabled: true });
    assert.deepEqual(changes(choice), { 'svc.tools.allowed': ['weather'] });
  });

  it('nothing is checked and nothing is written if everything is locked', () => {
    const facts = { ...none, isEnabled: true, present: [weather], allowed: ['weather'] };
    const choice = new ToolChoice({ ...facts, locked: 'Your administrator has turned this off' });
    assert.deepEqual(checked(choice), []);
    for (const id of ['switch', 'own:read_file', 'other:weather']) click(choice, id);
    assert.deepEqual([checked(choice), choice.changes], [[], []]);
    // Even if it is locked after the click.
    const later = new ToolChoice({ ...none, present: [weather] });
    click(later, 'other:weather');
    later.update({ ...none, present: [weather], locked: 'now' });
    assert.deepEqual(later.changes, []);
  });

  it('a tool that another scope disables, or whose name cannot be sent, cannot be turned on', () => {
    const present = ['weather', 'a b', 'read_file', 'x'.repeat(65), '__proto__'].map((name) => ({ ...weather, name }));
    const disabledElsewhere = new Map([
      ['weather', 'workspace'],
      ['git_diff', 'workspace'],
    ]);
    const choice = new ToolChoice({ ...none, isEnabled: true, present, allowed: ['weather'], disabledElsewhere });
    for (const { id } of choice.rows) if (id.startsWith('other:') || id === 'own:git_diff') click(choice, id);
    assert.deepEqual(checked(choice), ['switch', ...ids(toolNamesWithout('git_diff')), 'other:__proto__']);
    assert.deepEqual(changes(choice), { 'svc.tools.allowed': ['weather', '__proto__'] });
  });

  it('a tool that the user disabled by hand is off, and can be turned on', () => {
    const choice = new ToolChoice({
      ...none,
      isEnabled: true,
      present: [weather],
      allowed: ['weather'],
      disabled: ['weather'],
    });
    assert.equal(checked(choice).includes('other:weather'), false);
    click(choice, 'other:weather');
    assert.deepEqual(changes(choice), { 'svc.tools.disabled': undefined });
  });
});
