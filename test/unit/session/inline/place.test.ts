import assert from 'node:assert/strict';
import { autoClosed, hasInOrder, lineAt, placeIn } from '../../../../src/session/inline/place.ts';
import { RecentCompletions } from '../../../../src/session/inline/recent.ts';
import { surroundings } from '../../../../src/session/inline/surroundings.ts';

describe('inline completions: the place', () => {
  it('is cut at line ends', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`).join('');
    const { before, after } = placeIn(lines, lines);
    assert.ok(before.length <= 6000 && before.startsWith('line ') && before.endsWith('line 2999\n'));
    assert.ok(after.length <= 2000 && after.startsWith('line 0\n') && after.endsWith('\n'));
  });
  it('has line ends of one kind', () => assert.deepEqual(placeIn('a\r\nb', '\r\nc'), { before: 'a\nb', after: '\nc' }));
  it('keeps the end of a line that is too long', () => {
    assert.equal(placeIn('x'.repeat(9000), '').before.length, 6000);
  });
  it('knows what the editor has closed by itself', () => {
    for (const closed of [')', '])', '");', "'", '}']) assert.equal(autoClosed(closed), closed);
    for (const written of ['', ') + 1', ' a', '; b']) assert.equal(autoClosed(written), '');
  });
  it('lets a completion take the place of what it says too', () => {
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

describe('inline completions: what is looked at for secrets', () => {
  const around = (text: string): string => {
    const [before = '', after = ''] = text.split('|');
    const { from, to } = surroundings({ before, after });
    return before.slice(from) + after.slice(0, to);
  };
  it('is the lines around, up to blank ones', () =>
    assert.equal(around('a\n\n// b\n// c|\n// d\n\ne'), '// b\n// c\n// d'));
  it('is the whole of an open block comment, blank lines and all', () => {
    assert.equal(around('x\n/* key\n\nmore|\n\nend */\ny'), '/* key\n\nmore\n\nend */');
    assert.equal(around('<!-- key\n\nmore|\n\n-->\n\ny'), '<!-- key\n\nmore\n\n-->');
    assert.equal(around('"""key\n\nmore|\n\n"""\n\ny'), '"""key\n\nmore\n\n"""');
  });
  it('is not the block comment that has ended', () => assert.equal(around('/* key */\n\nmore|'), 'more'));
  it('is not the text that has ended', () => assert.equal(around('"""key"""\n\nmore|'), 'more'));
  it('is all that is known of a comment that does not end', () =>
    assert.equal(around('/* a\n\n|b\n\nc'), '/* a\n\nb\n\nc'));
});

describe('inline completions: found again', () => {
  const at = (before: string, after = ';\n') => ({ before, after });
  it('is the rest of one whose beginning was typed', () => {
    const recent = new RecentCompletions();
    recent.put('file:///a', at('const a'), ' = 1 + 2');
    assert.equal(recent.find('file:///a', at('const a')), ' = 1 + 2');
    assert.equal(recent.find('file:///a', at('const a = 1')), ' + 2');
    assert.equal(recent.find('file:///a', at('const a = 2')), undefined);
    assert.equal(recent.find('file:///a', at('const a = 1 + 2')), undefined);
  });
  it('is only that of the same document and what follows', () => {
    const recent = new RecentCompletions();
    recent.put('file:///a', at('a'), 'b');
    assert.equal(recent.find('file:///b', at('a')), undefined);
    assert.equal(recent.find('file:///a', at('a', ')\n')), undefined);
  });
  it('knows that nothing comes', () => {
    const recent = new RecentCompletions();
    recent.put('file:///a', at('a'), '');
    assert.equal(recent.find('file:///a', at('a')), '');
  });
  it('is found when the window has moved down a line', () => {
    const recent = new RecentCompletions();
    recent.put('file:///a', at('one\ntwo\nthree'), '\nfour();');
    assert.equal(recent.find('file:///a', at('two\nthree\nfo')), 'ur();');
  });
  it('forgets the oldest', () => {
    const recent = new RecentCompletions();
    for (let index = 0; index < 40; index += 1) recent.put(`file:///${index}`, at('a'), 'b');
    assert.equal(recent.find('file:///0', at('a')), undefined);
    assert.equal(recent.find('file:///39', at('a')), 'b');
  });
});
