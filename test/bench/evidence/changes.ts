import { evidence } from '../../fuzz/evidence.ts';
import type { Row } from './row.ts';

const count = 10_000;

/** The properties that `npm run fuzz -- evidence` checks. They throw at a change that goes unnoticed, or is named elsewhere. */
export async function changesRow(): Promise<Row> {
  const seed = Date.now() % 2 ** 31;
  const said: string[] = [];
  for (const { check } of evidence.properties.slice(0, 2)) {
    const found = await check(count, seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    said.push(found ?? '');
  }
  const [log = '', collection = ''] = said;
  return {
    bar: `${count} random changes of a log, and of a collection, the last state kept elsewhere: none unnoticed`,
    measured: `a log: ${log}; a collection: ${collection} (seed ${seed})`,
    isMet: said.every((found) => found !== ''),
  };
}
