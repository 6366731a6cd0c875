import assert from 'node:assert/strict';
import { urisIn } from '../../../src/webview/composer/dropped.ts';

const data =
  (kinds: Readonly<Record<string, string>>) =>
  (kind: string): string =>
    kinds[kind] ?? '';

describe('webview/dropped', () => {
  it('reads one URI per line, without comments, blank lines and duplicates', () => {
    const text = '# from somewhere\r\nfile:///a.ts\r\n\r\nfile:///b.ts\r\nfile:///a.ts\r\n';
    assert.deepEqual(urisIn(data({ 'text/uri-list': text })), ['file:///a.ts', 'file:///b.ts']);
  });

  it("prefers VS Code's own list", () => {
    const both = { 'text/uri-list': 'https://127.0.0.1/a.ts', 'application/vnd.code.uri-list': 'file:///a.ts' };
    assert.deepEqual(urisIn(data(both)), ['file:///a.ts']);
  });

  it('accepts at most fifty, and no other data type', () => {
    const many = Array.from({ length: 99 }, (_, index) => `file:///${index}`).join('\n');
    assert.equal(urisIn(data({ 'text/uri-list': many })).length, 50);
    assert.deepEqual(urisIn(data({ 'text/plain': 'file:///a.ts' })), []);
  });
});
