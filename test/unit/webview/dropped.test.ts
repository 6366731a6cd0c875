import assert from 'node:assert/strict';
import { hasImage, urisIn } from '../../../src/webview/composer/dropped.ts';

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

  it('finds an image among what comes from outside', () => {
    const of = (...items: readonly { readonly kind: string; readonly type: string }[]): DataTransfer =>
      ({ items }) as unknown as DataTransfer;
    assert.equal(hasImage(of({ kind: 'string', type: 'text/html' }, { kind: 'file', type: 'image/png' })), true);
    assert.equal(hasImage(of({ kind: 'string', type: 'image/png' }, { kind: 'file', type: 'text/plain' })), false);
    assert.equal(hasImage(of()), false);
    assert.equal(hasImage(null), false);
  });

  it('accepts at most fifty, and no other data type', () => {
    const many = Array.from({ length: 99 }, (_, index) => `file:///${index}`).join('\n');
    assert.equal(urisIn(data({ 'text/uri-list': many })).length, 50);
    assert.deepEqual(urisIn(data({ 'text/plain': 'file:///a.ts' })), []);
  });
});
