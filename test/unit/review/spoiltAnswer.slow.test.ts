import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readLoose } from '../../../src/review/answer/looseJson.ts';
import { readAnswer } from '../../../src/review/answer/readAnswer.ts';
import { rulesFor } from '../../../src/review/catalog.ts';

const rules = rulesFor(['pci-dss']);
const read = (answer: string) => readAnswer(answer, { rules, names: ['src/pay.ts'], finishReason: 'stop' });
const one = '{"rule":"pci-injection","line":3,"quote":"eval(text)","message":"Run as code."}';

describe('the answer of a review, of any findings', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((each) => each.trim() !== '');
  const findings = fc.array(fc.record({ rule: fc.constant('pci-injection'), quote: text, message: text }), {
    maxLength: 6,
  });

  it('is the same for any findings with text around them', () => {
    fc.assert(
      fc.property(
        findings,
        fc.constantFrom('', 'Here:\n', '```json\n'),
        fc.constantFrom('', '\nDone.', '\n```'),
        (each, a, b) => {
          const plain = JSON.stringify({ findings: each });
          assert.deepEqual(read(a + plain + b), read(plain));
          assert.equal(read(plain).lost.length, 0);
          const quotes = new Set(each.map(({ quote }) => quote));
          assert.deepEqual(new Set(read(plain).findings.map(({ quote }) => quote)), quotes);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never loses a finding to one that was spoilt before it', () => {
    const spoilt = JSON.stringify({ rule: 'pci-injection', line: 1, quote: 'a', message: 'b' });
    fc.assert(
      fc.property(fc.nat(), fc.string({ unit: 'grapheme', maxLength: 3 }), (at, inserted) => {
        const place = 1 + (at % (spoilt.length - 1));
        const letters = inserted.replace(/["'`“”‘„\\/#[{]/g, '');
        const answer = `{"findings":[${spoilt.slice(0, place)}${letters}${spoilt.slice(place + 1)},${one}]}`;
        assert.ok(
          read(answer).findings.some(({ line, quote }) => line === 3 && quote === 'eval(text)'),
          answer,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('loose JSON', () => {
  it('is JSON where it is JSON', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }).filter((json) => /^\s*[[{]/.test(json)),
        fc.constantFrom(undefined, 2),
        (json, space) => {
          const value = JSON.parse(json);
          const { value: loose, is } = readLoose(JSON.stringify(value, null, space), 0);
          assert.equal(is, 'whole');
          assert.deepEqual(JSON.parse(JSON.stringify(loose)), value);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
