import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type EditMatch, matchEdit } from '../../src/edits/placing/matchEdit.ts';
import { check, type Group, type Property } from './group.ts';
import { found, type MadeEdit, refused, unsure } from './matchEdit/edits.ts';
import { Dice } from './secretExamples.ts';

const kinds = { ...found, ...unsure, ...refused };
const share = 1 / Object.keys(kinds).length;

/** Edits of this repository's own files: which are applied, and that none is applied at another place than it means. */
export const matchEdits: Group = {
  name: 'matchEdit',
  // 120 of each kind.
  testRuns: 1_440,
  properties: Object.entries(kinds).map(([kind, make]): Property => {
    const isFound = kind in found;
    return {
      name: `an edit ${kind} is ${isFound ? 'applied as it is meant' : kind in unsure ? 'applied as it is meant, or refused' : 'refused'}`,
      share,
      check: check(
        fc.property(fc.nat(2 ** 31 - 1), (seed) => {
          const made = make(new Dice(seed));
          const match = matchEdit(made.file, made, 'typescript');
          const isRight = match.is === 'fit' ? made.meant !== null && same(match.lines, made.meant) : !isFound;
          assert.ok(isRight, shown(made, match));
        }),
      ),
    };
  }),
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
