import { access } from 'node:fs/promises';
import { type Checkpoint, checkpointWords } from '../../evidence/checkpoint.ts';
import { parseVkey } from '../../evidence/note.ts';
import type { Policy } from '../../evidence/policy.ts';
import type { BreakReason, Note, Place } from '../../evidence/verify/findings.ts';
import type { LedgerVerdict } from '../../evidence/verify/part.ts';
import { type Verdict, verifyEvidence } from '../../evidence/verify/verify.ts';
import { followedLedgers } from './ledger/followed.ts';
import type { LedgerEnd } from './ledger/ledger.ts';

/** A break with its place. */
export interface AuditBreak extends Place {
  readonly reason: BreakReason;
  /** The session, ledger or file, with the numbers of its lines if they are known: `<session> 3-5`. */
  readonly of: string;
}

/** Lines of a session that are not confirmed. */
interface UnsignedLines extends Place {
  readonly count: number;
}

export interface AuditVerdict {
  readonly verdict: 'intact' | 'broken';
  readonly files: number;
  /** Lines of sessions, signed or not. */
  readonly records: number;
  readonly breaks: readonly AuditBreak[];
  /** The ledger of this window; null if nothing is signed. */
  readonly ledger: LedgerVerdict | null;
  /** Ledgers whose key is neither the key of this machine nor one of its predecessors. */
  readonly foreignLedgers: readonly string[];
  readonly unsigned: readonly UnsignedLines[];
  /** The last lines of windows that were killed before the secret storage knew of them. */
  readonly unvouched: readonly UnsignedLines[];
  /** Files that end in an incomplete line, the result of a crash. */
  readonly halfLines: readonly string[];
  /** Items in the folder that were not read: links, pipes, and files with names that are not ours. */
  readonly skipped: readonly string[];
}

/** The sessions that existed; null if they are not known. */
export type PresentSessions = ReadonlySet<string> | null;

interface VerifyLogParts {
  readonly folder: string;
  /** The state of the ledger that this window has just signed; null if it could not sign. */
  readonly end: LedgerEnd | null;
  /** The sessions that existed when this window signed; other windows add and remove sessions. */
  readonly present: PresentSessions;
  /** Sessions that have written lines but have no files. */
  readonly lost: readonly string[];
  /** Whether this build of Node can sign; if not, a session that is in no ledger is not a break. */
  readonly isSigning: boolean;
  /** The last known state of the ledger, stored apart from its file. */
  readonly anchor: Checkpoint | null;
}

/** Verifies all files without any secret, as the program verify.mjs does. Throws errors of reading. */
export async function verifyLog(parts: VerifyLogParts): Promise<AuditVerdict> {
  const { folder, end, anchor } = parts;
  if (!(await isThere(folder))) return nothing;
  const origin = end?.origin ?? anchor?.origin ?? null;
  const chain = origin === null ? [] : await followedLedgers(folder, origin);
  const keys = chain.flatMap(({ origin, vkey }) => {
    const key = parseVkey(vkey);
    return key === null ? [] : [[origin, key] as const];
  });
  const policy: Policy = { logs: new Map(keys), cosigner: null };
  const seen = anchor === null ? [] : [{ ...anchor, file: checkpointWords(anchor), line: 0 }];
  const removed = new Set<string>();
  const found = await verifyEvidence({ paths: [folder], policy, seen }, (part) => {
    for (const session of part.removed.keys()) removed.add(session);
  });
  const lost = parts.lost.filter((session) => !removed.has(session));
  const verdict = withLost(verdictOf(found, origin), lost);
  const breaks = verdict.breaks.filter((each) => each.reason !== 'not-in-ledger' || isToBeSigned(each, parts));
  return { ...verdict, breaks, verdict: breaks.length > 0 ? 'broken' : 'intact' };
}

function verdictOf(found: Verdict, origin: string | null): AuditVerdict {
  const { breaks } = found;
  return {
    verdict: breaks.length > 0 ? 'broken' : 'intact',
    files: found.files,
    records: found.records,
    breaks,
    ledger: found.ledgers.find((ledger) => ledger.origin === origin) ?? null,
    foreignLedgers: found.ledgers.flatMap((ledger) => (ledger.isVouchedFor ? [] : [ledger.origin])),
    unsigned: found.notes.flatMap((note) => linesOf(note, 'unsigned')),
    unvouched: found.notes.flatMap((note) => linesOf(note, 'not-vouched')),
    halfLines: found.notes.flatMap(({ reason, file }) => (reason === 'half-line' ? [file] : [])),
    skipped: found.notes.flatMap(({ reason, file }) => (reason === 'skipped' ? [file] : [])),
  };
}

/** Reports sessions that were deleted before the ledger knew them: only the anchors on this machine show them. */
function withLost(found: AuditVerdict, lost: readonly string[]): AuditVerdict {
  const unknown = lost.filter((session) => !found.breaks.some(({ file }) => file === session));
  const missing = unknown.map((session) => ({ file: session, line: 0, reason: 'missing', of: session }) as const);
  const breaks = [...found.breaks, ...missing];
  return { ...found, breaks, verdict: breaks.length > 0 ? 'broken' : 'intact' };
}

/** Whether a session should be in a ledger: this build can sign, and the session existed at this window's last turn. */
function isToBeSigned({ of }: AuditBreak, { isSigning, present }: VerifyLogParts): boolean {
  const isNew = present !== null && /^[0-9a-f-]{36}$/.test(of) && !present.has(of);
  return isSigning && !isNew;
}

/** Lines of sessions that a note names for a reason; lines of a ledger are not reported. */
function linesOf({ reason, file, line, of }: Note, wanted: Note['reason']): readonly UnsignedLines[] {
  const [, first, last] = /^[0-9a-f-]{36} (\d+)-(\d+)$/.exec(of) ?? [];
  if (reason !== wanted || first === undefined) return [];
  return [{ file, line, count: Number(last) - Number(first) + 1 }];
}

function isThere(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    () => false,
  );
}

const nothing: AuditVerdict = {
  ...{
    verdict: 'intact',
    files: 0,
    records: 0,
    breaks: [],
    ledger: null,
    foreignLedgers: [],
    unsigned: [],
    unvouched: [],
  },
  halfLines: [],
  skipped: [],
};
