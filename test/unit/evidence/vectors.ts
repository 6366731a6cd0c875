import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const vectorsFolder = 'test/fixtures/evidence';

/** A file of the vectors, as text. */
export function vector(name: string): string {
  return readFileSync(join(vectorsFolder, name), 'utf8');
}

interface Expected {
  readonly seed: string;
  readonly publicKey: string;
  readonly origin: string;
  readonly vkey: string;
  readonly keyId: string;
  readonly leafOfFirstLine: string;
  readonly sessionRoots: readonly string[];
  readonly ledgerRoots: readonly string[];
  readonly witness: string;
  readonly witnessSeed: string;
}

export const expected = JSON.parse(vector('expect.json')) as Expected;

/** The lines of all files of the log whose name begins so, in the order of the names. */
export function linesOf(start: string): readonly string[] {
  const names = readdirSync(join(vectorsFolder, 'log')).filter((name) => name.startsWith(start));
  return names.toSorted().flatMap((name) => vector(`log/${name}`).trimEnd().split('\n'));
}
