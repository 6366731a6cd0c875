import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fitOf } from '../../src/host/edits/placing/fit.ts';
import { readCode } from '../../src/session/prompts/codeAnswer.ts';
import { fenceFor } from '../../src/util/text/fence.ts';
import { type Edited, edited, fragmentOf, linesOf } from './answers/edited.ts';
import { asCommonMark, asMeant } from './answers/fences.ts';
import { restore } from './answers/restored.ts';
import { asBroken, asSaid } from './answers/toolCalls.ts';
import { check, checkInTime, type Group } from './group.ts';
import { Dice } from './secretExamples.ts';

const seed = fc.nat(2 ** 31 - 1);

/** The lines that the edit left and that a part of the edited file takes out without a question. */
function goneBy(
  { old, left }: Edited,
  part: readonly string[],
  isAsked: boolean,
): { readonly gone: readonly string[]; readonly fit: string } {
  const fit = fitOf(old, part, isAsked);
  if (fit.is === 'nowhere' || !fit.isSure) return { gone: [], fit: fit.is };
  const lines = new Set((fit.is === 'part' ? fit.lines : part).map((line) => line.trim()));
  return { gone: [...left].filter((line) => !lines.has(line.trim())), fit: fit.is };
}

/** Everything that is extracted from the text of an answer: code, places, secrets, tool calls. */
export const answers: Group = {
  name: 'answers',
  testRuns: 6_000,
  properties: [
    {
      name: 'an answer that is cut anywhere is no code, or all of it',
      share: 0.1,
      check: check(
        fc.property(seed, fc.nat(), (from, cut) => {
          const code = `${edited(new Dice(from)).now.join('\n')}\n`;
          const fence = fenceFor(code);
          const answer = `${fence}ts\n${code}${fence}\n`;
          const read = readCode(answer.slice(0, 4 + (cut % answer.length)), 1);
          if (read.is === 'code') assert.deepEqual(read.codes, [code]);
        }),
      ),
    },
    {
      name: 'a part of an edited file, between two of its lines, takes out no line that the edit left',
      share: 0.3,
      check: check(
        fc.property(seed, fc.boolean(), (from, isAsked) => {
          const dice = new Dice(from);
          const file = edited(dice);
          const part = fragmentOf(file, dice);
          const { gone, fit } = goneBy(file, part, isAsked);
          assert.deepEqual(gone, [], JSON.stringify({ gone, isAsked, fit, old: file.old, part }));
        }),
      ),
    },
    {
      name: 'a part of an edited file takes out no more lines than it has new ones at its ends, or is a rewrite',
      share: 0.2,
      check: check(
        fc.property(seed, fc.boolean(), (from, isAsked) => {
          const dice = new Dice(from);
          const file = edited(dice);
          const part = linesOf(file, dice);
          const isLeft = (line: string): boolean => file.left.has(line);
          if (part.filter(isLeft).length < 0.3 * part.length) return;
          const fresh = part.findIndex(isLeft) + part.length - 1 - part.findLastIndex(isLeft);
          const { gone, fit } = goneBy(file, part, isAsked);
          assert.ok(gone.length <= fresh, JSON.stringify({ gone, fresh, isAsked, fit, old: file.old, part }));
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
