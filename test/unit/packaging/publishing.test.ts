import assert from 'node:assert/strict';
import { notSetForPublishing, type PublishedManifest } from '../../tools/publishing.ts';

const ready: PublishedManifest = {
  name: 'svc-coder',
  publisher: 'example',
  repository: { type: 'git', url: 'https://github.com/example/svc-coder.git' },
  bugs: { url: 'https://github.com/example/svc-coder/issues' },
};
const none: ReadonlyMap<string, string> = new Map();

/** The names of what is not set. */
function found(manifest: PublishedManifest, sources = none): readonly string[] {
  return notSetForPublishing(manifest, sources).map((line) => line.split(' ')[0] ?? '');
}

describe('npm run publishing', () => {
  it('accepts a manifest with all fields', () => {
    assert.deepEqual(found(ready), []);
    const { repository: _, bugs: __, ...rest } = ready;
    const asText = {
      repository: 'git+https://gitlab.com/group/example/svc-coder.git',
      bugs: 'https://bugs.example.com/svc',
    };
    assert.deepEqual(found({ ...rest, ...asText, private: false }), []);
  });

  it('lists every field that is not set, with what is expected', () => {
    assert.deepEqual(found({ name: 'svc-coder', publisher: 'svc', private: true }), [
      'publisher',
      'repository',
      'bugs',
      'private',
    ]);
    for (const line of notSetForPublishing({ private: true }, none)) {
      assert.match(line, /^\w+ is (not set|true)\. Expected: .{5,}\.$/);
    }
  });

  it('rejects values that the Marketplace cannot use', () => {
    for (const publisher of ['', 'a b', '-a', 5, null]) assert.deepEqual(found({ ...ready, publisher }), ['publisher']);
    for (const address of [
      '',
      'http://github.com/a/b',
      'https://github.com/a',
      'https://example.com/a/b',
      5,
      null,
      {},
    ]) {
      assert.deepEqual(found({ ...ready, repository: address }), ['repository']);
      assert.deepEqual(found({ ...ready, repository: { type: 'git', url: address } }), ['repository']);
    }
    for (const bugs of ['', 'mailto:a@example.com', 'http://example.com/a', { email: 'a@example.com' }, null]) {
      assert.deepEqual(found({ ...ready, bugs }), ['bugs']);
    }
  });

  it('lists the sources that name the extension by another publisher', () => {
    const sources = new Map([
      ['src/a.ts', "open('@ext:svc.svc-coder')"],
      ['src/b.ts', "open('@ext:example.svc-coder')"],
      ['src/c.ts', "'svc-coder'"],
    ]);
    assert.deepEqual(found(ready, sources), ['src/a.ts']);
  });
});
