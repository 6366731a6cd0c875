import { blockAt } from '../../../src/edits/block.ts';
import type { Row } from './run.ts';

const functions = 40;

/** The lines that Edit Code asks for at a cursor in a file without symbols: an answer takes as long as they are. */
export function blockRow(): Row {
  const body = Array.from({ length: 10 }, (_, at) => `  const value${at} = compute(${at}, 'text');`);
  const lines = ["import { compute } from './compute.ts';"].concat(
    ...Array.from({ length: functions }, (_, at) => ['', `export function run${at}() {`, ...body, '}']),
  );
  const lengths = lines.map((_, line) => {
    const block = blockAt(lines, 'typescript', line);
    return block === null ? lines.length : block.end - block.start;
  });
  const longest = Math.max(...lengths);
  return {
    what: `Edit Code at any line of a file of ${lines.length} lines without symbols: the longest code that is asked for`,
    measured: `${longest} lines`,
    peer: 'the whole file',
    reference: `${lines.length} lines`,
    ratio: longest / lines.length,
    // About ten seconds with 80 tokens a second.
    limit: 'at most 60 lines',
    isMet: longest <= 60,
  };
}
