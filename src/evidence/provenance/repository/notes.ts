import { maxNoteBytes, notesRef, parseJoinedNotes, parseNote, type ReadNote } from '../aiNote.ts';
import { type Git, readLists, readObjects, resolve } from './objects.ts';

/** The maximum number of notes that are listed. */
const maxNotes = 1_000_000;

/** Returns the notes of commits, in order, or null for a commit without a note. Notes that git has joined are read as one. */
export async function readNotes(git: Git, oids: readonly string[]): Promise<readonly (ReadNote | null)[]> {
  if (oids.length === 0) return [];
  // The path of a note in the tree depends on the number of notes.
  const names = oids.flatMap((oid) => [0, 1, 2, 3].map((depth) => `${notesRef}:${fannedOut(oid, depth)}`));
  const [ids, objects] = [await resolve(git, names), await readObjects(git, names, maxNoteBytes)];
  return oids.map((_, at): ReadNote | null => {
    const found = [0, 1, 2, 3].map((depth) => 4 * at + depth).find((place) => ids[place] !== null);
    if (found === undefined) return null;
    const object = objects[found];
    return object ? parseAny(object.bytes) : { ok: false, fault: 'too-large' };
  });
}

function parseAny(bytes: Buffer): ReadNote {
  const read = parseNote(bytes);
  const joined = read.ok ? null : parseJoinedNotes(bytes);
  return joined === null ? read : { ok: true, note: joined };
}

function fannedOut(oid: string, depth: number): string {
  const folders = Array.from({ length: depth }, (_, at) => oid.slice(2 * at, 2 * at + 2));
  return [...folders, oid.slice(2 * depth)].join('/');
}

/** The maximum size in bytes of the notes that are parsed together: the parsed notes take many times as much memory. */
const maxParsed = 4 * 1024 * 1024;

/** Reads notes by their own ids, in order, several with one call. */
export async function* readNoteObjects(git: Git, oids: readonly string[]): AsyncGenerator<readonly ReadNote[]> {
  const lists = oids.map((oid) => [oid]);
  for await (const group of readLists(git, lists, { max: maxNoteBytes, together: maxParsed }))
    yield group.map(([object = null]) =>
      object === null ? { ok: false, fault: 'too-large' } : parseAny(object.bytes),
    );
}

/** Lists all notes: the id of each, and the commit that it belongs to. */
export async function listNotes(git: Git): Promise<readonly { readonly note: string; readonly commit: string }[]> {
  if ((await resolve(git, [notesRef]))[0] === null) return [];
  const lines = (await git(['ls-tree', '-r', '--full-tree', notesRef])).toString('latin1').split('\n');
  return lines.slice(0, maxNotes).flatMap((line) => {
    const [, note, path = ''] = /^\d+ blob ([0-9a-f]{40,64})\t([0-9a-f/]+)$/.exec(line) ?? [];
    const commit = path.replaceAll('/', '');
    return note !== undefined && /^(?:.{40}|.{64})$/.test(commit) ? [{ note, commit }] : [];
  });
}

/** Writes the note of a commit byte for byte, in place of an earlier one. */
export async function putNote(git: Git, commit: string, text: string): Promise<void> {
  const oid = (await git(['hash-object', '-w', '--stdin'], text)).toString('latin1').trim();
  await git(['notes', `--ref=${notesRef}`, 'add', '--force', '-C', oid, commit]);
}

/** Removes the note of a commit, if it has one. */
export async function removeNote(git: Git, commit: string): Promise<void> {
  await git(['notes', `--ref=${notesRef}`, 'remove', '--ignore-missing', commit]);
}
