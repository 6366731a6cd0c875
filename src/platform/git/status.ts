/** A version of a file in git: its object ID and its mode, such as `100644`. */
interface Blob {
  readonly mode: string;
  readonly oid: string;
}

/** A file that differs between the last commit, the index and the working tree. */
export interface StatusEntry {
  /** The path relative to the root of the repository, with `/`. */
  readonly path: string;
  /** The path in the last commit if the file was moved. */
  readonly from: string | null;
  /** Whether the index differs from the last commit. */
  readonly isStaged: boolean;
  /** Whether the file has an unresolved merge conflict; `head` is then our side. */
  readonly isConflict: boolean;
  /** Whether git does not track the file. */
  readonly isUntracked: boolean;
  /** The version in the last commit; null if the file is not in it. */
  readonly head: Blob | null;
  readonly index: Blob | null;
  /** The mode in the working tree; null if the file is not there. */
  readonly work: string | null;
}

/**
 * Returns the arguments for everything that parseStatus() reads. Each option overrides a setting that would change the
 * output (`status.renames`, `diff.renames`, `diff.renameLimit`, `diff.ignoreSubmodules`, `status.showUntrackedFiles`…).
 */
export function statusArguments(withUntracked: boolean): readonly string[] {
  return [
    ...['-c', 'diff.renameLimit=1000', '-c', 'status.renameLimit=1000'],
    ...['status', '--porcelain=v2', '-z', '--find-renames', '--no-ahead-behind', '--ignore-submodules=dirty'],
    withUntracked ? '--untracked-files=all' : '--untracked-files=no',
  ];
}

/**
 * Parses the output of `git status --porcelain=v2 -z`: https://git-scm.com/docs/git-status#_porcelain_format_version_2.
 * Names are bytes: a name that is not valid UTF-8 contains U+FFFD. Throws if the output has another format.
 */
export function parseStatus(output: Uint8Array): readonly StatusEntry[] {
  const records = new TextDecoder().decode(output).split('\0');
  const entries: StatusEntry[] = [];
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? '';
    const kind = record.slice(0, 2);
    if (kind === '1 ') entries.push(changed(record, 8, null));
    else if (kind === '2 ') {
      at += 1;
      entries.push(changed(record, 9, records[at] ?? ''));
    } else if (kind === 'u ') entries.push(unmerged(record));
    else if (kind === '? ') {
      // A path that ends with a slash is a nested repository.
      if (!record.endsWith('/'))
        entries.push({ ...noVersions, path: record.slice(2), isUntracked: true, work: plainFile });
    } else if (record !== '' && kind !== '# ' && kind !== '! ') {
      throw new Error(`git status printed what is not known: ${record.slice(0, 40)}`);
    }
  }
  return entries;
}

const plainFile = '100644';

const noVersions = {
  from: null,
  isStaged: false,
  isConflict: false,
  isUntracked: false,
  head: null,
  index: null,
  work: null,
} as const;

/** Parses `XY sub mH mI mW hH hI`, the score if the file was moved, and the path. */
function changed(record: string, fields: number, from: string | null): StatusEntry {
  const [, xy = '', , headMode, indexMode, workMode, headOid, indexOid, ...rest] = split(record, fields);
  return {
    ...noVersions,
    path: rest.at(-1) ?? '',
    from,
    isStaged: xy[0] !== '.',
    head: blob(headMode, headOid),
    index: blob(indexMode, indexOid),
    work: modeOf(workMode),
  };
}

/** Parses `XY sub m1 m2 m3 mW h1 h2 h3 path`. */
function unmerged(record: string): StatusEntry {
  const [, , , , ourMode, , workMode, , ourOid, , path = ''] = split(record, 10);
  return { ...noVersions, path, isStaged: true, isConflict: true, head: blob(ourMode, ourOid), work: modeOf(workMode) };
}

/** Returns the first `fields` space-separated fields, and the rest. */
function split(record: string, fields: number): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let left = fields; left > 0; left -= 1) {
    const end = record.indexOf(' ', start);
    if (end === -1) throw new Error(`git status printed too few fields: ${record.slice(0, 40)}`);
    parts.push(record.slice(start, end));
    start = end + 1;
  }
  return [...parts, record.slice(start)];
}

function modeOf(mode: string | undefined): string | null {
  return mode === undefined || /^0*$/.test(mode) ? null : mode;
}

function blob(mode: string | undefined, oid: string | undefined): Blob | null {
  const found = modeOf(mode);
  return found === null || oid === undefined || /^0*$/.test(oid) ? null : { mode: found, oid };
}
