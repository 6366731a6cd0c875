import assert from 'node:assert/strict';
import { spelledRoot } from '../../../../src/gate/ignore/spelledRoot.ts';

describe('gate: the workspace folders around a folder', () => {
  const around = (folder: string, ignoresCase: boolean): readonly (string | null)[] =>
    ['/w', '/w/a', '/w/A', '/w/ab', '/'].map((root) => spelledRoot(folder, root, ignoresCase));

  it('are all that contain it, by whole names, nested ones too', () => {
    assert.deepEqual(around('/w/a/x', false), ['/w', '/w/a', null, null, '/']);
    assert.deepEqual(around('/w/a', false), ['/w', '/w/a', null, null, '/']);
    assert.deepEqual(around('/', false), [null, null, null, null, '/']);
  });

  it('are spelled as it is, where case makes no difference', () => {
    assert.deepEqual(around('/W/A/x', true), ['/W', '/W/A', '/W/A', null, '/']);
  });
});
