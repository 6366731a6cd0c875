import assert from 'node:assert/strict';
import fc from 'fast-check';
import { longWordsOf } from '../../src/gate/secrets/longWords.ts';
import { recommendedRules } from '../../src/gate/secrets/rules/recommended.ts';
import { tokenRules } from '../../src/gate/secrets/rules/tokens.ts';
import type { SecretSpan } from '../../src/gate/secrets/span.ts';
import { Dice } from '../tools/dice.ts';
import { check, type Property } from './group.ts';
import { contexts, examples, lines } from './secretExamples.ts';

const rules = [...recommendedRules, ...tokenRules].filter(({ isInWord }) => isInWord === true);

/** What may stand before or after a word: escapes, colors, and letters that are not ASCII. */
const edges = [
  '\\n',
  '\\u001b',
  '%3D',
  '\x1b[0;31m',
  '[31m',
  'é',
  '𝐀',
  '😀',
  '"',
  '(',
  '_',
  '.',
  ';',
  ' ',
  '\0',
  '$',
  '@',
];

const piece = fc.oneof(
  fc.nat().map((seed) => new Dice(seed).pick(examples)[1](new Dice(seed + 1))),
  fc.tuple(fc.nat(), fc.nat(60), fc.nat(60)).map(([seed, from, length]) => {
    const dice = new Dice(seed);
    return dice
      .pick(examples)[1](dice)
      .slice(from, from + length);
  }),
  fc.constantFrom(...edges, ...contexts),
  fc.nat().map((seed) => new Dice(seed).pick(lines)(new Dice(seed + 1))),
);

const sorted = (spans: readonly SecretSpan[]): readonly string[] =>
  spans.map(({ rule, start, end }) => `${start}-${end} ${rule}`).sort();

/** Rules that search the long words alone. */
export const longWords: Property = {
  name: 'a rule finds the same in the long words as in the whole text',
  share: 0.2,
  check: check(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      const finding = longWordsOf(text);
      let step = finding.next();
      while (step.done !== true) step = finding.next();
      const words = step.value;
      for (const { names, find } of rules) {
        const inText = [...find(text)].filter((span) => span !== null);
        const inWords = [...find(words.text)].filter((span) => span !== null).map((span) => words.place(span));
        assert.deepEqual(sorted(inWords), sorted(inText), JSON.stringify({ rule: names[0], text }));
      }
    }),
  ),
};
