import assert from 'node:assert/strict';
import { enclosingComment } from '../../../../src/session/inline/enclosingComment.ts';
import { autoClosed, hasInOrder, lineAt, placeIn } from '../../../../src/session/inline/place.ts';
import { RecentCompletions } from '../../../../src/session/inline/recent.ts';

describe('inline completions: the place', () => {
  it('is cut at line endings', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`).join('');
    const { before, after } = placeIn(lines, lines);
    assert.ok(before.length <= 6000 && before.startsWith('line ') && before.endsWith('line 2999\n'));
    assert.ok(after.length <= 2000 && after.startsWith('line 0\n') && after.endsWith('\n'));
  });
  it('has line endings of one kind', () =>
    assert.deepEqual(placeIn('a\r\nb', '\r\nc'), { before: 'a\nb', after: '\nc' }));
  it('keeps the end of a line that is too long', () => {
    assert.equal(placeIn('x'.repeat(9000), '').before.length, 6000);
  });
  it('recognizes brackets that the editor closed automatically', () => {
    for (const closed of [')', '])', '");', "'", '}']) assert.equal(autoClosed(closed), closed);
    for (const written of ['', ') + 1', ' a', '; b']) assert.equal(autoClosed(written), '');
  });
  it('lets a completion replace text that it repeats', () => {
    assert.equal(hasInOrder('a: string[]) {', ')'), true);
    assert.equal(hasInOrder('"a"]);', '"]'), true);
    assert.equal(hasInOrder('a', ')'), false);
    assert.equal(hasInOrder(')]', '])'), false);
    assert.equal(hasInOrder('a', ''), true);
  });
  it('knows its line', () => {
    assert.deepEqual(lineAt({ before: 'a\n  b', after: 'c\nd' }), { typed: '  b', rest: 'c' });
  });
});

describe('inline completions: the text that is scanned for secrets', () => {
  const around = (text: string): string => {
    const [before = '', after = ''] = text.split('|');
    const { from, to } = enclosingComment({ before, after });
    return before.slice(from) + after.slice(0, to);
  };
  it('is the surrounding lines, up to blank ones', () =>
    assert.equal(around('a\n\n// b\n// c|\n// d\n\ne'), '// b\n// c\n// d'));
  it('is the whole of an open block comment, including blank lines', () => {
    assert.equal(around('x\n/* key\n\nmore|\n\nend */\ny'), '/* key\n\nmore\n\nend */');
    assert.equal(around('<!-- key\n\nmore|\n\n-->\n\ny'), '<!-- key\n\nmore\n\n-->');
    assert.equal(around('"""key\n\nmore|\n\n"""\n\ny'), '"""key\n\nmore\n\n"""');
  });
  it('does not include a closed block comment', () => assert.equal(around('/* key */\n\nmore|'), 'more'));
  it('does not include a closed string', () => assert.equal(around('"""key"""\n\nmore|'), 'more'));
  it('is all the known text of an unclosed comment', () => assert.equal(around('/* a\n\n|b\n\nc'), '/* a\n\nb\n\nc'));
});

describe('inline completions: reuse', () => {
  const at = (before: string, after = ';\n') => ({ before, after });
  it('returns the rest of one whose beginning was typed', () => {
    const recent = new RecentCompletions();
    recent.put('file:///a', at('const a'), { insertion: ' = 1 + 2', request: 'r' });
    assert.equal(recent.find('file:///a', at('const a = 1'))?.request, 'r');
    assert.equal(recent.find('file:///a', at('const a'))?.insertion, ' = 1 + 2');
    assert.equal(recent.find('file:///a', at('const a = 1'))?.insertion, ' + 2');
    assert.equal(recent.find('file:///a', at('const a = 2')), undefined);
    assert.equal(recent.find('file:///a', at('const a = 1 + 2')), undefined);
  });
  it('returns only those of the same document and the same following text', () => {
    const recent = new RecentCompletions();
    recent.put('file:///a', at('a'), { insertion: 'b' });
    assert.equal(recent.find('file:///b', at('a')), undefined);
    assert.equal(recent.find('file:///a', at('a', ')\n')), undefined);
  });
  it('remembers that a place has no completion', () => {
    const recent = new RecentCompletions();
    recent.put('file:///a', at('a'), { insertion: '' });
    assert.equal(recent.find('file:///a', at('a'))?.insertion, '');
  });
  it('finds one when the window has moved down a line', () => {
    const recent = new RecentCompletions();
    recent.put('file:///a', at('one\ntwo\nthree'), { insertion: '\nfour();' });
    assert.equal(recent.find('file:///a', at('two\nthree\nfo'))?.insertion, 'ur();');
  });
  it('forgets the oldest', () => {
    const recent = new RecentCompletions();
    for (let index = 0; index < 40; index += 1) recent.put(`file:///${index}`, at('a'), { insertion: 'b' });
    assert.equal(recent.find('file:///0', at('a')), undefined);
    assert.equal(recent.find('file:///39', at('a'))?.insertion, 'b');
  });
});
