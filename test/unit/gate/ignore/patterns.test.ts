import assert from 'node:assert/strict';
import { bytesOf } from '../../../../src/gate/ignore/bytes.ts';
import type { PatternList } from '../../../../src/gate/ignore/patternList.ts';
import { readPatterns } from '../../../../src/gate/ignore/patterns.ts';
import { wildmatch } from '../../../../src/gate/ignore/wildmatch.ts';
import { finished } from '../../../tools/processorTime.ts';

function patternsOf(text: string): PatternList {
  const { patterns } = finished(readPatterns(Buffer.from(text)));
  return typeof patterns === 'string' ? assert.fail(patterns) : patterns;
}

// The fuzz group `ignore` compares patterns with git. These are the rows that a reader looks up.
describe('gate: a pattern of an ignore file', () => {
  const reading = { ignoresCase: false, looksBack: false };
  const matches = (pattern: string, text: string, isFolder = false, how = reading): boolean => {
    const patterns = patternsOf(pattern);
    const path = bytesOf(text);
    const name = path.slice(path.lastIndexOf('/') + 1);
    return patterns.lastMatch({ path, name, isFolder, reading: how, work: { left: 1_000_000 } }) !== null;
  };

  it('matches bytes: a two-byte letter is two question marks', () => {
    assert.deepEqual([matches('?', 'é'), matches('??', 'é'), matches('[é]', 'é')], [false, true, false]);
    assert.equal(matches('straße', 'straße'), true);
  });

  it('is read in UTF-16 as Windows PowerShell writes it; without a byte order mark, the file is not read', () => {
    const little = Buffer.from('\ufeffprivate/\r\n*.näme\r\n', 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const file of [little, big]) {
      const { patterns } = finished(readPatterns(file));
      assert.ok(typeof patterns !== 'string');
      const asked = { reading, work: { left: 1_000_000 } };
      const of = (path: string, isFolder: boolean) =>
        patterns.lastMatch({ path: bytesOf(path), name: bytesOf(path), isFolder, ...asked })?.line;
      assert.deepEqual([of('private', true), of('a.näme', false), of('private', false)], [1, 2, undefined]);
      assert.equal(finished(readPatterns(file.subarray(2))).patterns, 'unreadable');
    }
    // git ends the pattern at the character NUL.
    assert.equal(matches('a\0b', 'a'), true);
  });

  it('treats `**` as special only between slashes', () => {
    assert.deepEqual(
      [matches('a/**/b', 'a/b'), matches('a/**/b', 'a/x/y/b'), matches('a/**', 'a')],
      [true, true, false],
    );
    assert.deepEqual([matches('x**y', 'x1y'), matches('a/x**y', 'a/x/y')], [true, false]);
  });

  it('`foo**/bar` matches more in git before 2.52', () => {
    const of = (looksBack: boolean) =>
      ['foo/x/bar', 'foobar'].map((path) => matches('foo**/bar', path, false, { ...reading, looksBack }));
    assert.deepEqual(
      [of(false), of(true)],
      [
        [true, true],
        [false, false],
      ],
    );
  });

  it('the last match in the file applies, wherever it begins or ends', () => {
    const lines = ['a*', '*z', '!a/b', '**/bz', '?', 'AZ', '!*'];
    const last = (text: string, ignoresCase: boolean, count: number): string | undefined =>
      patternsOf(lines.slice(0, count).join('\n')).lastMatch({
        path: text,
        name: text.slice(text.lastIndexOf('/') + 1),
        isFolder: false,
        reading: { ...reading, ignoresCase },
        work: { left: 1_000_000 },
      })?.written;
    assert.deepEqual(
      [last('az', false, 6), last('az', true, 6), last('a/b', false, 6), last('x/bz', false, 6), last('az', true, 7)],
      ['*z', 'AZ', '?', '**/bz', '!*'],
    );
    assert.deepEqual([last('q', false, 4), last('a/b', false, 4)], [undefined, '!a/b']);
  });

  it('drops trailing spaces, the carriage return and the byte order mark', () => {
    assert.equal(matches('a  ', 'a'), true);
    assert.equal(matches('a\\ ', 'a '), true);
    assert.equal(matches('a\r\n', 'a'), true);
    assert.equal(matches('\ufeffa', 'a'), true);
    assert.equal(matches('# a', '# a'), false);
    assert.equal(matches('\\#a', '#a'), true);
  });

  it('a pattern with a trailing slash matches folders', () => {
    assert.deepEqual([matches('a/', 'a'), matches('a/', 'a', true), matches('a/', 'x/a', true)], [false, true, true]);
  });

  it('finishes in time for any number of stars', () => {
    const names = 'a'.repeat(30);
    assert.equal(wildmatch('*a'.repeat(30).concat('b'), names, { isPath: true, ignoresCase: false }), false);
    const folders = Array.from({ length: 40 }, () => 'a').join('/');
    assert.equal(wildmatch('**/*a*/'.repeat(20).concat('b'), folders, { isPath: true, ignoresCase: false }), false);
  });
});
