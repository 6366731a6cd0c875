import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WordSearch } from '../../../src/store/conversations/conversationSearch.ts';

/** A file with these texts as prompts and answers, in turn, and all other fields. */
function fileOf(texts: readonly string[], other = 'elsewhere'): Buffer {
  const decoy = `${other} "prompt":"${other}" "answer":{"text":"${other}" \\`;
  const attachments = [{ label: other, text: decoy }];
  const turns = texts.map((text, index) => ({
    id: other,
    question: { action: 'chat', ...(index % 2 === 0 ? { prompt: text } : {}), attachments },
    answer: { ...(index % 2 === 0 ? {} : { text }), receipt: { text: decoy }, isWithoutTools: true },
    summary: { text: decoy, model: null },
  }));
  return Buffer.from(`${JSON.stringify({ version: 3, conversation: { id: 'a', title: other, turns } })}\n`);
}
const find = (words: string, ...texts: readonly string[]): string | null =>
  WordSearch.for(words)?.inFile(fileOf(texts)) ?? null;

describe('store/conversationSearch', () => {
  it('finds words in prompts and answers, in any case and with any white space between', () => {
    assert.equal(find('LIGHTHOUSE', 'The lighthouse.'), 'The lighthouse.');
    assert.equal(find('say "no"', 'a', 'They say\n\t"No".'), 'They say "No".');
    assert.equal(find('c:\\temp', 'In C:\\Temp.'), 'In C:\\Temp.');
    assert.equal(find('übergang', 'Der ÜBERGANG.'), 'Der ÜBERGANG.');
    assert.equal(find('привет', 'ПРИВЕТ всем'), 'ПРИВЕТ всем');
    assert.equal(find('灯台', '古い灯台 です'), '古い灯台 です');
    assert.equal(find('😀', 'so 😀 am I'), 'so 😀 am I');
    assert.equal(find('"', 'one " quote'), 'one " quote');
    assert.equal(find('(a+b)*', 'is (A+B)* here'), 'is (A+B)* here');
  });

  it('finds nothing elsewhere: names, attachments, values that are not text', () => {
    for (const words of ['elsewhere', 'prompt', 'version', 'true', 'null', ',', '{', ':', 'attachments']) {
      assert.equal(find(words, 'a question', 'its answer'), null, words);
    }
    assert.equal(find('question its', 'a question', 'its answer'), null);
  });

  it('continues after a partial match that is not the searched text', () => {
    const long = 'the lamp '.repeat(50_000);
    assert.equal(
      find('the lighthouse', long, `${long} the Lighthouse stands`)?.includes('the Lighthouse stands'),
      true,
    );
    assert.equal(find('lamp post', long), null);
  });

  it('checks each place once, for any number of partial matches', () => {
    const search = WordSearch.for('lamp post');
    const bytes = fileOf(['lamp '.repeat(80_000)]);
    const decode = Buffer.prototype.toString;
    let decoded = 0;
    bytes.toString = (...given: [BufferEncoding?, number?, number?]) => {
      decoded += (given[2] ?? bytes.length) - (given[1] ?? 0);
      return decode.apply(bytes, given);
    };
    assert.equal(search?.inFile(bytes), null);
    assert.ok(decoded < 5 * bytes.length, `${decoded} of ${bytes.length}`);
    for (const at of [0, 999, 1_000, 1_001, 2_500, 60_000]) {
      const text = `${'lamp '.repeat(at)}lamp\n\n post${' lamp'.repeat(3_000)}`;
      assert.notEqual(search?.inFile(fileOf([text, 'post'])), null, String(at));
    }
    assert.equal(find('lamp post', 'a lamp', 'post'), null);
  });

  it('shows the match in one line, and marks where it is truncated', () => {
    const excerpt = find('here', `${'ü\n'.repeat(5_000)}"here"${' "\\ß'.repeat(5_000)}`) ?? '';
    assert.match(excerpt, /^…ü (ü )*"here" "\\ß .*…$/);
    assert.ok(excerpt.length <= 160 && excerpt.isWellFormed());
  });

  it('finds the same as a search of the parsed texts, even if JSON escapes them', () => {
    const letter = fc.constantFrom(...'abAB "\\\n\tüÜ灯😀/u0041\u0001,:{}');
    const text = fc.array(letter, { maxLength: 40 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (texts, words) => {
        const search = WordSearch.for(words);
        if (search === null) return;
        const expected = texts.some((one) => search.inText(one) !== null);
        assert.equal(search.inFile(fileOf(texts, 'z')) !== null, expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        WordSearch.for('a"b c')?.inFile(Buffer.from(bytes));
        WordSearch.for('a')?.inFile(Buffer.from(bytes));
        WordSearch.for('ü')?.inFile(Buffer.from(bytes));
      }),
    );
  });
});
