import { posix, relative, resolve, sep } from 'node:path';
import { addTo } from '../../util/groups.ts';
import { linesIn } from '../provenance/addedLines.ts';
import type { CodeRecords } from '../provenance/codeRecords.ts';
import { describeOrigin, type Translate } from '../provenance/describeOrigin.ts';
import { withoutSpace } from '../provenance/lineKeys.ts';
import { committedLine } from '../provenance/repository/lineOrigin.ts';
import { listNotes, readNoteObjects } from '../provenance/repository/notes.ts';
import type { Git } from '../provenance/repository/objects.ts';
import type { ComparedEdit } from '../provenance/repository/verifyNotes.ts';
import { editsIn } from '../provenance/svcEdits.ts';
import type { VerifyOptions } from '../verify/part.ts';
import { type Verdict, verifyEvidence } from '../verify/verify.ts';
import { gitIn } from './git.ts';
import { stop } from './usage.ts';
import { exitCodeOf, lined, printVerdict } from './words.ts';

interface Asked {
  /** `<file>:<line>`, a commit, or a range of commits. */
  readonly target: string;
  /** The folder of the repository. */
  readonly folder: string;
  /** Returns the result as JSON text, or null if JSON is not wanted. */
  readonly json: ((value: object) => string) | null;
}

/** Prints the requests that lines come from, with the proof. Returns the exit code: 2 if they come from no request. */
export async function explain(options: VerifyOptions, asked: Asked, print: (text: string) => void): Promise<number> {
  const git = await gitIn(asked.folder);
  const { commits, title, has } = await targetIn(git, asked);
  const requests = await requestsAt(git, commits);
  const found = new Map<string, Found[]>();
  const onEdit = (one: ComparedEdit, records: CodeRecords) => {
    if (has(one)) addTo(found, one.edit.request, { ...one, records });
  };
  const notes = { commits, requests, onEdit };
  const verdict = await verifyEvidence({ ...options, git, notes });
  const origins = [...found.values()].map((own) => originIn(own, verdict));
  const exitCode = exitCodeOf(verdict) || (origins.length === 0 ? 2 : origins.every((one) => one.isAllProven) ? 0 : 3);
  if (asked.json !== null) {
    print(asked.json({ ...asked, exitCode, origins, ...verdict }));
    return exitCode;
  }
  for (const origin of origins) {
    const places = origin.lines.map(({ commit, path, numbers }) => `  ${commit} ${path}: ${numbers.join(', ')}`);
    const top = title === null ? ['Lines that were accepted from one request of Svc:', ...places] : [title];
    print(lined([...top, '', ...describeOrigin(origin, fill), '']));
  }
  if (origins.length === 0) print(lined([`No note names lines of ${asked.target} that were accepted from Svc.`]));
  return exitCode === 1 ? printVerdict(verdict, options, print) : exitCode;
}

type Found = ComparedEdit & { readonly records: CodeRecords };

/** The facts about the lines from one request. */
function originIn(edits: readonly Found[], { verdict, ledgers }: Verdict) {
  const isBroken = verdict === 'broken';
  const [{ edit, commit, author, records }] = edits as readonly [Found];
  const { request, model, log, session, seq } = edit;
  const intent = records.recordOf(session, 'request-intent', request);
  const isAllProven = !isBroken && intent !== null && edits.every(({ isRecorded }) => isRecorded);
  const signer = records.signerOf(session);
  const { vkey: key = null, isVouchedFor: isTrusted = false } = ledgers.find(({ origin }) => origin === signer) ?? {};
  const trust = isTrusted ? 'which you trust' : 'which you did not name as trusted';
  const why = isBroken
    ? 'the log or a note is broken: see below'
    : 'a record is not signed yet, or its log was not given';
  return {
    request,
    model,
    log,
    session,
    seq,
    commit,
    author,
    intent,
    key,
    isTrusted,
    isAllProven,
    outcome: records.recordOf(session, 'request-outcome', request),
    accepted: records.recordOf(session, 'code-accepted', edit.edit),
    proof: isAllProven ? `the line fits these records, which are signed with ${key}, ${trust}` : `nothing: ${why}`,
    lines: edits.map(({ commit, edit: { path }, lines: numbers }) => ({ commit, path, numbers })),
  };
}

const fill: Translate = (text, ...values) => text.replace('{0}', () => `${values[0]}`);

interface Target {
  readonly commits: ReadonlySet<string>;
  /** The first line of the page, if it is about one line. */
  readonly title: string | null;
  readonly has: (compared: ComparedEdit) => boolean;
}

async function targetIn(git: Git, { target, folder }: Asked): Promise<Target> {
  const [, file, digits] = /^(.+):([1-9]\d{0,6})$/s.exec(target) ?? [];
  if (file === undefined) {
    const list = ['rev-list', '--max-count=100000', ...(target.includes('..') ? [] : ['--no-walk']), target, '--'];
    const listed = target.startsWith('-') ? null : await git(list).catch(() => null);
    if (listed === null) stop(`${target}: neither FILE:LINE, nor a commit or a range of commits.`);
    return { commits: new Set(linesIn(listed.toString())), title: null, has: ({ lines }) => lines.length > 0 };
  }
  const prefix = (await git(['rev-parse', '--show-prefix'])).toString().trimEnd();
  const path = relative(resolve(folder), resolve(folder, file)).replaceAll(sep, '/');
  const written = await committedLine(git, posix.join(prefix, path), () => Number(digits) - 1, path);
  if (written === null) stop(`${target}: the file that is committed in HEAD has no such line.`);
  const { commit, number, text } = written;
  return {
    commits: new Set([commit]),
    title: `Line ${digits} of ${file} in HEAD is code that was accepted from Svc.`,
    has: ({ lines, texts }) => lines.includes(number) && withoutSpace(texts[number - 1] ?? '') === text,
  };
}

/** The requests that the notes of some commits name. */
async function requestsAt(git: Git, commits: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const requests = new Set<string>();
  const listed = (await listNotes(git)).filter(({ commit }) => commits.has(commit));
  const ids = listed.map(({ note }) => note);
  for await (const notes of readNoteObjects(git, ids))
    for (const read of notes) if (read.ok) for (const { request } of editsIn(read.note).edits) requests.add(request);
  return requests;
}
