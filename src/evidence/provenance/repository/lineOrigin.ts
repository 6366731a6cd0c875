import { matchLines } from '../../../util/text/lineDiff.ts';
import { linesIn } from '../addedLines.ts';
import { tagAt, tagOf, withoutSpace } from '../lineKeys.ts';
import { type CommittedEdit, editsIn } from '../svcEdits.ts';
import { textLines } from './commits.ts';
import { readNotes } from './notes.ts';
import { type Git, readObjects } from './objects.ts';

interface LineOrigin {
  /** The commit that wrote the line. */
  readonly commit: string;
  /** The edit that its note names, if the line is the accepted one. */
  readonly edit: CommittedEdit | null;
}

/**
 * Returns the origin of a line of a text that belongs to the file at `path` in HEAD, or null if it is not committed. `number`
 * counts from 1. The path is literal: `git blame` does not interpret it as a pattern.
 */
export async function lineOrigin(git: Git, path: string, text: string, number: number): Promise<LineOrigin | null> {
  const lines = linesIn(text).map(withoutSpace);
  const written = await committedLine(git, path, (committed) => {
    const pairs = matchLines(committed, lines);
    return pairs.find(([, line]) => line + 1 === number)?.[0];
  });
  if (written === null) return null;
  const [read] = await readNotes(git, [written.commit]);
  const edits = read?.ok === true ? editsIn(read.note).edits : [];
  const edit = edits.find(({ lines: named, tags }) =>
    named.some(
      (one) => one.number === written.number && tagAt(tags, one.index)?.equals(tagOf(one.key, written.text)) === true,
    ),
  );
  return { commit: written.commit, edit: edit ?? null };
}

interface WrittenLine {
  /** The commit that wrote the line; `number` is its number in that commit. */
  readonly commit: string;
  readonly number: number;
  /** The text of the line without white space. */
  readonly text: string;
}

/**
 * Returns the origin of a line of the file at `path` in HEAD. `find` gets the lines without white space, and returns its
 * index. `here` is the path from the folder in which git works.
 */
export async function committedLine(
  git: Git,
  path: string,
  find: (committed: readonly string[]) => number | undefined,
  here = path,
): Promise<WrittenLine | null> {
  if (/^\.{1,2}\/|[\n\0]/.test(path)) return null;
  const [object = null] = await readObjects(git, [`HEAD:${path}`]);
  const committed = textLines(object).map(withoutSpace);
  const at = find(committed) ?? -1;
  const text = committed[at];
  if (text === undefined) return null;
  const blamed = await blame(git, here, at + 1);
  return blamed === null ? null : { ...blamed, text };
}

/** The commit that wrote a line of a file in HEAD, and its number in that commit. Changes of white space are ignored. */
async function blame(git: Git, path: string, number: number): Promise<{ commit: string; number: number } | null> {
  const settings = ['-c', 'blame.ignoreRevsFile=', '-c', 'diff.algorithm=default'];
  const options = ['--porcelain', '--no-textconv', '-w', '-L', `${number},${number}`];
  const output = await git([...settings, 'blame', ...options, 'HEAD', '--', path]);
  const [, commit, before] = /^([0-9a-f]{40,64}) (\d+) \d+/.exec(output.toString('latin1', 0, 200)) ?? [];
  return commit === undefined ? null : { commit, number: Number(before) };
}
