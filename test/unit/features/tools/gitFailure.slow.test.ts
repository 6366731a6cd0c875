import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { DiskWorkspace, moduleIn } from '../../platform/excludedContent/stage.ts';
import { Repository } from '../../platform/git/repository.ts';

type Module = typeof import('../../../../src/features/tools/vscode/toolboxes.ts');
type Parts = Parameters<Module['createToolboxes']>[0];

const settings: Readonly<Record<string, object>> = {
  svc: { globalValue: { tools: { enabled: true } } },
  'svc.tools.enabled': { globalValue: true },
};

describe('a tool that git fails', () => {
  it('tells the model no name that git gives as its reason', async () => {
    using repository = new Repository();
    repository.put('.svcignore', 'acquisition-of-quux/\n');
    repository.put('acquisition-of-quux/plan.md', 'one\n');
    repository.commit();
    // Git warns that it cannot read this file, which applies to a changed file, and then cannot read the last commit.
    symlinkSync('nowhere', repository.at('acquisition-of-quux/.gitattributes'));
    repository.put('acquisition-of-quux/plan.md', 'two\n');
    const tree = repository.git('rev-parse', 'HEAD^{tree}').trim();
    rmSync(repository.at(`.git/objects/${tree.slice(0, 2)}`), { recursive: true });
    const workspace = new DiskWorkspace(repository.folder);
    Object.assign(workspace, { repositories: [workspace.folder], setting: (key: string) => settings[key] });
    const { createToolboxes } = await moduleIn<Module>(workspace, 'src/features/tools/vscode/toolboxes.ts');
    const contextReader = { toolRules: {}, limits: () => ({ fileBytes: 1_000_000 }), requireFeature: () => undefined };
    const parts = { contextReader, proposed: () => undefined } as unknown as Parts;
    const toolbox = (await createToolboxes(parts)('one', 'ask')) ?? assert.fail();
    const call = { id: '1', name: 'git_diff', input: {} };
    const { state, output } = await toolbox.run(call, new AbortController().signal);
    const told = [output.text, ...output.attachments.map(({ text }) => text)].join('\n');
    assert.equal(state, 'failed', told);
    assert.match(told, /^The tool failed: git failed\./);
    assert.doesNotMatch(told, /quux|gitattributes|links/);
  });
});
