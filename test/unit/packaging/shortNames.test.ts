import assert from 'node:assert/strict';
import { shortNames, withShortNames } from '../../tools/packaging/shortNames.ts';

describe('the names of chunks in the VSIX', () => {
  it('have the shortest hashes that differ, in paths and in the files that import them', () => {
    const files = ['dist/host/chunk-ABCDEFGH.js', 'dist/host/chunk-ABXYZQ23.js', 'dist/webview/prism-ABCDEFGH.js'];
    const names = shortNames([...files, 'dist/extension.js', 'docs/chat.md']);
    assert.deepEqual(
      files.map((file) => withShortNames(file, names)),
      ['dist/host/chunk-ABC.js', 'dist/host/chunk-ABX.js', 'dist/webview/prism-ABC.js'],
    );
    const text = 'import{a}from"./chunk-ABCDEFGH.js";import("./host/chunk-ABXYZQ23.js");"other-ABCDEFGH.js"';
    assert.equal(
      withShortNames(text, names),
      'import{a}from"./chunk-ABC.js";import("./host/chunk-ABX.js");"other-ABCDEFGH.js"',
    );
  });

  it('stay different where hashes begin alike', () => {
    const files = ['a/chunk-ABCDEFGH.js', 'a/chunk-ABCDEFGI.js', 'b/chunk-ABCDEFGH.js'];
    const names = shortNames(files);
    assert.deepEqual([...names.values()], ['chunk-ABCDEFGH.js', 'chunk-ABCDEFGI.js']);
  });
});
