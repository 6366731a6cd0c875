import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type EditMatch, matchEdit } from '../../src/edits/placing/matchEdit.ts';
import { Dice } from '../tools/dice.ts';
import { check, checkInTime, type Group, type Property } from './group.ts';
import { found, type MadeEdit, refused, unsure } from './matchEdit/edits.ts';
import { assertUnmasked } from './matchEdit/masked.ts';

const kinds = { ...found, ...unsure, ...refused };
/** One more than the kinds. */
const share = 1 / (Object.keys(kinds).length + 1);
const seed = fc.nat(2 ** 31 - 1);

const ofKinds = Object.entries(kinds).map(([kind, make]): Property => {
  const isFound = kind in found;
  const result = isFound ? 'applied as it is meant' : kind in unsure ? 'applied as it is meant, or refused' : 'refused';
  return {
    name: `an edit ${kind} is ${result}`,
    share,
    check: check(
      fc.property(seed, (from) => {
        const made = make(new Dice(from));
        const match = matchEdit(made.file, made, 'typescript');
        const isRight = match.is === 'fit' ? made.meant !== null && same(match.lines, made.meant) : !isFound;
        assert.ok(isRight, shown(made, match));
      }),
    ),
  };
});

/** Edits of this repository's own files, and of files with secrets: none is applied at a place other than it means. */
export const matchEdits: Group = {
  name: 'matchEdit',
  // 120 of each kind.
  testRuns: 1_560,
  properties: [
    ...ofKinds,
    {
      name: 'an edit of a masked file is applied as if nothing were masked, or refused',
      share,
      check: checkInTime(fc.asyncProperty(seed, (from) => assertUnmasked(new Dice(from)))),
    },
  ],
};

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}

function shown({ file, old, now, meant }: MadeEdit, match: EditMatch): string {
  const text =
    match.is === 'fit' ? { rule: match.rule, lines: match.lines.slice(match.put.start - 1, match.put.end + 1) } : match;
  const wanted = meant?.filter((line, at) => line !== file[at]).slice(0, 6);
  return JSON.stringify({ old: old.split('\n'), now: now.split('\n'), match: text, wanted }, null, 1);
}
