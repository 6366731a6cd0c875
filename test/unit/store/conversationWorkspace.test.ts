import assert from 'node:assert/strict';
import fc from 'fast-check';
import { workspaceKey } from '../../../src/store/conversations/conversationWorkspace.ts';

describe('store: the key of a workspace', () => {
  it('is the same for the same folders, in any spelling', () => {
    for (const [one, other] of [
      [
        ['file:///a', 'file:///b'],
        ['file:///b', 'file:///a', 'file:///a'],
      ],
      [['file:///a/'], ['file:///a']],
      [['file:///c%3A/Work'], ['file:///C:/Work']],
      [['file:///a/%C3%BC%20x'], ['file:///a/ü x']],
      [['file:///a/u\u0308'], ['file:///a/ü']],
      [['vscode-remote://SSH-Remote%2Bhost/a'], ['vscode-remote://ssh-remote+host/a']],
    ] as const) {
      assert.equal(workspaceKey(one), workspaceKey(other));
    }
  });

  it('differs for other folders', () => {
    const keys = [
      ['file:///a'],
      ['file:///b'],
      ['file:///A'],
      ['file:///a', 'file:///b'],
      ['file:///a/b'],
      ['x://h/a'],
    ];
    assert.equal(new Set(keys.map(workspaceKey)).size, keys.length);
  });

  it('is a folder name that reveals nothing about the workspace', () => {
    assert.equal(workspaceKey([]), 'no-workspace');
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (uris) => /^[0-9a-f]{32}$/.test(workspaceKey(uris))),
    );
  });
});
