import { type AiNote, writeNote } from '../aiNote.ts';
import { type Candidate, committedEdits, notedCandidate } from '../committed.ts';
import { type CommittedEdit, editsIn, hasOurs, withEdits } from '../svcEdits.ts';
import { addedInCommit, type Commit } from './commits.ts';
import { putNote, readNotes, removeNote } from './notes.ts';
import type { Git } from './objects.ts';

/** An edit accepted on this machine. */
export interface OwnEdit extends Candidate {
  /** The time in seconds since 1970. No earlier commit can contain the edit. */
  readonly time: number;
}

interface Noting {
  readonly git: Git;
  /** The new commits, the oldest first. */
  readonly commits: readonly Commit[];
  /** The ids of commits that these may replace (amend, rebase, squash), the newest first. */
  readonly replaced: readonly string[];
  /** The edits of this machine, the newest first. */
  readonly own: readonly OwnEdit[];
}

export interface NotedCommit {
  readonly commit: string;
  readonly edits: readonly CommittedEdit[];
  /** `unreadable`: the commit has a note in another format, which is left unchanged. `too-large`: the note cannot be written. */
  readonly outcome: 'written' | 'unchanged' | 'unreadable' | 'too-large';
}

/**
 * Writes the note of each commit that contains lines of an edit: an edit accepted on this machine, or one in the note of
 * a commit that it replaces. Merges get no note.
 */
export async function noteCommits({ git, commits, replaced, own }: Noting): Promise<readonly NotedCommit[]> {
  const plain = commits.filter(({ parents }) => parents.length < 2);
  const notes = await readNotes(git, [...plain.map(({ oid }) => oid), ...replaced]);
  const pool = notes.slice(plain.length).flatMap((read) => (read?.ok === true ? editsIn(read.note).edits : []));
  const noted: NotedCommit[] = [];
  for (const [at, commit] of plain.entries()) {
    const read = notes[at] ?? null;
    if (read?.ok === false) {
      noted.push({ commit: commit.oid, edits: [], outcome: 'unreadable' });
      continue;
    }
    const note = read?.note ?? null;
    const before = note === null ? [] : editsIn(note).edits;
    const mine = own.filter(({ time }) => time <= commit.time + clockSlack);
    const candidates = [...mine, ...[...before, ...pool].map(notedCandidate)];
    const edits = candidates.length === 0 ? [] : await committedEdits(candidates, await addedInCommit(git, commit.oid));
    noted.push({ commit: commit.oid, edits, outcome: await put(git, commit.oid, note, edits) });
  }
  return noted;
}

/** The tolerance in seconds: git rounds times down, and the time of an edit is its record's time. */
const clockSlack = 2;

async function put(
  git: Git,
  commit: string,
  note: AiNote | null,
  edits: readonly CommittedEdit[],
): Promise<NotedCommit['outcome']> {
  if (edits.length === 0 && (note === null || !hasOurs(note))) return 'unchanged';
  const next = withEdits(note, commit, edits);
  const text = writeNote(next);
  if (text === null) return 'too-large';
  if (note !== null && text === writeNote(note)) return 'unchanged';
  if (next.files.length === 0) await removeNote(git, commit);
  else await putNote(git, commit, text);
  return 'written';
}
