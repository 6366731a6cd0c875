import assert from 'node:assert/strict';
import fc from 'fast-check';
import { madeContent, sliceOf } from '../../src/gate/content.ts';
import { examineText } from '../../src/gate/secrets/examineText.ts';
import { marksIn, withoutMarks } from '../../src/gate/secrets/marks/marks.ts';
import { maskText, ruleNames, scanText } from '../../src/gate/secrets/scanner.ts';
import type { SecretSpan } from '../../src/gate/secrets/span.ts';
import { examine } from '../../src/send/examine.ts';
import type { Attachment } from '../../src/send/message/attachment.ts';
import { Dice } from '../tools/dice.ts';
import { finished } from '../tools/processorTime.ts';
import { checkInTime, type Group } from './group.ts';
import { longWords } from './longWords.ts';
import { contexts, examples, lines } from './secretExamples.ts';

const scanner = { scanText, maskText };
const names = [...ruleNames];

/** With a tag or, as earlier versions wrote it, without. */
const markOf = (dice: Dice): string =>
  `[masked: ${dice.pick(names)}${dice.pick(['', ` ${dice.text(5, 'abcdefghijklmnopqrstuvwxyz234567')}`])}]`;

/** Generators of a piece of a text from a number. */
const makers: readonly ((dice: Dice) => string)[] = [
  (dice) => dice.pick(examples)[1](dice),
  (dice) => dice.pick(examples)[1](dice),
  (dice) => dice.pick(contexts),
  (dice) => dice.pick(contexts) + dice.pick(contexts),
  (dice) => markOf(dice),
  (dice) => dice.pick(contexts) + `[masked: ${dice.pick([...names, 'no-rule', '', 'Jwt'])}]`.slice(dice.below(2)),
  (dice) => dice.pick(lines)(dice),
  // Part of a secret, a mark within one, one within a mark, or one with a character changed, removed or inserted.
  (dice) => {
    const whole = dice.pick(examples)[1](dice);
    const [a, b] = [dice.below(whole.length), dice.below(whole.length + 1)];
    const inserted = [dice.pick(contexts), markOf(dice), ''] as const;
    return dice.pick([
      whole.slice(a),
      whole.slice(0, b),
      whole.slice(0, a) + dice.pick(inserted) + whole.slice(a),
      whole.slice(0, a) + dice.pick(inserted) + whole.slice(a + 1),
      `[masked: ${whole}]`,
      whole + whole,
      whole.slice(a) + dice.pick(['', '\n', ' ']) + whole.slice(0, b),
    ]);
  },
  (dice) => `${dice.pick(examples)[1](dice)}${dice.pick(['\n', ' ', '', ',', '"'])}`.repeat(1 + dice.below(4)),
];

const text = fc
  .array(fc.tuple(fc.nat(makers.length - 1), fc.nat(2 ** 31 - 1)), { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.map(([kind, seed]) => makers[kind]?.(new Dice(seed)) ?? '').join(''));

function bare(text: string): string {
  const marks = [...marksIn(text, ruleNames)].filter((mark) => mark !== null);
  return finished(withoutMarks(text, marks));
}

/** All substrings of eight characters. */
function runsOf(text: string): ReadonlySet<string> {
  const runs = new Set<string>();
  for (let at = 0; at + 8 <= text.length; at += 1) runs.add(text.slice(at, at + 8));
  return runs;
}

/**
 * Substrings of eight characters in a line that occur only in secrets of the text: line ends remain. A NUL marks the
 * possible place of a mark.
 */
function secretRuns(text: string, spans: readonly SecretSpan[]): readonly string[] {
  const plain = bare(text);
  let outside = '';
  let at = 0;
  for (const { start, end } of spans) {
    outside += `${text.slice(at, start)}\0`;
    at = end;
  }
  const open = runsOf(outside + text.slice(at));
  return spans.flatMap(({ start, end }) =>
    [...runsOf(plain.slice(start, end))].filter((run) => !open.has(run) && !/[\r\n\0]/.test(run)),
  );
}

async function assertMasked(text: string, marks?: readonly SecretSpan[]): Promise<void> {
  const { masked } = await examineText(text, { where: null, marks }, scanner);
  const again = await examineText(masked, { where: null, ...(marks === undefined ? {} : { marks: [] }) }, scanner);
  assert.equal(again.masked, masked);
  assert.equal(masked.split(/\r\n|\r|\n/).length, text.split(/\r\n|\r|\n/).length);
}

/** The text that is sent for an attachment. */
async function sentOf(attachment: Attachment): Promise<string> {
  const messages = [{ role: 'user', parts: [attachment], secrets: 'mask' }] as const;
  const rules = { scanner, mayUnmask: true, excluded: new Set<never>(), destination: '' };
  return (await examine({ messages }, rules)).masked.messages[0]?.content ?? '';
}

export const mask: Group = {
  name: 'mask',
  testRuns: 3_000,
  properties: [
    {
      name: 'masking a text ends, keeps its lines, and masking twice is masking once',
      share: 0.5,
      check: checkInTime(
        fc.asyncProperty(text, fc.boolean(), (one, isWhole) => assertMasked(one, isWhole ? [] : undefined)),
      ),
    },
    {
      name: 'no slice of a file holds eight characters in a row of a secret that the whole file’s scan finds',
      share: 0.5,
      check: checkInTime(
        fc.asyncProperty(text, fc.nat(), fc.nat(), async (one, a, b) => {
          const spans = await scanText(one);
          if (spans.length === 0) return;
          const [start = 0, end = 0] = [a % (one.length + 1), b % (one.length + 1)].sort((x, y) => x - y);
          const slice = sliceOf(madeContent(one, spans, []), start, end);
          const sent = runsOf(bare(await sentOf({ ...file, text: slice.text, marks: slice.marks })));
          const leaked = secretRuns(one, spans).filter((run) => sent.has(run));
          assert.deepEqual(leaked, [], JSON.stringify({ leaked, one, start, end, spans }));
        }),
      ),
    },
    longWords,
  ],
};

const file = { label: 'a', uri: 'file:///w/a', firstLine: 1, languageId: '', folder: null };
