import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { committedEdits, ownCandidate } from '../../../../src/evidence/provenance/committed.ts';
import {
  codeOf,
  editKeyOf,
  lineKeyOf,
  sealLines,
  tagAt,
  tagOf,
  withoutSpace,
} from '../../../../src/evidence/provenance/lineKeys.ts';
import { vector } from '../vectors.ts';
import { wholeFile } from './samples.ts';

interface Vector {
  readonly key: string;
  readonly lines: readonly string[];
  readonly record: { readonly request: string; readonly edit: string; readonly code: string };
  readonly tags: string;
  readonly local: string;
  readonly committed: readonly string[];
  readonly pairs: readonly (readonly [number, number])[];
  readonly keys: Readonly<Record<string, string>>;
}

const given = JSON.parse(vector('provenance.json')) as Vector;
const editKey = editKeyOf(Buffer.from(given.key, 'hex'), given.record.edit);

describe('the keys and tags of lines', () => {
  it('are those of the vectors', async () => {
    const { tags, matches, code } = sealLines(editKey, given.lines);
    assert.equal(tags.toString('base64'), given.tags);
    assert.equal(matches.toString('base64'), given.local);
    assert.equal(code, given.record.code);
    const { request, edit } = given.record;
    const about = { edit, request, model: 'm', log: 'l', session: 's', seq: 1, tags };
    const [found] = await committedEdits(
      [ownCandidate(about, editKey, matches)],
      [wholeFile('src/pay.ts', given.committed)],
    );
    assert.deepEqual(
      found?.lines.map(({ index, number }) => [index, number]),
      given.pairs,
    );
    assert.deepEqual(
      Object.fromEntries(found?.lines.map(({ index, key }) => [index, key.toString('base64')]) ?? []),
      given.keys,
    );
  });

  it('are what the definition says, for any lines', () => {
    const hash = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text, 'utf8').digest();
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uuid(),
        fc.array(fc.string()),
        (key, edit, lines) => {
          const k = hash(key, `edit ${edit}`);
          const { tags, matches, code } = sealLines(editKeyOf(key, edit), lines);
          assert.equal(code, codeOf(tags));
          for (const [index, line] of lines.entries()) {
            const text = line.replaceAll(/\s/g, '');
            const tag = hash(hash(k, `line ${index}`).subarray(0, 16), text).subarray(0, 16);
            assert.deepEqual(tagAt(tags, index), tag);
            assert.deepEqual(matches.subarray(8 * index, 8 * index + 8), hash(k, `match ${text}`).subarray(0, 8));
          }
          assert.equal(tagAt(tags, lines.length), null);
        },
      ),
    );
  });

  it('are HMACs as Node computes them, of keys of any length that is used, and of texts that are not well-formed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ unit: 'binary' }), (key, text) => {
        const expected = createHmac('sha256', key).update(`${text}\ud800`, 'utf8').digest();
        assert.deepEqual(tagOf(key, `${text}\ud800`), expected.subarray(0, 16));
      }),
    );
  });

  it('are the same with any white space, and different for any other change', () => {
    const key = lineKeyOf(editKey, 0);
    const tag = (line: string) => tagOf(key, withoutSpace(line)).toString('hex');
    assert.equal(tag('\tif (a)\u00a0{ b(); }\r'), tag('  if(a){b();}'));
    for (const other of ['if(a){c();}', 'if(a){b()}', 'If(a){b();}', ''])
      assert.notEqual(tag(other), tag('if(a){b();}'));
  });
});
