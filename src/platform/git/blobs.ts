import { type GitPlace, runGit } from './run.ts';

/**
 * Reads git objects by ID. No path is involved, so no filter or textconv of the repository runs (the git extension's show()
 * would run them). An entry is null if the object does not exist here or is not a file.
 */
export async function readBlobs(place: GitPlace, oids: readonly string[]): Promise<readonly (Buffer | null)[]> {
  if (oids.length === 0) return [];
  return parseBatch(await runGit(place, ['cat-file', '--batch'], batchInput(oids)), oids.length);
}

/** Returns the size of each object in bytes, or null if it does not exist here or is not a file. */
export async function blobSizes(place: GitPlace, oids: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  const known = [...new Set(oids)];
  if (known.length === 0) return new Map();
  const lines = (await runGit(place, ['cat-file', '--batch-check'], batchInput(known))).toString('latin1').split('\n');
  return new Map(known.map((oid, index) => [oid, sizeIn(lines[index] ?? '')]));
}

function batchInput(oids: readonly string[]): string {
  return oids.map((oid) => `${oid}\n`).join('');
}

/** Returns the size in a line `<oid> blob <size>`, or null for any other line, such as `<oid> missing`. */
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
    // The bytes follow for other object types too, such as commits.
    const length = Number(/^[0-9a-f]+ \w+ (\d+)$/.exec(line)?.[1] ?? -1);
    at = end + 1 + (length === -1 ? 0 : length + 1);
  }
  return found;
}
