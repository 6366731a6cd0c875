import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodedIn } from '../../../../src/gate/fingerprints/encoded.ts';
import { fileOf, GramTable } from '../../../../src/gate/fingerprints/gramTable.ts';
import { HashKey } from '../../../../src/gate/fingerprints/hashes.ts';
import { Hits } from '../../../../src/gate/fingerprints/hits.ts';
import { gramLength, normalizeIn, prefixSize, roomFor, unitsOf } from '../../../../src/gate/fingerprints/normal.ts';
import { aroundPrefixes, unprefixedRoom } from '../../../../src/gate/fingerprints/withoutPrefixes.ts';
import { finished } from '../../../tools/processorTime.ts';
import { plainDecoded, plainHits, plainly, plainRuns, withoutSigns } from './plain.ts';

const numRuns = 300;
const pieces = [...'abXZ019 _-=:."\'\\%&/\t#;@~+|[', '\n', '\r', '\0', '\x1b', 'ß', 'Ж', '鍵', '\u200b', '\u00a0'];
pieces.push(
  '&amp;',
  '&#x41;',
  '&#66;',
  '%25',
  '%41',
  '\\u0041',
  '\\x1b[1;31m',
  '\\n',
  '\\033[0m',
  'src/a.ts:12:',
  'a-7-',
  'app | ',
);
const text = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 120 });
/** Longer texts were in it before: none of them may show. */
const room = roomFor(4096);

describe('gate: the search for excluded files, beside the same written plainly', () => {
  it('reduces any text to the same letters, at the same places', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (text, isPart) => {
        const { units, at, words, prefixes } = normalizeIn(room, unitsOf(text), isPart);
        const is = { units: String.fromCharCode(...units), at: [...at], words: [...words], prefixes: [...prefixes] };
        assert.deepEqual(is, plainly(text, isPart), JSON.stringify(text));
      }),
      { numRuns },
    );
  });

  it('finds the grams of a file in any text, and no others', () => {
    const unit = fc.constantFrom('a', 'b', '\u0416');
    const part = fc.string({ unit, maxLength: 60 });
    const long = fc.string({ unit, maxLength: 700 });
    // Of the file, nothing, a little, or more than is looked up in one step.
    const cut = fc.tuple(part, fc.nat(700), fc.oneof(fc.nat(40), fc.nat(700)));
    const key = new HashKey();
    fc.assert(
      fc.property(long, fc.array(cut, { maxLength: 5 }), fc.nat(60), (file, cuts, step) => {
        const text = cuts.map(([before, from, length]) => before + file.slice(from, from + length)).join('');
        const [prefixes, table] = [new Int32Array(4001), new GramTable()];
        key.prefixes(unitsOf(file), prefixes);
        const isOther = (at: number): boolean => at % 100 < step;
        for (let at = 0; at + gramLength <= file.length; at += 1) {
          table.add(key.between(prefixes, at, at + gramLength), isOther(at) ? 8 : 7);
        }
        const firstFile = (gram: string): number => (isOther(file.indexOf(gram)) ? 8 : 7);
        const hits = new Hits(4000);
        const find = () => {
          key.prefixes(unitsOf(text), prefixes);
          const range = { from: 0, to: text.length - gramLength + 1, power: key.power(gramLength) };
          hits.length = 0;
          table.findAll(prefixes, range, hits);
          const places = [...hits.places.subarray(0, hits.length)];
          for (const [hit, place] of places.entries()) {
            assert.equal(hits.hashes[hit], key.between(prefixes, place, place + gramLength));
            const isNext = place === (places[hit - 1] ?? 0) + (hits.counts[hit - 1] ?? 0);
            assert.ok(!isNext || hits.origins[hit] !== hits.origins[hit - 1], 'adjacent grams of a file are one entry');
          }
          return places.flatMap((place, hit) =>
            Array.from({ length: hits.counts[hit] ?? 0 }, (_, at) => [place + at, fileOf(hits.origins[hit] ?? 0)]),
          );
        };
        const expected = plainHits(file, text, gramLength).map((place) => [
          place,
          firstFile(text.slice(place, place + gramLength)),
        ]);
        assert.deepEqual(find(), expected);
        finished(table.remove(new Set([8])));
        assert.deepEqual(
          find(),
          expected.filter(([, file]) => file === 7),
        );
      }),
      { numRuns },
    );
  });

  it('reads around a prefix beside a short line or one with a hit, and around no other', () => {
    const line = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 1, maxLength: 60, size: 'max' });
    const [length, longLine] = [gramLength - 1, gramLength + 4];
    const copied = unprefixedRoom(4096);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 2, maxLength: 12 }),
        fc.array(fc.nat(200), { maxLength: 3 }),
        (lines, any) => {
          const normal = normalizeIn(room, unitsOf(lines.map((text, at) => `${at}: ${text}`).join('\n')), false);
          const hits = any.filter((place) => place + gramLength <= normal.units.length).sort((a, b) => a - b);
          const read = String.fromCharCode(...aroundPrefixes(normal, 'all', { length, longLine, hits }, copied));
          const starts = lines.map((_, at) => normal.prefixes[prefixSize * at] ?? 0);
          for (const [at, own] of lines.entries()) {
            const before = lines[at - 1];
            if (before === undefined) continue;
            const [from, to] = [starts[at - 1] ?? 0, starts[at + 1] ?? normal.units.length];
            const isFound = hits.some((hit) => hit + gramLength > from + `${at - 1}`.length && hit < to);
            if (!isFound && before.length >= longLine && own.length >= longLine) continue;
            const across = before.slice(-length) + own.slice(0, length);
            assert.ok(read.includes(across), `${across} is not in ${read}`);
          }
          const isNone = hits.length === 0 && lines.slice(1).every((own) => own.length >= longLine);
          if (isNone && (lines[0] ?? '').length >= longLine) assert.ok(read.length <= 2 * length + 2, read);
        },
      ),
      { numRuns },
    );
  });

  it('decodes the same of base64 and hexadecimal digits', () => {
    const bytes = fc.oneof(
      fc.string({ minLength: 20, maxLength: 90 }),
      fc.uint8Array({ minLength: 20, maxLength: 90 }),
      fc
        .constantFrom('Der Schlüssel: ', 'ключ от северного склада лежит в подвале '.repeat(2))
        .map((text) => text + 'key = 4711; '.repeat(20)),
    );
    const encoding = fc.constantFrom('base64', 'base64url', 'hex', 'HEX');
    const before = fc.constantFrom(
      '',
      '',
      '',
      '0x',
      '\\x',
      '/api/v1/upload/',
      'blob_',
      'a',
      'sha1-',
      'the-Name/Of_a/',
      'f'.repeat(41),
      '8\n',
    );
    const signs = fc.constantFrom('', '', '+', '-');
    const signed = (text: string, sign: string): string =>
      sign === '' ? text : text.replace(/.{1,44}/g, `${sign}$&\n`);
    const ends = fc.constantFrom(' ', '"', '\n', '\\n', '\r\n  ', '=', '\nroot@host:', '\nadd', '/x', '_');
    const encoded = (bytes: string | Uint8Array, encoding: string): string =>
      encoding === 'HEX'
        ? Buffer.from(bytes).toString('hex').toUpperCase()
        : Buffer.from(bytes).toString(encoding === 'hex' ? 'hex' : encoding === 'base64' ? 'base64' : 'base64url');
    fc.assert(
      fc.property(fc.array(fc.tuple(before, bytes, encoding, ends, fc.nat(5), signs), { maxLength: 6 }), (parts) => {
        const text = parts
          .map(
            ([before, bytes, encoding, end, cut, sign]) =>
              before + signed(encoded(bytes, encoding).slice(cut), sign) + end,
          )
          .join('');
        const expected: string[] = [];
        for (const { digits, index, isHex } of plainRuns(text)) {
          const isLineStart = index === 0 || text[index - 1] === '\n';
          const decoded = plainDecoded(isHex ? digits : withoutSigns(digits, isLineStart), isHex);
          if (decoded !== null) expected.push(decoded);
        }
        const is: string[] = [];
        for (const decoded of encodedIn(unitsOf(text))) {
          let from = 0;
          for (const to of decoded?.runs.byteEnds ?? []) {
            is.push(Buffer.from(decoded?.bytes.slice(from, to) ?? []).toString('latin1'));
            from = to + 1;
          }
        }
        assert.deepEqual(is, expected, JSON.stringify(text));
      }),
      { numRuns },
    );
  });
});
