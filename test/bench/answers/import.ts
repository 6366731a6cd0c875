// node test/bench/answers/import.ts FOLDER SET NUMBER [FIRST LAST]: takes answers into test/fixtures/answers/SET-NUMBER.jsonl.
// FOLDER has a folder for each, whose name is the number: with place.txt, answer.md and meant.txt, before.txt as the bench writes it
// with --requests, and second.md if there was a further request.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hunksOf } from '../../../src/features/edits/common/hunks.ts';
import type { Answer, Replacement } from './corpus.ts';
import { readPlaces } from './read.ts';

const [folder = '', set = '', number = '', from = '1', to = '999'] = process.argv.slice(2);
const places = new Map(readPlaces().map((place) => [place.id, place]));

function answerIn(name: string): Answer {
  const read = (file: string): string => readFileSync(join(folder, name, file), 'utf8').replaceAll('\r\n', '\n');
  const { place, hand } = JSON.parse(read('place.txt'));
  const known = places.get(place);
  if (known === undefined) throw new Error(`There is no place ${place}.`);
  const before = read('before.txt');
  const meant = read('meant.txt');
  const isWhole = known.way === 'commit' || before === '';
  return {
    id: Number(name),
    place,
    hand,
    answer: read('answer.md'),
    ...(existsSync(join(folder, name, 'second.md')) && { second: read('second.md') }),
    meant: isWhole ? meant : changesOf(before, meant),
  };
}

function changesOf(before: string, meant: string): readonly Replacement[] {
  const [old, now] = [before.split('\n'), meant.split('\n')];
  return hunksOf(old, now).map(({ start, end, proposedStart, proposedEnd }) => ({
    start,
    end,
    lines: now.slice(proposedStart, proposedEnd),
  }));
}

const names = readdirSync(folder).filter(
  (name) => /^\d+$/.test(name) && Number(name) >= Number(from) && Number(name) <= Number(to),
);
const lines = names.sort().map((name) => JSON.stringify(answerIn(name)));
writeFileSync(new URL(`../../fixtures/answers/${set}-${number}.jsonl`, import.meta.url), `${lines.join('\n')}\n`);
console.log(`${lines.length} answers are in ${set}-${number}.jsonl.`);
