import { addedLines, linesIn } from '../addedLines.ts';
import type { AddedLines } from '../matchEdits.ts';
import { type Git, type GitObject, readObjects } from './objects.ts';

export interface Commit {
  readonly oid: string;
  readonly parents: readonly string[];
  readonly email: string;
  /** The time of the commit in seconds since 1970. */
  readonly time: number;
  readonly message: string;
}

/** The commits in `to` but not in `from` (ids), the oldest first; if there are more than `max`, only the newest ones. */
export async function commitsBetween(
  git: Git,
  to: string,
  from: string | null,
  max: number,
): Promise<readonly Commit[]> {
  const range = from === null ? [to] : [to, `^${from}`];
  const args = ['rev-list', '--header', '--topo-order', `--max-count=${max}`, ...range, '--'];
  return (await git(args)).toString().split('\0').flatMap(commitIn).reverse();
}

/** Parses `<oid>`, the headers, an empty line, and the message, which is indented by four spaces. */
function commitIn(text: string): readonly Commit[] {
  const [, oid] = /^([0-9a-f]{40,64})\n/.exec(text.trimStart()) ?? [];
  const end = text.indexOf('\n\n');
  const headers = end === -1 ? text : text.slice(0, end + 1);
  const [, email = '', time] = /^committer [^\n]*<([^<>\n]*)> (\d{1,12}) /m.exec(headers) ?? [];
  if (oid === undefined || time === undefined) return [];
  const parents = [...headers.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map(([, parent = '']) => parent);
  const message = end === -1 ? '' : text.slice(end + 2).replace(/^ {4}/gm, '');
  return [{ oid, parents, email, time: Number(time), message }];
}

/** The maximum number of changed files that are read in a commit. */
const maxFiles = 1_000;
const plainFile = /^100(?:644|755)$/;

/**
 * The lines that a commit added, by file, compared with its parent by git; a merge has none. Files that are not text or too
 * large are left out. No file name is passed to git.
 */
export async function addedInCommit(git: Git, oid: string): Promise<readonly AddedLines[]> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--root',
    '--no-commit-id',
    '-M',
    '-l1000',
    '--ignore-submodules',
    oid,
    '--',
  ];
  return addedInDiff(git, await git(args));
}

/** Like addedInCommit(), for the output of `git diff-index` or `diff-tree` with `-z --raw`. */
async function addedInDiff(git: Git, raw: Buffer): Promise<readonly AddedLines[]> {
  const changes = changesIn(raw.toString()).slice(0, maxFiles);
  const texts = await readTexts(git, [...new Set(changes.flatMap(({ before, after }) => [before, after]))]);
  return changes.flatMap(({ path, before, after }) => {
    const [old, newer] = [before === null ? '' : texts.get(before), after === null ? '' : texts.get(after)];
    if (old === undefined || newer === undefined) return [];
    const { lines } = addedLines(old, newer);
    return lines.length === 0 ? [] : [{ path, lines }];
  });
}

async function readTexts(git: Git, oids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const wanted = oids.filter((oid) => oid !== null);
  const objects = await readObjects(git, wanted);
  const texts = wanted.map((oid, at) => [oid, textOf(objects[at]?.bytes)] as const);
  return new Map(texts.filter((entry): entry is readonly [string, string] => entry[1] !== null));
}

/** The lines of a file; empty if git considers it binary, or if it does not exist. */
export function textLines(object: GitObject | null | undefined): readonly string[] {
  return linesIn(textOf(object?.type === 'blob' ? object.bytes : undefined) ?? '');
}

/** Returns the text of a file, or null if git considers it binary. */
function textOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined || bytes.subarray(0, 8_000).includes(0) ? null : bytes.toString();
}

interface Change {
  readonly path: string;
  /** The id of the content; null if there is none. `after` is the id of the new content. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Parses `:<mode> <mode> <oid> <oid> <status>`, the path, and for a renamed file the new path; each ends with NUL. */
function changesIn(text: string): readonly Change[] {
  const fields = text.split('\0');
  const changes: Change[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const header = /^:(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])\d*$/.exec(fields[at] ?? '');
    if (header === null) continue;
    const [, oldMode = '', mode = '', oldOid = '', oid = '', status = ''] = header;
    const isMoved = status === 'R' || status === 'C';
    at += isMoved ? 2 : 1;
    // Links and submodules have no lines.
    const before = plainFile.test(oldMode) ? oldOid : null;
    if (plainFile.test(mode)) changes.push({ path: fields[at] ?? '', before, after: oid });
  }
  return changes;
}
