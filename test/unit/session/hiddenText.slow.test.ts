import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hiddenCharacters, remoteSchemas } from '../../../src/session/prompts/hiddenText.ts';

const at = (text: string): readonly string[] =>
  hiddenCharacters(text.split('\n')).map(({ line, character, kind, what }) => `${line}:${character} ${kind} ${what}`);

describe('hidden characters in generated code', () => {
  it('bidirectional controls are reported with line and code point', () => {
    // From the Trojan Source paper: what looks like a comment is code.
    assert.deepEqual(at("if (level != 'user\u202e \u2066// only admins\u2069 \u2066') {\n\u200fx"), [
      '0:18 bidirectional U+202E',
      '0:20 bidirectional U+2066',
      '0:35 bidirectional U+2069',
      '0:37 bidirectional U+2066',
      '1:0 bidirectional U+200F',
    ]);
  });

  it('characters without width, and those that look like missing spaces or letters', () => {
    assert.deepEqual(at('a\u200bb\u2060\ufeff\u00ad\u3164 \u2800'), [
      '0:1 invisible U+200B',
      '0:3 invisible U+2060',
      '0:4 invisible U+FEFF',
      '0:5 invisible U+00AD',
      '0:6 invisible U+3164',
      '0:8 invisible U+2800',
    ]);
  });

  it('characters that can encode a message: tags and variation selectors', () => {
    assert.deepEqual(at('x\u{e0041}\u{e0100}y\ufe01'), ['0:1 tag U+E0041', '0:3 tag U+E0100', '0:6 invisible U+FE01']);
  });

  it('controls, line separators and lone surrogates', () => {
    assert.deepEqual(at('\tok\u0008\u001b[2K\u0085\u2028\ud800'), [
      '0:3 control U+0008',
      '0:4 control U+001B',
      '0:8 control U+0085',
      '0:9 control U+2028',
      '0:10 control U+D800',
    ]);
  });

  it('ordinary text has none: languages, emoji, mathematics', () => {
    const texts = [
      'größer Ελληνικά 日本語 العربية עברית हिन्दी',
      '👩‍👩‍👧 ❤️ 👍🏽 1️⃣ 🏳️‍🌈 ✔️',
      '∀x ∈ ℝ: ¬(x < 0) → x ≥ 0',
      'a\tb « c »',
      // Flags of regions and of countries.
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿 🇩🇪',
      // Joiners that shape letters: Persian, Hindi, Marathi, Bengali, Sinhala, Malayalam, Kannada.
      'می\u200cخواهم کتاب\u200cها نمی\u200cشود',
      'क्\u200dष क्\u200cष र्\u200dय',
      'র\u200d্যাম ক্\u200dষ',
      'ශ්\u200dරී ක්\u200dය',
      'ന്\u200d ര്\u200cയ',
      'ರ್\u200dಕ',
    ];
    assert.deepEqual(at(texts.join('\n')), []);
  });

  it('joiners, tags and selectors that shape nothing are hidden', () => {
    for (const [text, ...hidden] of [
      ['کار\u200cها', '0:3 invisible U+200C'],
      ['کتاب\u200c', '0:4 invisible U+200C'],
      ['کتاب\u200c\u200cها', '0:4 invisible U+200C', '0:5 invisible U+200C'],
      ['a\u200cb', '0:1 invisible U+200C'],
      ['कक\u200dक', '0:2 invisible U+200D'],
      ['\u094d\u200dक', '0:1 invisible U+200D'],
      ['क्\u200c', '0:2 invisible U+200C'],
      ['क्\u200cx = 1;\u200d', '0:9 invisible U+200D'],
      ['\u{1f3f4}\u{e0061}\u{e007f}', '0:2 tag U+E0061', '0:4 tag U+E007F'],
      ['x\u{e0067}', '0:1 tag U+E0067'],
      ['🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{e0061}', '0:14 tag U+E0061'],
    ] as const) {
      assert.deepEqual(
        at(text),
        hidden.filter((each) => each !== undefined),
        JSON.stringify(text),
      );
    }
  });

  it('a joiner between letters is hidden, even after an emoji', () => {
    assert.deepEqual(at('admin\u200d'), ['0:5 invisible U+200D']);
    assert.deepEqual(at('👍\u200dx'), ['0:2 invisible U+200D']);
    assert.deepEqual(at('x\ufe0f'), ['0:1 invisible U+FE0F']);
  });

  it('every format character is found, and no letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = text.replace(/[\n\r]/g, '');
        const found = new Set(hiddenCharacters([line]).map(({ character }) => character));
        let place = 0;
        for (const each of line) {
          const isFormat =
            /[\p{Cf}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(each) &&
            each !== '\t' &&
            !['\u200c', '\u200d'].includes(each);
          if (isFormat) assert.ok(found.has(place), `U+${each.codePointAt(0)?.toString(16)} is hidden`);
          if (/[\p{L}\p{N}\p{P}]/u.test(each) && !/[\u115f\u1160\u3164\uffa0]/u.test(each))
            assert.ok(!found.has(place));
          place += each.length;
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('lines are numbered as reported, and at most 500 are listed', () => {
    assert.equal(hiddenCharacters(['\u200b'], 7)[0]?.line, 7);
    assert.equal(hiddenCharacters(['\u200b'.repeat(10_000)]).length, 500);
  });
});

describe('remote schemas in generated JSON', () => {
  const found = (text: string, from?: number, to?: number): readonly string[] =>
    remoteSchemas(text.split('\n'), from, to).map(({ line, character, what }) => `${line}:${character} ${what}`);

  it('are found at any depth and in any spelling', () => {
    assert.deepEqual(found('{\n  "$schema": "https://example.com/a.json"\n}'), ['1:2 https://example.com/a.json']);
    assert.deepEqual(found('{"\\u0024schema":"\\u0068ttp://example.com"}'), ['0:1 http://example.com']);
    assert.deepEqual(found('{"$schema":\n"//example.com/x"}'), ['0:1 //example.com/x']);
    assert.deepEqual(found('{"a":{"$schema": "ftp://example.com"}}'), ['0:6 ftp://example.com']);
  });

  it('are ignored if the schema is a workspace file, or the key is another', () => {
    assert.deepEqual(found('{"$schema": "./schema.json", "schema": "https://example.com"}'), []);
  });

  it('are reported only for the requested lines', () => {
    const text = '{"$schema": "https://a.example"}\n{"$schema": "https://b.example"}\n{"$schema": "https://c.example"}';
    assert.deepEqual(found(text, 1, 2), ['1:1 https://b.example']);
  });
});
