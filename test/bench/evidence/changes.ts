import { evidence } from '../../fuzz/evidence.ts';
import type { Row } from './row.ts';

const count = 10_000;

/** The property that `npm run fuzz -- evidence` checks. It throws at a change that goes unnoticed, or is named elsewhere. */
export async function changesRow(): Promise<Row> {
  const seed = Date.now() % 2 ** 31;
  const [changes] = evidence.properties;
  const said = await changes?.check(count, seed).catch((error: unknown) => {
    throw new Error(`seed ${seed}`, { cause: error });
  });
  return {
    bar: `${count} random changes, the last checkpoint kept elsewhere: none unnoticed, each named at its place`,
    measured: `${said} (seed ${seed})`,
    isMet: said !== undefined,
  };
}
