import { groupBy } from '../../util/groupBy.ts';
import { CodeRecords } from '../provenance/codeRecords.ts';
import { type ProvenanceCounts, verifyNotes } from '../provenance/repository/verifyNotes.ts';
import { listInput } from './files.ts';
import { type Break, Findings, type Note } from './findings.ts';
import { type LedgerVerdict, type VerifiedPart, type VerifyOptions, verifyPart } from './part.ts';
import { partsOf } from './parts.ts';

export interface Verdict {
  /** `unusable`: the input has no lines of a log. */
  readonly verdict: 'intact' | 'broken' | 'unusable';
  /** Each ledger is signed by a trusted key, and cosigned as the policy requires. */
  readonly isVouchedFor: boolean;
  readonly files: number;
  readonly sessions: number;
  /** Lines of sessions, and how many of them are signed. */
  readonly records: number;
  readonly signed: number;
  /** How many states were kept, and how many of them are of ledgers that are here: only these were compared. */
  readonly kept: { readonly given: number; readonly compared: number };
  /** The number of sessions that were removed on purpose, by reason. */
  readonly removed: Readonly<Record<string, number>>;
  readonly ledgers: readonly LedgerVerdict[];
  /** Counts of what the notes of the repository name; null without a repository. */
  readonly provenance: ProvenanceCounts | null;
  /** At most 100 of each reason. */
  readonly breaks: readonly Break[];
  readonly notes: readonly Note[];
  /** The number of findings by reason. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Verifies logs. Nothing is written. `onPart` gets the lines of each part of a collection, which are not kept. Throws errors
 * of reading, and the reason of the signal.
 */
export async function verifyEvidence(options: VerifyOptions, onPart?: (part: VerifiedPart) => void): Promise<Verdict> {
  const { paths, isCollected = false, checkpoints = [], expected = [], seen = [], git, notes: asked, signal } = options;
  const findings = new Findings();
  const files = await listInput(paths, findings, isCollected);
  const records = new CodeRecords(asked?.requests);
  const takers = [git === undefined ? null : records, options.taker].filter((taker) => taker != null);
  const log = new Log();
  for (const part of isCollected ? await partsOf(files, signal) : [files]) {
    const verified = await verifyPart(part, { options, findings, takers });
    log.add(verified);
    onPart?.(verified);
  }
  const required = new Map([...checkpoints, ...expected].map((one) => [one.origin, one]));
  for (const { origin, file, line } of required.values())
    if (!log.origins.has(origin)) findings.addBreak('missing', { file: origin, line: 0 }, origin, { file, line });
  // Such as those of other machines in a shared repository.
  const others = new Map(seen.filter(({ origin }) => !log.origins.has(origin)).map((one) => [one.origin, one]));
  for (const { origin, file, line } of others.values())
    if (!required.has(origin)) findings.addNote('not-compared', { file, line }, origin);
  const kept = [...checkpoints, ...expected, ...seen];
  const compared = kept.filter(({ origin }) => log.origins.has(origin)).length;
  const has = log.has.bind(log);
  const provenance = git === undefined ? null : await verifyNotes(git, { records, has }, findings, asked);
  const { verdicts, removed } = log;
  const { breaks, notes } = findings;
  const counts = [...groupBy(removed.values(), (why) => why)].map(([why, all]) => [why, all.length]);
  const isEmpty = log.sessions.size === 0 && verdicts.length === 0;
  return {
    verdict: breaks.length > 0 ? 'broken' : isEmpty ? 'unusable' : 'intact',
    isVouchedFor: verdicts.length > 0 && verdicts.every(({ isVouchedFor }) => isVouchedFor),
    ...{ files: files.length, sessions: log.sessions.size },
    ...{ records: log.records, signed: log.signed, kept: { given: kept.length, compared } },
    ...{ removed: Object.fromEntries(counts), ledgers: verdicts, provenance },
    ...{ breaks, notes, counts: findings.counts() },
  };
}

/** The results that are kept of all parts. */
class Log {
  readonly sessions = new Set<string>();
  readonly origins = new Set<string>();
  readonly verdicts: LedgerVerdict[] = [];
  /** Why sessions were removed, by session. */
  readonly removed = new Map<string, string>();
  records = 0;
  signed = 0;

  add({ intake, verdicts, removed, records, signed }: VerifiedPart): void {
    for (const session of intake.sessions.keys()) this.sessions.add(session);
    this.records += records;
    this.signed += signed;
    for (const verdict of verdicts) {
      this.origins.add(verdict.origin);
      this.verdicts.push(verdict);
    }
    for (const [session, why] of removed) this.removed.set(session, why);
  }

  /** If its ledger is here, a session is here too, or was removed. */
  has(session: string, origin: string): boolean {
    return !this.removed.has(session) && (this.sessions.has(session) || this.origins.has(origin));
  }
}
