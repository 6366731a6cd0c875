import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Candidate, committedEdits, notedCandidate } from '../../../../src/evidence/provenance/committed.ts';
import { tagAt, tagOf, withoutSpace } from '../../../../src/evidence/provenance/lineKeys.ts';
import { accepted, thirteen, uuidOf, wholeFile } from './samples.ts';

const numbersOf = async (candidates: readonly Candidate[], lines: readonly string[]) =>
  (await committedEdits(candidates, [wholeFile('a.ts', lines)])).map(({ edit, lines: found }) => [
    edit,
    found.map(({ number }) => number),
  ]);

describe('the lines of an edit in a commit', () => {
  it('are those that the user left: two of 13 changed, three added', async () => {
    const lines = thirteen
      .toSpliced(1, 1, '  let cents = startingCents;')
      .toSpliced(10, 1, '  const sum = cents + fee + 1;');
    const committed = ['// fees', ...lines.slice(0, 7), '    log(cents);', ...lines.slice(7), '// end'];
    assert.deepEqual(await numbersOf([accepted(uuidOf(1), thirteen)], committed), [
      [uuidOf(1), [2, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15]],
    ]);
  });

  it('are found with another indentation, and within other lines', async () => {
    const shifted = [
      ...Array.from({ length: 40 }, (_, at) => `const other${at} = ${at};`),
      ...thirteen.map((line) => `\t${line}`),
    ];
    const [found] = await numbersOf([accepted(uuidOf(1), thirteen)], shifted);
    assert.deepEqual(
      found?.[1],
      Array.from({ length: 13 }, (_, at) => 41 + at),
    );
  });

  it('are not a brace, or a word that is everywhere, without a line that says more beside it', async () => {
    const edit = accepted(uuidOf(1), ['  return first;', '}', '', 'end', 'fi', ');']);
    assert.deepEqual(await numbersOf([edit], ['}', 'end', 'fi', '', ');', 'const mine = 1;', '}']), []);
    assert.deepEqual(await numbersOf([edit], ['}', 'return first;', '}', 'mine();', ');']), [[uuidOf(1), [2, 3]]]);
  });

  it('belong to the newest edit that wrote them, each line to one', async () => {
    const second = ['  const fee = Math.round(cents * 0.031) + 25;', '  const sum = cents + fee;'];
    const both = thirteen.toSpliced(9, 2, ...second);
    assert.deepEqual(await numbersOf([accepted(uuidOf(2), second), accepted(uuidOf(1), thirteen)], both), [
      [uuidOf(2), [10, 11]],
      [uuidOf(1), [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13]],
    ]);
  });

  it('are in the one file that has most of them', async () => {
    const files = [wholeFile('b.ts', ['  return sum;']), wholeFile('a.ts', thirteen)];
    const found = await committedEdits([accepted(uuidOf(1), thirteen)], files);
    assert.deepEqual(
      found.map(({ path, lines }) => [path, lines.length]),
      [['a.ts', 13]],
    );
  });

  it('are found by the keys in an old note alone, with lines that are equal', async () => {
    const lines = ['push(item);', 'push(item);', 'next();', 'push(item);'];
    const [old] = await committedEdits([accepted(uuidOf(1), lines)], [wholeFile('a.ts', lines)]);
    assert.ok(old !== undefined);
    const rewritten = ['before();', ...lines.map((line) => `    ${line}`), 'after();'];
    const [now] = await committedEdits([notedCandidate(old)], [wholeFile('moved.ts', rewritten)]);
    assert.deepEqual(
      now?.lines.map(({ index, number }) => [index, number]),
      [
        [0, 2],
        [1, 3],
        [2, 4],
        [3, 5],
      ],
    );
    assert.deepEqual(
      now?.lines.map(({ key }) => key),
      old.lines.map(({ key }) => key),
    );
  });

  it('are looked for without starving other work, and not without end, whatever a note was made to need', async () => {
    const lines = Array.from({ length: 100 }, (_, at) => `const line${at} = ${at};`);
    const keys = lines.map((_, index) => ({ number: index + 1, index, key: Buffer.alloc(16, 1) }));
    const hostile = Array.from({ length: 20 }, (_, at) => {
      const { accepted: edit } = accepted(uuidOf(at), []);
      return notedCandidate({ ...edit, tags: Buffer.alloc(8 * lines.length), path: 'a', lines: keys });
    });
    const last = accepted(uuidOf(99), lines);
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    const found = await committedEdits([...hostile, last], [wholeFile('a', lines)], 20_000);
    clearInterval(counting);
    assert.ok(turns > 5, `${turns}`);
    // The first two need all of them: the rest is not looked for.
    assert.deepEqual(found, []);
    assert.equal((await committedEdits([last], [wholeFile('a', lines)]))[0]?.lines.length, 100);
  }).timeout(60_000);

  it('are never a line that does not give the tag, whatever the texts; and all are found where nothing changed', async () => {
    const line = fc.constantFrom('}', '', 'alpha();', 'beta();', ' alpha( );', 'gamma', 'x');
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 20 }), async (own, file) => {
        const [found] = await committedEdits([accepted(uuidOf(1), own)], [wholeFile('a', file)]);
        for (const { index, number, key } of found?.lines ?? []) {
          assert.deepEqual(tagAt(found?.tags ?? Buffer.of(), index), tagOf(key, withoutSpace(file[number - 1] ?? '')));
        }
        const rising = (numbers: readonly number[]) => numbers.every((one, at) => one > (numbers[at - 1] ?? -1));
        assert.ok(rising(found?.lines.map(({ number }) => number) ?? []));
        assert.ok(rising(found?.lines.map(({ index }) => index) ?? []));
        const [same] = await committedEdits([accepted(uuidOf(1), own)], [wholeFile('a', own)]);
        const says = own.some((text) => text.replaceAll(/\W/g, '').length >= 4);
        assert.equal(same?.lines.length ?? 0, says ? own.length : 0);
        if (found === undefined) return;
        const [again] = await committedEdits([notedCandidate(found)], [wholeFile('a', file)]);
        // Where a line is there several times, the run chosen may be another one.
        assert.ok(again !== undefined && again.lines.length > 0);
        for (const { index, number, key } of again.lines) {
          assert.deepEqual(tagAt(found.tags, index), tagOf(key, withoutSpace(file[number - 1] ?? '')));
        }
      }),
      { numRuns: 60 },
    );
  });
});
