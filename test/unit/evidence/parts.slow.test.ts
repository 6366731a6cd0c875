import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { VerifiedPart } from '../../../src/evidence/verify/part.ts';
import { partsOf } from '../../../src/evidence/verify/parts.ts';
import { type Verdict, verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { EvidenceLog, sampleLog } from '../../tools/evidenceLog.ts';
import { type FolderFiles, withFolder } from './folders.ts';

const inputOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => ({ path: join(folder, name), name, expected: null }));

const namesOf = (files: FolderFiles): Promise<readonly (readonly string[])[]> =>
  withFolder(files, async (folder) => (await partsOf(inputOf(folder))).map((part) => part.map(({ name }) => name)));

const allLines = (log: EvidenceLog): readonly string[] => [...log.files().values()].flat();

/** A machine that changed its key, and removed a session. */
function rotatedLog(): readonly string[] {
  const first = sampleLog('rotated');
  first.sessions[1]?.removed();
  const second = new EvidenceLog('rotated anew', { time: Date.parse('2026-11-03T08:00:00.000Z') });
  first.add({ kind: 'closed', next: second.signer.vkey });
  first.sign();
  const [origin = '', size = '', root = ''] = first.words().split(' ');
  second.open({ origin, size: Number(size), root });
  const session = second.session();
  session.record(5);
  session.head();
  second.sign();
  return [...allLines(first), ...allLines(second)];
}

describe('the parts of a collection', () => {
  const [a, b] = [sampleLog('machine a'), sampleLog('machine b')];
  const [first, second, third] = a.sessions.map(({ lines }) => lines);

  it('are apart where nothing is named twice, whatever the files hold besides', async () => {
    const files: FolderFiles = [
      ['1', allLines(a)],
      ['2', allLines(b)],
      ['3', 'no line\n{"v":2,"session":"x"}\n{"v":2,"ledger":"y/0"}'],
      ['4', ''],
      // Half lines.
      ['5', allLines(a).map((line) => line.slice(0, -1))],
    ];
    assert.deepEqual(await namesOf(files), [['1'], ['2'], ['3'], ['4'], ['5']]);
  });

  it('hold what a file, a session or a ledger names', async () => {
    const files: FolderFiles = [
      ['1', first ?? []],
      ['2', b.lines],
      ['3', second?.slice(0, 5) ?? []],
      ['4', second?.slice(5) ?? []],
      ['5', b.sessions[0]?.lines ?? []],
      ['6', a.lines],
      ['7', third ?? []],
    ];
    assert.deepEqual(await namesOf(files), [
      ['1', '3', '4', '6', '7'],
      ['2', '5'],
    ]);
    // The first line of a session names the ledger, the ledger the session; one of them is enough.
    const withoutHeads = a.lines.filter((line) => !line.includes('"kind":"head"'));
    assert.deepEqual(
      await namesOf([
        ['1', first ?? []],
        ['2', withoutHeads],
      ]),
      [['1', '2']],
    );
    assert.deepEqual(
      await namesOf([
        ['1', first?.slice(1) ?? []],
        ['2', a.lines],
      ]),
      [['1', '2']],
    );
    assert.deepEqual(
      await namesOf([
        ['1', first?.slice(1) ?? []],
        ['2', withoutHeads],
      ]),
      [['1'], ['2']],
    );
    assert.deepEqual(
      await namesOf([
        ['1', a.lines],
        ['2', allLines(b)],
        ['3', [...(first ?? []), ...b.lines]],
      ]),
      [['1', '2', '3']],
    );
    const checkpoints = a.lines.filter((line) => line.includes('"kind":"checkpoint"'));
    assert.deepEqual(
      await namesOf([
        ['1', checkpoints],
        ['2', b.lines],
        ['3', a.lines],
      ]),
      [['1', '3'], ['2']],
    );
    const rotated = rotatedLog();
    const anew = rotated.findIndex((line) => line.includes('"follows"'));
    assert.deepEqual(
      await namesOf([
        ['1', rotated.slice(0, anew)],
        ['2', rotated.slice(anew)],
      ]),
      [['1', '2']],
    );
  });

  it('have the same verdict as one file, wherever the lines are and whichever are lost', async () => {
    const machines = [allLines(a), allLines(b), rotatedLog(), ['no line']];
    const lines = machines.flatMap((own, machine) => own.map((line) => ({ line, machine })));
    const stateOf = ({ breaks, notes, ledgers, files: _, provenance: __, ...counts }: Verdict) => ({
      breaks: breaks.map(({ reason, of }) => `${reason} ${of}`).sort(),
      notes: notes.map(({ reason, of }) => `${reason} ${of}`).sort(),
      ledgers: ledgers.map((ledger) => JSON.stringify(ledger)).sort(),
      ...counts,
    });
    const verify = (files: FolderFiles) =>
      withFolder(files, async (folder) => stateOf(await verifyEvidence({ paths: [folder], isCollected: true })));
    const place = fc.record({ file: fc.nat(2), isLost: fc.integer({ max: 40 }).map((at) => at === 40) });
    const places = fc.array(place, { minLength: lines.length, maxLength: lines.length });
    await fc.assert(
      fc.asyncProperty(places, fc.boolean(), fc.boolean(), async (given, isLossy, isMixed) => {
        const kept = lines.flatMap(({ line, machine }, at) => {
          const { file = 0, isLost = false } = given[at] ?? {};
          return isLost && isLossy ? [] : [{ line, file: isMixed ? file : 3 * machine + file }];
        });
        const files = new Map<string, string[]>();
        for (const { line, file } of kept) files.set(`${file}`, [...(files.get(`${file}`) ?? []), line]);
        assert.deepEqual(await verify(files), await verify([['all', kept.map(({ line }) => line)]]));
      }),
      { numRuns: 60 },
    );
  });

  it('are read one after the other, each up to where it was looked at', async () => {
    const files: FolderFiles = [
      ['1', a.lines],
      ['2', allLines(b)],
      ['3', a.sessions.flatMap(({ lines }) => lines)],
    ];
    await withFolder(files, async (folder) => {
      const parts: VerifiedPart[] = [];
      const onPart = (part: VerifiedPart): void => {
        parts.push(part);
        // An agent goes on writing meanwhile.
        appendFileSync(join(folder, '2'), `${a.lines.join('\n')}\nno line\n`);
      };
      const found = await verifyEvidence({ paths: [folder], isCollected: true }, onPart);
      assert.deepEqual([found.verdict, found.breaks, found.notes], ['intact', [], []]);
      assert.deepEqual(
        parts.map(({ intake, ledgers }) => [intake.sessions.size, ledgers.map(({ origin }) => origin)]),
        [
          [3, [a.origin]],
          [3, [b.origin]],
        ],
      );
    });
  });
});
