import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chooseMode } from '../../../src/features/chat/vscode/mode/chooseMode.ts';
import { changeRules, planRules } from '../../../src/session/prompts/houseRules.ts';
import { Session } from '../../../src/session/session.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { answering, type CheckList, told, withCheckList } from './dialogs.ts';
import { OwnParts } from './ownParts.ts';
import { openStageWithKey, type Stage } from './stage.ts';

const { Workspace } = vscode.ConfigurationTarget;
const proposing = ['edit_file', 'write_file', 'delete_file', 'rename_file'];
const switches = ['svc.tools.enabled', 'svc.changes.enabled'] as const;

describe('svc.chooseMode', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStageWithKey();
    for (const key of switches) await stage.set(key, undefined);
    await vscode.commands.executeCommand('svc.newChat');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('svc.chooseMode', { mode: 'ask' });
    await vscode.commands.executeCommand('svc.newChat');
    await stage.close();
  });

  const choose = (mode: string): Thenable<unknown> => vscode.commands.executeCommand('svc.chooseMode', { mode });
  const listed = (use: (list: CheckList) => unknown) =>
    withCheckList(use, () => vscode.commands.executeCommand('svc.chooseMode'));
  const userSettings = (): readonly unknown[] =>
    switches.map((key) => vscode.workspace.getConfiguration().inspect(key)?.globalValue);
  /** Asks a question, and returns the tools and the rules of its request. */
  const ask = async (): Promise<{ readonly tools: readonly string[]; readonly text: string }> => {
    await vscode.commands.executeCommand('svc.openChat', { prompt: 'Rename pay' });
    const { json } = stage.service.chats.at(-1) ?? assert.fail('nothing was sent');
    const { tools = [], messages } = json as {
      readonly tools?: readonly { readonly function: { readonly name: string } }[];
      readonly messages: readonly { readonly content: string }[];
    };
    return { tools: tools.map((tool) => tool.function.name), text: messages[0]?.content ?? '' };
  };

  it('shows what each mode does, asks once, and turns on what the mode needs', async () => {
    assert.deepEqual((await ask()).tools, []);
    const asked = await answering('Turn On', async () => {
      const { result } = await listed((list) => {
        assert.deepEqual(
          list.items.map(({ label, description }) => [label, description]),
          [
            ['Ask', 'current'],
            ['Plan', undefined],
            ['Change', undefined],
          ],
        );
        list.click('Plan');
        list.accept();
      });
      assert.deepEqual(result, { ok: true, mode: 'plan' });
    });
    assert.deepEqual(
      asked.map(({ message, detail }) => [message, detail]),
      [
        [
          'Let the model read files with tools?',
          'Nothing is written until you accept it. This turns on in your user settings: svc.tools.enabled',
        ],
      ],
    );
    assert.deepEqual(userSettings(), [true, undefined]);
    const planned = await ask();
    assert.ok(planned.tools.includes('read_file'));
    assert.deepEqual(
      planned.tools.filter((name) => proposing.includes(name)),
      [],
    );
    assert.ok(planned.text.includes(planRules));

    const again = await answering('Turn On', async () =>
      assert.deepEqual(await choose('change'), { ok: true, mode: 'change' }),
    );
    assert.match(again[0]?.detail ?? '', /: svc\.changes\.enabled$/);
    assert.deepEqual(userSettings(), [true, true]);
    const changed = await ask();
    assert.deepEqual(
      changed.tools.filter((name) => proposing.includes(name)),
      proposing,
    );
    assert.ok(changed.text.includes(changeRules) && !changed.text.includes(planRules));

    for (const mode of ['ask', 'change', 'plan', 'ask'])
      assert.deepEqual(await answering(undefined, () => choose(mode)), [], 'it was asked once');
    const asks = await ask();
    assert.ok(asks.tools.includes('read_file') && !asks.tools.some((name) => proposing.includes(name)));
    assert.ok(!asks.text.includes(planRules) && !asks.text.includes(changeRules));
  });

  it('changes nothing if the user does not agree, or closes the list', async () => {
    const asked = await answering(undefined, async () => {
      const result = (await choose('change')) as { readonly ok: boolean };
      assert.equal(result.ok, false);
    });
    assert.match(asked[0]?.detail ?? '', /: svc\.tools\.enabled, svc\.changes\.enabled$/);
    assert.deepEqual(userSettings(), [undefined, undefined]);
    const { result } = await listed((list) => list.cancel());
    assert.equal((result as { readonly ok: boolean }).ok, false);
    assert.deepEqual((await ask()).tools, []);
  });

  it('refuses any other argument', async () => {
    for (const argument of [{ mode: 'agent' }, { mode: ['change'] }, { mode: 'change', confirmed: true }, 'change']) {
      const result = await vscode.commands.executeCommand<{ readonly ok: boolean }>('svc.chooseMode', argument);
      assert.equal(result.ok, false, JSON.stringify(argument));
    }
    assert.deepEqual(userSettings(), [undefined, undefined]);
  });

  it('shows a mode that a workspace forbids with the reason; it cannot be chosen, and a question is asked as in Ask', async () => {
    await stage.set('svc.tools.enabled', true);
    await stage.set('svc.changes.enabled', true);
    await choose('change');
    await stage.set('svc.changes.enabled', false, Workspace);
    const why = 'Change is not available. Turned off in the workspace settings.';
    await listed((list) => {
      assert.deepEqual(
        list.items.map(({ label }) => label),
        ['Ask', 'Plan', '$(lock) Change'],
      );
      assert.equal(list.items.at(-1)?.detail, why);
      assert.equal(list.items[0]?.description, 'current');
      list.click('$(lock) Change');
      list.accept();
      list.cancel();
    });
    // No question is among the messages.
    const words = await told('Warning', () => choose('change'));
    assert.deepEqual(words, [why]);
    const { tools, text } = await ask();
    assert.ok(tools.includes('read_file') && !tools.some((name) => proposing.includes(name)));
    assert.ok(!text.includes(changeRules));
    await stage.set('svc.tools.enabled', false, Workspace);
    await listed((list) => {
      assert.deepEqual(
        list.items.map(({ label }) => label),
        ['Ask', '$(lock) Plan', '$(lock) Change'],
      );
      list.cancel();
    });
    assert.deepEqual((await ask()).tools, []);
  });

  it('keeps Plan where the managed policy forbids changes', async () => {
    for (const key of switches) await stage.set(key, true);
    const parts = new OwnParts();
    const { contextReader, dispatch } = parts;
    const session = new Session(dispatch);
    parts.policy = { ...openPolicy, disabledFeatures: ['changes'] };
    await withCheckList(
      (list) => {
        assert.deepEqual(
          list.items.map(({ label }) => label),
          ['Ask', 'Plan', '$(lock) Change'],
        );
        assert.match(list.items.at(-1)?.detail ?? '', /^Change is not available\. .*administrator|policy/i);
        list.click('Plan');
        list.accept();
      },
      () => chooseMode({ session, contextReader }),
    );
    assert.equal(session.mode, 'plan');
    session.dispose();
    await parts.client.dispose();
  });
});
