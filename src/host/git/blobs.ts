import { type GitPlace, runGit } from './run.ts';

/**
 * Objects of git as they are, by their ids: no name is asked for, and no filter or textconv of the repository runs (as it
 * would with the git extension's show()). null where there is no such object here, or no file.
 */
export async function readBlobs(place: GitPlace, oids: readonly string[]): Promise<readonly (Buffer | null)[]> {
  if (oids.length === 0) return [];
  return parseBatch(await runGit(place, ['cat-file', '--batch'], asked(oids)), oids.length);
}

/** How many bytes each has; null as above. */
export async function blobSizes(place: GitPlace, oids: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  const known = [...new Set(oids)];
  if (known.length === 0) return new Map();
  const lines = (await runGit(place, ['cat-file', '--batch-check'], asked(known))).toString('latin1').split('\n');
  return new Map(known.map((oid, index) => [oid, sizeIn(lines[index] ?? '')]));
}

function asked(oids: readonly string[]): string {
  return oids.map((oid) => `${oid}\n`).join('');
}

/** `<oid> blob <size>`, or `<oid> missing`. */
function sizeIn(line: string): number | null {
  const size = /^[0-9a-f]+ blob (\d+)$/.exec(line)?.[1];
  return size === undefined ? null : Number(size);
}

function parseBatch(output: Buffer, count: number): readonly (Buffer | null)[] {
  const found: (Buffer | null)[] = [];
  let at = 0;
  while (found.length < count) {
    const end = output.indexOf('\n', at);
    const line = end === -1 ? '' : output.toString('latin1', at, end);
    const size = sizeIn(line);
    found.push(size === null ? null : output.subarray(end + 1, end + 1 + size));
    // Of what is no file (a commit), the bytes follow all the same.
    const length = Number(/^[0-9a-f]+ \w+ (\d+)$/.exec(line)?.[1] ?? -1);
    at = end + 1 + (length === -1 ? 0 : length + 1);
  }
  return found;
}
