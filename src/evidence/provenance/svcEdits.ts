// The part of a note that Svc writes: the edits of Svc in a commit, with their proofs.

import { groupBy } from '../../util/groups.ts';
import { fromBase64 } from '../base64.ts';
import { asObject } from '../jsonObject.ts';
import { isOrigin } from '../line.ts';
import { sha256 } from '../sha256.ts';
import { type AiNote, type AttestedFile, canName, emptyNote, numbersIn, spansOf } from './aiNote.ts';
import { keyBytes, tagBytes } from './lineKeys.ts';

/** The name of this agent in notes, as in the origins of its ledgers. */
const agent = 'svc-coder';
/** The maximum number of edits that are read from one note. */
const maxEdits = 1_000;

/** An accepted edit, with the place of its record and the tags of all its lines. */
export interface AcceptedEdit {
  /** The UUID of the edit. */
  readonly edit: string;
  /** The UUID of the request in the log. */
  readonly request: string;
  readonly model: string;
  /** The origin of the ledger. */
  readonly log: string;
  /** The session and the line of its `code-accepted` record. */
  readonly session: string;
  readonly seq: number;
  readonly tags: Buffer;
}

/** The lines of an edit that a commit has. */
export interface CommittedEdit extends AcceptedEdit {
  readonly path: string;
  /** The lines, ascending by number, each with its index in the edit and its key. */
  readonly lines: readonly { readonly number: number; readonly index: number; readonly key: Buffer }[];
}

/** An edit of a note that is not in the form that this extension writes. */
interface WrongEdit {
  readonly edit: string;
  readonly fault: 'wrong-edit';
}

/** Returns the note of a commit with these edits instead of our earlier ones; third-party data stays. */
export function withEdits(note: AiNote | null, commit: string, edits: readonly CommittedEdit[]): AiNote {
  const { files, metadata } = withoutOurs(note ?? emptyNote(commit));
  const ours = edits.filter(({ path, lines }) => canName(path) && lines.length > 0);
  const merged = new Map(files.map((file) => [file.path, [...file.attestations]]));
  for (const { path, request, edit, lines } of ours) {
    const spans = spansOf(lines.map(({ number }) => number));
    merged.set(path, [...(merged.get(path) ?? []), { key: `${sessionOf(request)}::${traceOf(edit)}`, spans }]);
  }
  const sessions = new Map(Object.entries(asObject(metadata.sessions) ?? {}));
  for (const [request, own] of groupBy(ours, ({ request }) => request)) {
    sessions.set(sessionOf(request), sessionFor(request, own));
  }
  const rest = Object.entries({ ...metadata, base_commit_sha: commit }).filter(([name]) => name !== 'sessions');
  return {
    files: [...merged].map(([path, attestations]) => ({ path, attestations })),
    metadata: Object.fromEntries([...rest, ['sessions', Object.fromEntries(sessions)]]),
  };
}

function sessionFor(request: string, edits: readonly CommittedEdit[]): object {
  const attributes = edits.map(({ edit, session, seq, tags, lines }) => {
    const keys = lines.map(({ index, key }) => `${index}:${key.toString('base64')}`).join(',');
    return [`svc.edit.${edit}`, `${session}:${seq} ${tags.toString('base64')} ${keys}`] as const;
  });
  return {
    agent_id: { tool: agent, id: request, model: edits[0]?.model ?? '' },
    custom_attributes: { 'svc.log': edits[0]?.log ?? '', ...Object.fromEntries(attributes) },
  };
}

function withoutOurs({ files, metadata }: AiNote): AiNote {
  const own = namesOfOurs(metadata);
  const kept = Object.entries(asObject(metadata.sessions) ?? {}).filter(([name]) => !own.has(name));
  const others = files.map(({ path, attestations }) => ({
    path,
    attestations: attestations.filter(({ key }) => !own.has(sessionIn(key))),
  }));
  return {
    files: others.filter(({ attestations }) => attestations.length > 0),
    metadata: { ...metadata, sessions: Object.fromEntries(kept) },
  };
}

/** Whether a note has edits of Svc. */
export function hasOurs({ metadata }: AiNote): boolean {
  return namesOfOurs(metadata).size > 0;
}

function namesOfOurs({ sessions }: AiNote['metadata']): ReadonlySet<string> {
  const all = Object.entries(asObject(sessions) ?? {});
  return new Set(all.filter(([, session]) => isOurs(session)).map(([name]) => name));
}

/**
 * Returns the edits of Svc in a note. For an edit that is not in the exact form, only the name is returned. For lines without
 * an edit, see `strayKeys`.
 */
export function editsIn({ files, metadata }: AiNote): {
  readonly edits: readonly CommittedEdit[];
  readonly wrong: readonly WrongEdit[];
} {
  const edits: CommittedEdit[] = [];
  const wrong: WrongEdit[] = [];
  const places = placesIn(files);
  for (const [name, value] of Object.entries(asObject(metadata.sessions) ?? {})) {
    if (!isOurs(value)) continue;
    for (const [edit, text] of attributesOf(value)) {
      const parsed = edits.length < maxEdits ? readEdit(name, value, edit, text, places) : null;
      if (parsed === null) wrong.push({ edit: uuid.test(edit) ? edit : '?', fault: 'wrong-edit' });
      else edits.push(parsed);
    }
  }
  return { edits, wrong };
}

/** Returns the keys of lines in the name of Svc for which the note has no edit, a claim that nothing can prove. */
export function strayKeys({ files, metadata }: AiNote, edits: readonly CommittedEdit[]): readonly string[] {
  const proven = new Set(edits.map(({ request, edit, path }) => `${sessionOf(request)}::${traceOf(edit)} ${path}`));
  const own = namesOfOurs(metadata);
  return files.flatMap(({ path, attestations }) =>
    attestations.filter(({ key }) => own.has(sessionIn(key)) && !proven.has(`${key} ${path}`)).map(({ key }) => key),
  );
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readEdit(
  name: string,
  value: Readonly<Record<string, unknown>>,
  edit: string,
  text: unknown,
  allPlaces: ReadonlyMap<string, readonly LinesPlace[]>,
): CommittedEdit | null {
  const id = asObject(value.agent_id) ?? {};
  const { id: request, model } = id;
  const log = asObject(value.custom_attributes)?.['svc.log'];
  if (typeof request !== 'string' || !uuid.test(request) || !uuid.test(edit) || sessionOf(request) !== name)
    return null;
  if (
    typeof model !== 'string' ||
    !/^[^\p{C}\u2028\u2029]{0,300}$/u.test(model) ||
    typeof log !== 'string' ||
    !isOrigin(log)
  )
    return null;
  const [, session = '', seq, base64 = '', keyed = ''] =
    typeof text === 'string' ? (/^([0-9a-f-]{36}):([1-9]\d{0,6}) ([A-Za-z0-9+/=]+) ([^ ]+)$/.exec(text) ?? []) : [];
  const tags = fromBase64(base64);
  if (!uuid.test(session) || tags === null || tags.length % tagBytes !== 0) return null;
  const keys = readKeys(keyed, tags.length / tagBytes);
  const key = `${name}::${traceOf(edit)}`;
  const places = allPlaces.get(key) ?? [];
  const [place] = places;
  if (keys === null || place === undefined || places.length > 1 || place.numbers.length !== keys.length) return null;
  if (place.numbers.some((number, at) => number <= (place.numbers[at - 1] ?? 0))) return null;
  const lines = keys.map(([index, lineKey], at) => ({ number: place.numbers[at] ?? 0, index, key: lineKey }));
  return { edit, request, model, log, session, seq: Number(seq), tags, path: place.path, lines };
}

interface LinesPlace {
  readonly path: string;
  readonly numbers: readonly number[];
}

/** The lines of each key. */
function placesIn(files: readonly AttestedFile[]): ReadonlyMap<string, readonly LinesPlace[]> {
  const all = files.flatMap(({ path, attestations }) =>
    attestations.map(({ key, spans }) => ({ key, path, numbers: numbersIn(spans) })),
  );
  return groupBy(all, ({ key }) => key);
}

/** Parses `0:<key>,1:<key>`, ascending and below `count`. */
function readKeys(text: string, count: number): readonly (readonly [number, Buffer])[] | null {
  const keys: (readonly [number, Buffer])[] = [];
  for (const part of text.split(',')) {
    const [, digits, base64 = ''] = /^(0|[1-9]\d{0,5}):([A-Za-z0-9+/]{22}==)$/.exec(part) ?? [];
    const key = fromBase64(base64);
    const index = Number(digits);
    if (digits === undefined || key?.length !== keyBytes || index >= count) return null;
    if (index <= (keys.at(-1)?.[0] ?? -1)) return null;
    keys.push([index, key]);
  }
  return keys;
}

function isOurs(session: unknown): session is Readonly<Record<string, unknown>> {
  return asObject(asObject(session)?.agent_id)?.tool === agent;
}

function attributesOf(session: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(asObject(session.custom_attributes) ?? {})
    .filter(([name]) => name.startsWith('svc.edit.'))
    .map(([name, value]) => [name.slice('svc.edit.'.length), value] as const);
}

/** The name of a session in Git AI: the beginning of a hash of the tool and its id. */
export function sessionOf(request: string): string {
  return `s_${sha256(Buffer.from(`${agent}:${request}`)).toString('hex', 0, 7)}`;
}

/** The name of an edit: 56 bits of its UUID. */
function traceOf(edit: string): string {
  return `t_${edit.replaceAll('-', '').slice(0, 14)}`;
}

function sessionIn(key: string): string {
  return key.split('::')[0] ?? '';
}
