// Notes in the format of Git AI, version 3.0.0: the authors of the lines of a commit. Each file has its lines by author, then
// `---`, then JSON: https://github.com/git-ai-project/git-ai. Anyone who can push can write a note.
import { groupBy } from '../../util/groups.ts';
import { asObject, jsonObject } from '../jsonObject.ts';

/** The ref with the notes of a repository. */
export const notesRef = 'refs/notes/ai';
/** The maximum size in bytes of a note that is read or written. */
export const maxNoteBytes = 1024 * 1024;
/** The maximum number of lines that a note names, in all its files together. */
const maxLines = 200_000;
const maxLineNumber = 10_000_000;
const schemaVersion = 'authorship/3.0.0';

/** The lines from `start` to `end`, both included, counted from 1. */
interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** The lines of one author in a file. */
interface Attestation {
  /** The author: a name in the metadata; for an agent, `s_<session>::t_<edit>`. */
  readonly key: string;
  readonly spans: readonly LineSpan[];
}

export interface AttestedFile {
  readonly path: string;
  readonly attestations: readonly Attestation[];
}

export interface AiNote {
  readonly files: readonly AttestedFile[];
  /** The metadata as written; third-party data is kept without interpretation. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The reason why a text is not a note. */
type NoteFault = 'too-large' | 'not-text' | 'no-divider' | 'not-json' | 'wrong-version' | 'wrong-lines';

export type ReadNote = { readonly ok: true; readonly note: AiNote } | { readonly ok: false; readonly fault: NoteFault };

export function parseNote(bytes: Uint8Array): ReadNote {
  if (bytes.length > maxNoteBytes) return { ok: false, fault: 'too-large' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, fault: 'not-text' };
  }
  const lines = text.split('\n');
  const divider = lines.findIndex((line) => line === '---' || line === '---\r');
  if (divider === -1) return { ok: false, fault: 'no-divider' };
  const metadata = jsonObject(lines.slice(divider + 1).join('\n'));
  if (metadata === null) return { ok: false, fault: 'not-json' };
  if (metadata.schema_version !== schemaVersion) return { ok: false, fault: 'wrong-version' };
  const files = parseFiles(lines.slice(0, divider));
  return files === null ? { ok: false, fault: 'wrong-lines' } : { ok: true, note: { files, metadata } };
}

/**
 * Parses several notes that git joined when it squashed commits (`notes.rewriteRef`): each ends with the line of its last
 * brace. Returns null for any other text.
 */
export function parseJoinedNotes(bytes: Uint8Array): AiNote | null {
  const parts = Buffer.from(bytes)
    .toString()
    .split(/(?<=\n\}\n)\n*/);
  const notes = parts.map((part) => parseNote(Buffer.from(part)));
  const read = notes.flatMap((one) => (one.ok ? [one.note] : []));
  const [first] = read;
  if (first === undefined || read.length < 2 || read.length !== notes.length) return null;
  const files = groupBy(
    read.flatMap((note) => note.files),
    ({ path }) => path,
  );
  const maps = ['prompts', 'sessions', 'humans'].flatMap((name) => {
    const all = read.flatMap(({ metadata }) => Object.entries(asObject(metadata[name]) ?? {}));
    return all.length === 0 && !(name in first.metadata) ? [] : [[name, Object.fromEntries(all)] as const];
  });
  return {
    files: [...files].map(([path, same]) => ({ path, attestations: same.flatMap(({ attestations }) => attestations) })),
    metadata: { ...first.metadata, ...Object.fromEntries(maps) },
  };
}

function parseFiles(lines: readonly string[]): readonly AttestedFile[] | null {
  const files: { path: string; attestations: Attestation[] }[] = [];
  let linesLeft = maxLines;
  for (const raw of lines) {
    const line = raw.trimEnd();
    if (line === '') continue;
    if (!line.startsWith('  ')) {
      files.push({ path: pathOf(line), attestations: [] });
      continue;
    }
    const [, key, ranges] = /^ {2}([^ ]{1,200}) ([\d,-]{1,100000})$/.exec(line) ?? [];
    const spans = ranges === undefined ? null : parseSpans(ranges);
    const file = files.at(-1);
    if (key === undefined || spans === null || file === undefined) return null;
    linesLeft -= spans.reduce((sum, { start, end }) => sum + end - start + 1, 0);
    if (linesLeft < 0) return null;
    file.attestations.push({ key, spans });
  }
  return files.filter(({ attestations }) => attestations.length > 0);
}

/**
 * Parses `1,2,19-222`, in any order, because other programs write notes too. Returns null if a number is missing or
 * impossible.
 */
function parseSpans(ranges: string): readonly LineSpan[] | null {
  const spans: LineSpan[] = [];
  for (const range of ranges.split(',')) {
    const [, first, last] = /^([1-9]\d{0,7})(?:-([1-9]\d{0,7}))?$/.exec(range) ?? [];
    const [start, end] = [Number(first), Number(last ?? first)];
    if (first === undefined || start > end || end > maxLineNumber) return null;
    spans.push({ start, end });
  }
  return spans;
}

/** The file name in a line. The format has no escapes: a name is the text between the quotes. */
function pathOf(line: string): string {
  return /^"(.*)"$/s.exec(line)?.[1] ?? line;
}

/** Whether the format can express a name: it must not contain a line break, and must be UTF-8. */
export function canName(path: string): boolean {
  return path !== '' && !/[\n\r\0\ufffd]/.test(path) && path.isWellFormed();
}

/** Returns the text of a note, or null if it is too large. `canName` must hold for the names of its files. */
export function writeNote({ files, metadata }: AiNote): string | null {
  const lines = files.flatMap(({ path, attestations }) => [
    needsQuotes(path) ? `"${path}"` : path,
    ...attestations.map(({ key, spans }) => `  ${key} ${spans.map(rangeOf).join(',')}`),
  ]);
  const text = [...lines, '---', JSON.stringify(metadata, null, 2)].join('\n');
  return Buffer.byteLength(text) > maxNoteBytes ? null : text;
}

function needsQuotes(path: string): boolean {
  return /\s/u.test(path) || path === '---' || (path.length > 1 && path.startsWith('"') && path.endsWith('"'));
}

function rangeOf({ start, end }: LineSpan): string {
  return start === end ? `${start}` : `${start}-${end}`;
}

/** Converts ascending numbers to spans. */
export function spansOf(numbers: readonly number[]): readonly LineSpan[] {
  const spans: { start: number; end: number }[] = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last !== undefined && last.end + 1 === number) last.end = number;
    else spans.push({ start: number, end: number });
  }
  return spans;
}

/** The numbers in spans, in order. */
export function numbersIn(spans: readonly LineSpan[]): readonly number[] {
  return spans.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, index) => start + index));
}

export function emptyNote(base: string): AiNote {
  return { files: [], metadata: { schema_version: schemaVersion, base_commit_sha: base, prompts: {} } };
}
