import assert from 'node:assert/strict';
import { spelledRoot } from '../../../../src/gate/ignore/spelledRoot.ts';

describe('gate: the workspace folders around a folder', () => {
  const around = (folder: string, ignoresCase: boolean): readonly (string | null)[] =>
    ['/w', '/w/a', '/w/A', '/w/ab', '/'].map((root) => spelledRoot(folder, root, ignoresCase));

  it('are all that contain it, by whole names, including nested ones', () => {
    assert.deepEqual(around('/w/a/x', false), ['/w', '/w/a', null, null, '/']);
    assert.deepEqual(around('/w/a', false), ['/w', '/w/a', null, null, '/']);
    assert.deepEqual(around('/', false), [null, null, null, null, '/']);
  });

  it('are spelled like the folder on case-insensitive systems', () => {
    assert.deepEqual(around('/W/A/x', true), ['/W', '/W/A', '/W/A', null, '/']);
  });
});
