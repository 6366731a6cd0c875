import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type CheckList, withCheckList } from './dialogs.ts';
import { openStageWithKey, type Stage } from './stage.ts';

describe('svc.selectModel', () => {
  let stage: Stage | undefined;
  afterEach(() => stage?.close());

  const select = (use: (list: CheckList) => unknown) =>
    withCheckList(use, () => vscode.commands.executeCommand('svc.selectModel'));
  const shows = async (list: CheckList, label: string): Promise<vscode.QuickPickItem> => {
    for (;;) {
      const found = list.items.find((item) => item.label === label);
      if (found !== undefined) return found;
      await new Promise(setImmediate);
    }
  };

  it('shows what each model of the interface is for', async () => {
    stage = await openStageWithKey();
    await select(async (list) => {
      await shows(list, 'svc/compliance-assistant');
      assert.deepEqual(
        list.items.map(({ label, detail }) => [label, detail]),
        [
          ['svc/auto', 'Default selection: the service selects a model'],
          ['svc/enterprise-coder-v1', 'Code generation'],
          ['svc/secure-partner-3-5-sonnet', 'Security-focused general model'],
          ['svc/compliance-assistant', 'Compliance-oriented review (HIPAA, SOX, PCI DSS)'],
          ['svc/restricted', undefined],
        ],
      );
      list.cancel();
    });
  });

  it('can load the list again where it is empty or failed', async () => {
    stage = await openStageWithKey({ models: [] });
    const { service } = stage;
    const asked = (): number => service.received.filter(({ path }) => path.endsWith('/models')).length;
    await select(async (list) => {
      const { detail } = await shows(list, '$(refresh) Try Again');
      assert.match(detail ?? '', /^The service lists no models\. Enter an identifier/);
      assert.equal(asked(), 1);
      list.click('$(refresh) Try Again');
      list.accept();
      while (asked() < 2) await new Promise(setImmediate);
      list.cancel();
    });
    await stage.close();
    stage = undefined;
    await select(async (list) => {
      const { detail } = await shows(list, '$(refresh) Try Again');
      assert.match(detail ?? '', /^(Cannot reach|The address).* Enter an identifier/);
      list.cancel();
    });
  });
});
