import { matchEdit } from '../../src/edits/placing/matchEdit.ts';
import { processorMs } from '../tools/processorTime.ts';

/** The limit in milliseconds of processor time for an edit in a file of so many lines. */
const limit = 20;
const lines = 10_000;

const file = Array.from({ length: lines }, (_, at) =>
  at % 5 === 4 ? '' : `${'  '.repeat(at % 3)}const row${at} = total('${at % 90}', "a - b");${at % 7 === 0 ? ' ' : ''}`,
);
const last = file.slice(-24, -4);

/** The old text of an edit, by what its place needs. */
const edits: Readonly<Record<string, readonly string[]>> = {
  'as it stands': last,
  'line ends aside': last.map((line) => line.trimEnd()),
  'typographic letters aside': last.map((line) => line.replace(/'(\d+)'/, '‘$1’')),
  'indentation aside': last.map((line) => (line === '' ? line : `    ${line}`)),
  'no place': last.with(10, 'const other = 1;'),
};

interface EditTime {
  readonly place: string;
  readonly ms: number;
  readonly peerMs: number;
}

/**
 * The time that an edit of 20 lines at the end of a file takes, by what its place needs, beside indexOf() in the text of the
 * file, which finds only what stands as it is: averages of `count` edits.
 */
export function timesOfEdits(count: number): readonly EditTime[] {
  return Object.entries(edits).map(([place, old]) => {
    const edit = { old: old.join('\n'), now: [...old, `${old.at(-1)?.split('c')[0]}added();`].join('\n') };
    const time = (one: () => unknown): number => {
      const startedAt = processorMs();
      for (let at = 0; at < count; at += 1) one();
      return (processorMs() - startedAt) / count;
    };
    const { is } = matchEdit(file, edit, 'typescript');
    if ((is === 'fit') === (place === 'no place')) throw new Error(`${place}: ${is}`);
    return {
      place,
      ms: time(() => matchEdit(file, edit, 'typescript')),
      peerMs: time(() => file.join('\n').indexOf(edit.old)),
    };
  });
}

/** Prints the times of edits. Returns the exit code: 1 if the limit is missed and `check` is set. */
export async function matchEditBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  const count = Number(rounds) * 20;
  const rows = timesOfEdits(count);
  console.log(`Averages of ${count} edits of a file of ${lines} lines, ms of the processor`);
  console.table(rows.map(({ place, ms, peerMs }) => ({ place, ms: ms.toFixed(1), 'indexOf ms': peerMs.toFixed(1) })));
  const isMet = rows.every(({ ms }) => ms <= limit);
  console.log(`at most ${limit} ms: ${isMet ? 'met' : 'missed'}`);
  return check && !isMet ? 1 : 0;
}
