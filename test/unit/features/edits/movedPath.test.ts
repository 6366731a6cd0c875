import assert from 'node:assert/strict';
import { movedPath } from '../../../../src/features/edits/vscode/movedPath.ts';

describe('the path of a renamed file', () => {
  it('changes if the file or a folder above it is renamed', () => {
    assert.equal(movedPath('/a/b.ts', '/a/b.ts', '/a/c.ts'), '/a/c.ts');
    assert.equal(movedPath('/a/b.ts', '/a', '/x/y'), '/x/y/b.ts');
    assert.equal(movedPath('/a/b/c.ts', '/a/', '/x/'), '/x/b/c.ts');
    assert.equal(movedPath('/a b/ä%20.ts', '/a b', '/ö'), '/ö/ä%20.ts');
  });

  it('is unchanged if another file is renamed whose name is a prefix of it', () => {
    for (const from of ['/a/b.t', '/a/b', '/a/b.ts.old', '/b.ts', '/a/B.ts']) {
      assert.equal(movedPath('/a/b.ts', from, '/x'), null, from);
    }
  });
});
