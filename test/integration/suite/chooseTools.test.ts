import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { ChosenTools } from '../../../src/features/tools/vscode/choose/chooseTools.ts';
import { toolNames, toolNamesWithout, toolTitles, toolTitlesWithout } from '../../tools/toolInventory.ts';
import { type CheckList, withCheckList, withTools } from './dialogs.ts';
import { openStage, type Stage } from './stage.ts';

const { Workspace } = vscode.ConfigurationTarget;

describe('svc.chooseTools', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    for (const name of ['enabled', 'allowed', 'disabled']) await stage.set(`svc.tools.${name}`, undefined);
  });
  afterEach(() => stage.close());

  const userSettings = (): readonly unknown[] =>
    ['enabled', 'allowed', 'disabled'].map(
      (name) => vscode.workspace.getConfiguration('svc.tools').inspect(name)?.globalValue,
    );
  const choose = async (use: (list: CheckList) => unknown): Promise<ChosenTools | { readonly ok: false }> => {
    const run = (): Thenable<ChosenTools> => vscode.commands.executeCommand('svc.chooseTools');
    return (await withCheckList(use, run)).result;
  };
  const clicking =
    (...labels: readonly string[]) =>
    (list: CheckList): void => {
      for (const label of labels) list.click(label);
      list.accept();
    };
  /** Resolves when the list shows what `holds` waits for. */
  const shows = async (holds: () => boolean): Promise<void> => {
    const end = Date.now() + 20_000;
    while (!holds()) {
      assert.ok(Date.now() < end, 'The list does not show what was expected.');
      await new Promise(setImmediate);
    }
  };

  it('turns tools on and off, one of ours, and one of another extension, in the user’s own settings', async () => {
    const chosen = await choose((list) => {
      // While tools are off, VS Code counts none as selected.
      assert.deepEqual(list.checked, []);
      list.click('test_weather_report');
      // Turning on a tool turns on tools.
      assert.deepEqual(list.checked, ['Use tools', ...toolTitles, 'test_weather_report']);
      list.click('Read Git changes');
      list.accept();
    });
    assert.deepEqual(chosen, { ok: true, tools: [...toolNamesWithout('git_diff'), 'test_weather_report'] });
    assert.deepEqual(userSettings(), [true, ['test_weather_report'], ['git_diff']]);
    const back = await choose(clicking('test_weather_report', 'Read Git changes'));
    assert.deepEqual(back, { ok: true, tools: toolNames });
    assert.deepEqual(userSettings(), [true, undefined, undefined]);
    assert.deepEqual(await choose(clicking('Use tools')), { ok: true, tools: [] });
    assert.deepEqual(userSettings(), [false, undefined, undefined]);
  });

  it('changes nothing if it is cancelled', async () => {
    const result = await choose((list) => {
      list.click('test_weather_report');
      list.cancel();
    });
    assert.equal(result.ok, false);
    assert.deepEqual(userSettings(), [undefined, undefined, undefined]);
  });

  it('shows third-party tools by their source, and those that do not exist now', async () => {
    await stage.set('svc.tools.allowed', ['mcp_gone_search', 'test_weather_report']);
    await choose((list) => {
      const weather = list.items.findIndex(({ label }) => label === 'test_weather_report');
      const group = list.items.slice(0, weather).findLast(({ kind }) => kind === vscode.QuickPickItemKind.Separator);
      assert.equal(group?.label, 'Extension: test.other');
      const warning = '$(warning) Exclusions by name do not apply.';
      assert.equal(list.items[weather]?.detail, `${warning} Reports the weather of a place.`);
      assert.match(list.items[weather]?.description ?? '', /^about \d+ tokens · needs approval/);
      assert.match(list.items.at(-1)?.description ?? '', /Not available now$/);
      assert.equal(list.items.at(-1)?.detail, warning);
      list.click('Use tools');
      assert.deepEqual(list.checked.slice(-2), ['test_weather_report', 'mcp_gone_search']);
      list.accept();
    });
    assert.deepEqual(userSettings(), [true, ['mcp_gone_search', 'test_weather_report'], undefined]);
  });

  it('keeps what changes in the settings while it is open', async () => {
    await stage.set('svc.tools.enabled', true);
    await choose(async (list) => {
      list.click('Read files');
      await stage.set('svc.tools.disabled', ['git_diff']);
      await stage.set('svc.tools.allowed', ['test_endless_wait']);
      await shows(() => !list.checked.includes('Read Git changes') && list.checked.includes('test_endless_wait'));
      assert.equal(list.checked.includes('Read files'), false);
      list.accept();
    });
    assert.deepEqual(userSettings(), [true, ['test_endless_wait'], ['git_diff', 'read_file']]);
  });

  it('a workspace can only turn off more, and its reason is shown', async () => {
    await stage.set('svc.tools.enabled', true);
    await stage.set('svc.tools.disabled', ['git_diff'], Workspace);
    const chosen = await choose((list) => {
      const diff = list.items.find(({ label }) => label === '$(lock) Read Git changes');
      assert.equal(diff?.detail, 'Turned off in the workspace settings.');
      list.click('$(lock) Read Git changes');
      assert.deepEqual(list.checked, ['Use tools', ...toolTitlesWithout('git_diff')]);
      list.accept();
    });
    assert.deepEqual(chosen, { ok: true, tools: toolNamesWithout('git_diff') });
    await stage.set('svc.tools.enabled', false, Workspace);
    await choose((list) => {
      assert.equal(list.items[0]?.detail, 'Turned off in the workspace settings.');
      list.click('$(lock) Use tools');
      assert.deepEqual(list.checked, []);
      list.accept();
    });
    // An invalid list could mean any tool.
    await stage.set('svc.tools.enabled', undefined, Workspace);
    await stage.set('svc.tools.disabled', 'git_diff', Workspace);
    const none = await choose((list) => {
      assert.match(list.items[0]?.detail ?? '', /Off until svc\.tools\.disabled in the workspace settings is a list/);
      list.accept();
    });
    assert.deepEqual(none, { ok: true, tools: [] });
    await stage.set('svc.tools.disabled', undefined, Workspace);
    await stage.set('svc.tools.approval', 'never', Workspace);
    await choose((list) => {
      const detail = 'Off until svc.tools.approval in the workspace settings is one of: reads, conversation, each';
      assert.equal(list.items[0]?.detail, detail);
      list.accept();
    });
    assert.deepEqual(userSettings(), [true, undefined, undefined]);
  });

  it('nothing can be turned on where the administrator forbids tools', async () => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    try {
      writeFileSync(file, JSON.stringify({ version: 1, disabledFeatures: ['tools'] }));
      await vscode.commands.executeCommand('svc.showPolicy');
      await stage.set('svc.tools.enabled', true);
      const chosen = await choose((list) => {
        assert.equal(list.items[0]?.detail, 'Your administrator has turned this off');
        for (const { label, kind } of list.items) if (kind !== vscode.QuickPickItemKind.Separator) list.click(label);
        assert.deepEqual(list.checked, []);
        list.accept();
      });
      assert.deepEqual(chosen, { ok: true, tools: [] });
      assert.deepEqual(userSettings(), [true, undefined, undefined]);
    } finally {
      rmSync(file, { force: true });
      await vscode.commands.executeCommand('svc.showPolicy');
    }
  });

  it('a tool that the administrator’s rules forbid cannot be turned on, and the list shows why', async () => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    const [weather] = vscode.lm.tools.filter(({ name }) => name === 'test_weather_report');
    const ofServer = (server: string): vscode.LanguageModelToolInformation => {
      const tool = { name: `mcp_${server}_search`, description: 'Searches.', inputSchema: undefined, tags: ['mcp'] };
      return { ...tool, fullReferenceName: `${server}/search` } as vscode.LanguageModelToolInformation;
    };
    const exist = [weather ?? assert.fail('no tool'), ofServer('docs'), ofServer('shop')];
    try {
      const tools = { allow: ['read_file', 'git_diff', 'mcp:docs'], deny: ['git_*'] };
      writeFileSync(file, JSON.stringify({ version: 1, tools }));
      await vscode.commands.executeCommand('svc.showPolicy');
      await withTools(async (set) => {
        set(exist);
        const chosen = await choose((list) => {
          const details = new Map(list.items.map(({ label, detail }) => [label.replace('$(lock) ', ''), detail ?? '']));
          assert.match(details.get('Read Git changes') ?? '', /managed policy denies this tool/);
          for (const label of ['List files', 'test_weather_report', 'mcp_shop_search']) {
            assert.match(details.get(label) ?? '', /does not list this tool as allowed/, label);
          }
          const forbidden = ['$(lock) Read Git changes', '$(lock) List files', '$(lock) mcp_shop_search'];
          for (const label of ['Use tools', 'mcp_docs_search', ...forbidden]) list.click(label);
          list.accept();
        });
        assert.deepEqual(chosen, { ok: true, tools: ['read_file', 'mcp_docs_search'] });
      });
    } finally {
      rmSync(file, { force: true });
      await vscode.commands.executeCommand('svc.showPolicy');
    }
  });

  it('follows tools that appear and disappear while it is open', async () => {
    const added = {
      name: 'mcp_docs_search',
      description: '$(trash) [All](command:svc.purgeLocalData)',
      inputSchema: undefined,
      tags: ['mcp'],
    };
    const weather = vscode.lm.tools.filter(({ name }) => name === 'test_weather_report');
    await withTools((exist) =>
      choose(async (list) => {
        const before = list.items.map(({ label }) => label);
        exist([...weather, added]);
        await shows(() => list.items.length > before.length);
        assert.deepEqual(
          list.items.map(({ label }) => label),
          [...before, 'MCP servers', 'mcp_docs_search'],
        );
        assert.match(
          list.items.at(-1)?.detail ?? '',
          / \$\u2060\(trash\) \[All\]\u2060\(command:svc\.purgeLocalData\)$/,
        );
        list.click('mcp_docs_search');
        exist(weather);
        await shows(() => list.items.at(-1)?.description?.endsWith('Not available now') === true);
        assert.equal(list.checked.at(-1), 'mcp_docs_search');
        list.accept();
      }),
    );
    assert.deepEqual(userSettings(), [true, ['mcp_docs_search'], undefined]);
  });
});
