import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { Repository } from '../git/repository.ts';
import { DiskWorkspace, excludedContentIn } from './stage.ts';
import { Uri } from './vscodeFiles.ts';

const text = 'the anchors of the eastern harbor are counted by the keeper of the northern lighthouse\n'.repeat(3);
const values = 'DB_PASSWORD=Xk9#mQ2pL7vR\n';

describe('unsaved text of an excluded file', () => {
  const foundIn = async (repository: Repository, uri: Uri, unsaved: string): Promise<readonly string[]> => {
    const workspace = new DiskWorkspace(repository.folder);
    workspace.unsaved = [{ uri, text: unsaved }];
    workspace.settings = { exclude: { workspaceValue: { '**/hidden.ts': true } } };
    const content = await excludedContentIn(workspace);
    const { find, nameOf } = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded: [] });
    return (await find(unsaved, undefined)).map(({ file }) => nameOf(file));
  };
  const repository = (): Repository => {
    const made = new Repository();
    made.put('.gitignore', 'private/\nnotebook.ipynb\n.env\n');
    made.put('src/a.ts', '');
    made.commit();
    made.put('private/old.txt', 'nothing\n');
    made.put('notebook.ipynb', '{"cells":[]}');
    return made;
  };

  for (const [what, scheme, path, unsaved, name] of [
    ['in an editor', 'file', 'private/old.txt', text, 'private/old.txt'],
    ['that is not on the disk', 'file', 'private/new.txt', text, 'private/new.txt'],
    ['that was never saved', 'untitled', 'private/new.txt', text, 'private/new.txt'],
    ['with credentials that was never saved', 'untitled', '.env', values, '.env'],
    ['in a cell of a notebook', 'vscode-notebook-cell', 'notebook.ipynb', text, 'notebook.ipynb'],
    ['that was opened through a link', 'file', 'link/old.txt', text, 'private/old.txt'],
  ] as const) {
    it(`is recognized: ${what}`, async () => {
      using made = repository();
      symlinkSync('private', made.at('link'));
      assert.deepEqual([...new Set(await foundIn(made, new Uri(scheme, made.at(path)), unsaved))], [name]);
    });
  }

  it('is not searched for if no rule excludes the file, or only the explorer hides it', async () => {
    using made = repository();
    for (const name of ['src/b.ts', 'src/hidden.ts']) {
      assert.deepEqual(await foundIn(made, new Uri('untitled', made.at(name)), text), [], name);
    }
    assert.deepEqual(await foundIn(made, new Uri('untitled', 'Untitled-1'), text), []);
  });
});
