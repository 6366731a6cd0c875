/** Runs git in a repository with `input` on its standard input, and returns its standard output. Rejects if git fails. */
export type Git = (args: readonly string[], input?: string) => Promise<Buffer>;

/** The maximum size in bytes of an object that is read: larger files are not written by hand. */
export const maxObjectBytes = 1024 * 1024;
/** The maximum size in bytes of the objects that are read with one call. */
const maxTogether = 64 * 1024 * 1024;

export interface GitObject {
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * Reads objects by their ids or names (`HEAD`, `<ref>:<digits>`). The result is null for an object that does not exist, or is
 * larger than `max` bytes. No filter or textconv of the repository runs.
 */
export async function readObjects(
  git: Git,
  names: readonly string[],
  max = maxObjectBytes,
): Promise<readonly (GitObject | null)[]> {
  return readChecked(git, await headersOf(git, names), max);
}

async function readChecked(git: Git, headers: readonly Header[], max: number): Promise<readonly (GitObject | null)[]> {
  let bytesLeft = maxTogether;
  const oids = headers.map((header) => {
    if (header === null || header.size > max || header.size > bytesLeft) return null;
    bytesLeft -= header.size;
    return header.oid;
  });
  const wanted = oids.filter((oid) => oid !== null);
  if (wanted.length === 0) return oids.map(() => null);
  const read = objectsIn(await git(['cat-file', '--batch'], listOf(wanted)), wanted.length).values();
  return oids.map((oid) => (oid === null ? null : (read.next().value ?? null)));
}

/**
 * Reads the objects of several lists, in groups of successive lists. Each group is read with one call: as many lists as have at
 * most `together` bytes, but at least one. The sizes of all objects are requested with one call.
 */
export async function* readLists(
  git: Git,
  lists: readonly (readonly string[])[],
  { max = maxObjectBytes, together = maxTogether } = {},
): AsyncGenerator<readonly (readonly (GitObject | null)[])[]> {
  const all = await headersOf(git, lists.flat());
  const headers = lists.map((list) => all.splice(0, list.length));
  const sizes = headers.map((own) =>
    own.reduce((sum, header) => sum + (header === null || header.size > max ? 0 : header.size), 0),
  );
  for (let from = 0; from < lists.length; ) {
    let [to, bytes] = [from + 1, sizes[from] ?? 0];
    for (; to < lists.length && bytes + (sizes[to] ?? 0) <= together; to += 1) bytes += sizes[to] ?? 0;
    const objects = [...(await readChecked(git, headers.slice(from, to).flat(), max))];
    yield lists.slice(from, to).map((list) => objects.splice(0, list.length));
    from = to;
  }
}

/** Returns the id of each object, or null for an object that does not exist. */
export async function resolve(git: Git, names: readonly string[]): Promise<readonly (string | null)[]> {
  return (await headersOf(git, names)).map((header) => header?.oid ?? null);
}

type Header = ReturnType<typeof headerOf>;

async function headersOf(git: Git, names: readonly string[]): Promise<Header[]> {
  if (names.length === 0) return [];
  const lines = (await git(['cat-file', '--batch-check'], listOf(names))).toString('latin1').split('\n');
  return names.map((_, at) => headerOf(lines[at] ?? ''));
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('');
}

/** Parses `<oid> <type> <size>`. Returns null for `<name> missing` and similar lines. */
function headerOf(line: string): { readonly oid: string; readonly type: string; readonly size: number } | null {
  const [, oid, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
  return oid === undefined || type === undefined ? null : { oid, type, size: Number(size) };
}

function objectsIn(output: Buffer, count: number): readonly (GitObject | null)[] {
  const found: (GitObject | null)[] = [];
  let at = 0;
  while (found.length < count) {
    const end = output.indexOf('\n', at);
    const header = end === -1 ? null : headerOf(output.toString('latin1', at, end));
    found.push(header && { type: header.type, bytes: output.subarray(end + 1, end + 1 + header.size) });
    at = end === -1 ? output.length : end + 1 + (header === null ? 0 : header.size + 1);
  }
  return found;
}
