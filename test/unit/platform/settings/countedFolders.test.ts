import assert from 'node:assert/strict';
import { countedFolders, type Place } from '../../../../src/platform/settings/countedFolders.ts';

const at = (path: string, scheme = 'file', authority = ''): Place => ({ scheme, authority, path });
const isFileSystem = (scheme: string): boolean => ['file', 'vscode-vfs', 'git'].includes(scheme);

describe('the folders that apply to content', () => {
  const [app, inner, other] = [at('/w/app'), at('/w/app/packages/pay'), at('/w/other')];
  const folders = [app, inner, other];
  const counted = (...places: readonly Place[]) => countedFolders(places, folders, isFileSystem);

  it('are all that contain a file, not only the innermost', () => {
    assert.deepEqual(counted(at('/w/app/packages/pay/a.ts')), [app, inner]);
    assert.deepEqual(counted(at('/w/app/a.ts')), [app]);
    assert.deepEqual(counted(inner), [app, inner]);
    assert.deepEqual(counted(at('/w/application/a.ts')), []);
    assert.deepEqual(counted(at('/w/other/a.ts'), at('/w/app/a.ts')), [app, other]);
  });

  it('are all folders of the window for content without a path in a file system', () => {
    assert.deepEqual(counted(at('Untitled-1', 'untitled')), folders);
    assert.deepEqual(counted(at('terminal', 'svc-x')), folders);
    assert.deepEqual(counted(), []);
  });

  it('depend on the path, not on the scheme of the view', () => {
    assert.deepEqual(counted(at('/w/other/a.ts', 'git')), [other]);
    assert.deepEqual(counted(at('/w/other/a.ipynb', 'vscode-notebook-cell')), [other]);
    assert.deepEqual(counted(at('/W/Other/A.ts')), [other]);
  });

  it('are none for a file outside of all folders, and none of another authority', () => {
    assert.deepEqual(counted(at('/elsewhere/a.ts')), []);
    const remote = at('/repo', 'vscode-vfs', 'github');
    const find = (authority: string) =>
      countedFolders([at('/repo/a', 'vscode-vfs', authority)], [remote], isFileSystem);
    assert.deepEqual([find('github'), find('elsewhere')], [[remote], []]);
  });

  it('the settings of a root folder apply to everything below it', () => {
    const root = at('/');
    assert.deepEqual(countedFolders([at('/a.ts')], [root], isFileSystem), [root]);
  });
});
