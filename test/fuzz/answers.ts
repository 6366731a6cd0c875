import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readAnswer } from '../../src/edits/reading/answer.ts';
import { fenceFor } from '../../src/util/text/fence.ts';
import { Dice } from '../tools/dice.ts';
import { asCommonMark, asMeant } from './answers/fences.ts';
import { meantLines, meantOf, placedFor, spoiledAnswer } from './answers/placing.ts';
import { restore } from './answers/restored.ts';
import { asBroken, asSaid } from './answers/toolCalls.ts';
import { check, checkInTime, type Group } from './group.ts';

const seed = fc.nat(2 ** 31 - 1);

/** Everything that is extracted from the text of an answer: code, places, secrets, tool calls. */
export const answers: Group = {
  name: 'answers',
  testRuns: 6_000,
  properties: [
    {
      name: 'an answer that is cut anywhere is incomplete, or has all of its code',
      share: 0.1,
      check: check(
        fc.property(seed, fc.nat(), (from, cut) => {
          const code = `${meantOf(new Dice(from)).now.join('\n')}\n`;
          const fence = fenceFor(code);
          const answer = `${fence}ts\n${code}${fence}\n`;
          const { isOpen, blocks } = readAnswer(answer.slice(0, 4 + (cut % answer.length)));
          if (!isOpen)
            assert.deepEqual(
              blocks.map(({ lines }) => lines.join('\n').trim()),
              [code.trim()],
            );
        }),
      ),
    },
    {
      name: 'what is outside the place never changes, imports aside',
      share: 0.2,
      check: check(
        fc.property(seed, seed, (from, spoiling) => {
          const meant = { ...meantOf(new Dice(from)), mode: 'edit' } as const;
          const spoiled = { ...meant, answer: spoiledAnswer(meant.answer, new Dice(spoiling)) };
          const placed = placedFor(spoiled);
          if (placed.is !== 'edit') return;
          const isImport = (line: string): boolean => /^(?:import|using)\b/.test(line);
          const plain = (lines: readonly string[]): string =>
            lines.filter((line) => !isImport(line) && line.trim() !== '').join('\n');
          const { lines, start, end } = meant;
          const [head, tail, now] = [plain(lines.slice(0, start)), plain(lines.slice(end)), plain(placed.lines)];
          assert.ok(
            now.startsWith(head) && now.endsWith(tail),
            JSON.stringify({ ...spoiled, placed: placed.lines }, null, 1),
          );
        }),
      ),
    },
    {
      name: 'an answer is placed as it was meant, or not at all',
      share: 0.3,
      check: check(
        fc.property(seed, (from) => {
          const meant = meantOf(new Dice(from));
          const placed = placedFor(meant);
          if (placed.is !== 'edit' || placed.mayOmit !== undefined) return;
          const plain = (lines: readonly string[]): string => lines.filter((line) => line.trim() !== '').join('\n');
          assert.equal(plain(placed.lines), plain(meantLines(meant)), JSON.stringify(meant, null, 1));
        }),
      ),
    },
    {
      name: 'a placed answer has every line that was given',
      share: 0.1,
      check: check(
        fc.property(seed, seed, (from, spoiling) => {
          const meant = meantOf(new Dice(from));
          const dice = new Dice(spoiling);
          // A line that nothing knows, somewhere in the code.
          const at = dice.below(meant.given.length);
          const line = meant.given[at] ?? '';
          if (!/call/.test(line) || /file|diff|search/.test(meant.form)) return;
          const answer = meant.answer.replace(line.trim(), () => `${line.trim()} + more`);
          const placed = placedFor({ ...meant, answer });
          if (placed.is !== 'edit') return;
          const all = new Set(placed.lines.map((each) => each.trim()));
          const lost = [...meant.given.filter((each) => each !== line), `${line.trim()} + more`].filter(
            (each) => each.trim() !== '' && !all.has(each.trim()),
          );
          assert.deepEqual(lost, [], JSON.stringify({ ...meant, answer, placed: placed.lines }, null, 1));
        }),
      ),
    },
    {
      name: 'whole answers, moved or with imports and prose, have their place',
      share: 0.1,
      check: check(
        fc.property(seed, (from) => {
          const meant = { ...meantOf(new Dice(from)), mode: 'edit' } as const;
          if (!/whole|dedented|imports/.test(meant.form)) return;
          assert.equal(placedFor(meant).is, 'edit', JSON.stringify(meant, null, 1));
        }),
      ),
    },
    { name: 'fences are those that CommonMark has', share: 0.1, check: check(asCommonMark) },
    { name: 'fences in fences: the code is as it was meant, or there is none', share: 0.1, check: check(asMeant) },
    { name: 'pieces of tool calls come together as each service means them', share: 0.1, check: check(asSaid) },
    { name: 'pieces of tool calls that are repeated, lost or mixed harm nothing', share: 0.08, check: check(asBroken) },
    {
      name: 'marks become their own secrets, or the user is asked: never nothing, never another',
      share: 0.02,
      check: checkInTime(
        fc.asyncProperty(seed, fc.constantFrom('kept', 'reshaped', 'lost'), async (from, treatment) => {
          const { silent, misplaced } = await restore(from, treatment);
          assert.deepEqual([silent, misplaced], [[], []]);
        }),
      ),
    },
  ],
};
