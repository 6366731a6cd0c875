import assert from 'node:assert/strict';
import { matchMasked } from '../../../src/features/edits/common/matchMasked.ts';
import { keeperOf } from '../../../src/gate/secrets/marks/keeper.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import type { Dice } from '../../tools/dice.ts';
import { fileOf, maskedOf } from '../answers/restored.ts';

/** A model that saw a file masked adds a line after some of its lines, and perhaps a mark that is not of this file. */
export async function assertUnmasked(dice: Dice): Promise<void> {
  const { lines } = fileOf(dice);
  const text = lines.join('\n');
  const seen = (await maskedOf(text)).masked.split('\n');
  const start = dice.below(lines.length);
  let end = start + 1 + dice.below(lines.length - start);
  // A secret of several lines is one: blank lines were sent in the place of all but the first.
  while (end < lines.length && seen[end] === '' && lines[end] !== '') end += 1;
  const isForeign = dice.below(4) === 0;
  const added = isForeign ? 'key: "[masked: jwt aaaaa]"' : `added: ${dice.below(99)}`;
  const old = seen.slice(start, end).join('\n');
  const marks = await scanText(text);
  const keeper = await keeperOf({ text, marks }, []);
  const secrets = marks.map((mark) => text.slice(mark.start, mark.end));
  const match = matchMasked(lines, { old, now: `${old}\n${added}` }, { keeper, secrets, languageId: 'yaml' });
  if (match.is !== 'fit') return;
  const report = JSON.stringify({ lines, old, match }, null, 1);
  assert.ok(!isForeign, report);
  // Blank lines stand where a secret of several lines was.
  const plain = (all: readonly string[]): string => all.filter((line) => line.trim() !== '').join('\n');
  assert.equal(plain(match.lines), plain(lines.toSpliced(end, 0, added)), report);
}
