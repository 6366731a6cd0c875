import type { Findings } from '../../verify/findings.ts';
import { canName, notesRef, type ReadNote } from '../aiNote.ts';
import type { CodeRecords } from '../codeRecords.ts';
import { codeOf, tagAt, tagOf, withoutSpace } from '../lineKeys.ts';
import { type CommittedEdit, editsIn, strayKeys } from '../svcEdits.ts';
import { textLines } from './commits.ts';
import { listNotes, readNoteObjects } from './notes.ts';
import { type Git, type GitObject, readLists } from './objects.ts';

/** The data of the log that notes are compared with. */
interface LogFacts {
  readonly records: CodeRecords;
  /** Whether the log should have the lines of a session: they are present, or their ledger is, and did not remove them. */
  readonly has: (session: string, origin: string) => boolean;
}

export interface ProvenanceCounts {
  /** The number of commits with our own edits. */
  readonly commits: number;
  readonly edits: number;
  /** The number of lines that their keys, the tags, the code and the record of the log prove. */
  readonly lines: number;
}

/** The number of notes whose sizes are requested with one call. */
const atOnce = 512;
/** The maximum size in bytes of the files that are read with one call. */
const maxFileBytes = 16 * 1024 * 1024;

/** The result for one edit of a note. */
export interface ComparedEdit {
  readonly edit: CommittedEdit;
  readonly commit: string;
  /** The name and the address of the author, as stated in the commit. */
  readonly author: string;
  /** The numbers of the lines that equal the accepted lines. */
  readonly lines: readonly number[];
  /** All lines of the file. */
  readonly texts: readonly string[];
  /** Whether the log has the edit's signed record, for this code, request and model. */
  readonly isRecorded: boolean;
}

/** Compares only the notes of some commits, and passes the results on, with the records about some requests. */
export interface NotesAsked {
  readonly commits: ReadonlySet<string>;
  readonly requests: ReadonlySet<string>;
  readonly onEdit: (compared: ComparedEdit, records: CodeRecords) => void;
}

/** Compares the notes of a repository with its files and the log. Adds mismatches to the findings. */
export async function verifyNotes(
  git: Git,
  facts: LogFacts,
  findings: Findings,
  asked?: NotesAsked,
): Promise<ProvenanceCounts> {
  const listed = (await listNotes(git)).filter(({ commit }) => asked?.commits.has(commit) ?? true);
  const counts = { commits: 0, edits: 0, lines: 0 };
  for (let at = 0; at < listed.length; at += atOnce) {
    const some = listed.slice(at, at + atOnce);
    let next = 0;
    for await (const notes of readNoteObjects(
      git,
      some.map(({ note }) => note),
    )) {
      const noted = notes.flatMap((read): NotedEdits[] => {
        const { commit = '' } = some[next++] ?? {};
        const edits = editsOf(commit, read, findings);
        // Git copies a note unchanged when it rewrites a commit, and joins the notes of commits that it squashes.
        const isCopied = read.ok && read.note.metadata.base_commit_sha !== commit;
        return edits.length === 0
          ? []
          : [{ commit, edits, paths: [...new Set(edits.map(({ path }) => path))], isCopied }];
      });
      await compareNotes(git, noted, { facts, findings, counts, asked });
    }
  }
  return counts;
}

interface NotedEdits {
  readonly commit: string;
  readonly edits: readonly CommittedEdit[];
  /** The files, each once, even if several edits name it. */
  readonly paths: readonly string[];
  /** Whether the note belongs to the commit that this one replaced. */
  readonly isCopied: boolean;
}

async function compareNotes(
  git: Git,
  noted: readonly NotedEdits[],
  { counts, ...known }: { readonly counts: Mutable<ProvenanceCounts> } & Omit<Comparing, 'isCopied'>,
): Promise<void> {
  const names = noted.map(({ commit, paths }) => [commit, ...paths.map((path) => nameIn(commit, path))]);
  let next = 0;
  for await (const group of readLists(git, names, { together: maxFileBytes })) {
    for (const [commit = null, ...files] of group) {
      const own = noted[next++] as NotedEdits;
      counts.commits += 1;
      counts.edits += own.edits.length;
      counts.lines += provenLines(own, commit, files, { ...known, isCopied: own.isCopied });
    }
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Returns the edits of a note. An invalid edit is a break, and so are lines that no edit covers. */
function editsOf(commit: string, read: ReadNote, findings: Findings): readonly CommittedEdit[] {
  const place = { file: `${notesRef}:${commit}`, line: 0 };
  if (!read.ok) {
    findings.addBreak('not-a-note', place, read.fault);
    return [];
  }
  const { edits, wrong } = editsIn(read.note);
  for (const { edit } of wrong) findings.addBreak('not-a-note', place, edit);
  for (const key of strayKeys(read.note, edits)) findings.addBreak('not-a-note', place, key);
  return edits;
}

interface Comparing {
  readonly facts: LogFacts;
  readonly findings: Findings;
  /** Whether the note belongs to the commit that this one replaced. */
  readonly isCopied: boolean;
  readonly asked?: NotesAsked | undefined;
}

function provenLines(
  { commit, edits, paths }: NotedEdits,
  object: GitObject | null,
  contents: readonly (GitObject | null)[],
  comparing: Comparing,
): number {
  const { findings, isCopied, asked, facts } = comparing;
  if (object?.type !== 'commit') {
    findings.addNote('no-commit', { file: `${notesRef}:${commit}`, line: 0 }, commit);
    return 0;
  }
  const files = new Map(paths.map((path, index) => [path, textLines(contents[index])]));
  let proven = 0;
  for (const edit of edits) {
    const isRecorded = compareRecord(commit, edit, comparing);
    const lines = files.get(edit.path) ?? [];
    const isWrong = ({ number, index, key }: CommittedEdit['lines'][number]) => {
      const line = lines[number - 1];
      return line === undefined || tagAt(edit.tags, index)?.equals(tagOf(key, withoutSpace(line))) !== true;
    };
    const wrong = new Set(edit.lines.filter(isWrong));
    for (const { number } of wrong) {
      const place = { file: `${commit}:${edit.path}`, line: number };
      if (isCopied) findings.addNote('copied', place, edit.edit);
      else findings.addBreak('other-line', place, edit.edit);
    }
    if (isRecorded) proven += edit.lines.length - wrong.size;
    const right = edit.lines.filter((one) => !wrong.has(one)).map(({ number }) => number);
    asked?.onEdit(
      { edit, commit, author: authorOf(object.bytes), lines: right, texts: lines, isRecorded },
      facts.records,
    );
  }
  return proven;
}

function authorOf(commit: Buffer): string {
  return /^author (.*) \d+ [+-]\d{4}$/m.exec(commit.toString())?.[1] ?? '';
}

/** Returns a file name of a note as an object name. Git would resolve `./` and `../` against its working folder, and fail. */
function nameIn(commit: string, path: string): string {
  return canName(path) && !/^\.{1,2}\//.test(path) ? `${commit}:${path}` : '';
}

/** Whether the log has the record that an edit names, with this code, request and model. */
function compareRecord(commit: string, edit: CommittedEdit, { facts, findings }: Comparing): boolean {
  const { session, seq, request, log } = edit;
  const record = facts.records.at(session, seq);
  const place = { file: `${notesRef}:${commit}`, line: 0 };
  const of = `${session}:${seq}`;
  if (record === null) {
    if (facts.records.isUnsigned(session, seq)) findings.addNote('unsigned', place, of);
    else if (facts.has(session, log)) findings.addBreak('no-record', place, of);
    else findings.addNote('other-log', place, of);
    return false;
  }
  const model = facts.records.modelOf(request);
  const isSameModel = model === null || model === edit.model;
  if (record.edit !== edit.edit || record.request !== request || record.code !== codeOf(edit.tags) || !isSameModel) {
    findings.addBreak('other-code', place, of);
    return false;
  }
  if (model === null) findings.addNote('no-request', place, request);
  return true;
}
