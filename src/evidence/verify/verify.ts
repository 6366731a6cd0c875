import { append } from '../../util/append.ts';
import { CodeRecords } from '../provenance/codeRecords.ts';
import { type ProvenanceCounts, verifyNotes } from '../provenance/repository/verifyNotes.ts';
import { listInput } from './files.ts';
import { type Break, Findings, type Note } from './findings.ts';
import { type LedgerVerdict, type VerifiedPart, type VerifyOptions, verifyPart } from './part.ts';
import { partsOf } from './parts.ts';

export interface Verdict {
  /** `unusable`: the input has no lines of a log. */
  readonly verdict: 'intact' | 'broken' | 'unusable';
  /** Whether each ledger is signed by a trusted key, and cosigned as the policy requires. */
  readonly isVouchedFor: boolean;
  readonly files: number;
  readonly sessions: number;
  /** The number of lines of sessions; `signed` is the number of signed ones. */
  readonly records: number;
  readonly signed: number;
  /** The number of kept states, and the number of compared ones, whose ledgers are in the input. */
  readonly kept: { readonly given: number; readonly compared: number };
  /** The number of sessions that were removed on purpose, by reason. */
  readonly removed: Readonly<Record<string, number>>;
  readonly ledgers: readonly LedgerVerdict[];
  /** The counts of the edits in the repository's notes; null if there is no repository. */
  readonly provenance: ProvenanceCounts | null;
  /** The breaks, at most 100 for each reason. */
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
  // These values are kept for all parts.
  const [origins, sessions, removed] = [new Set<string>(), new Set<string>(), new Map<string, string>()];
  const verdicts: LedgerVerdict[] = [];
  let [read, signed] = [0, 0];
  for (const part of isCollected ? await partsOf(files, signal) : [files]) {
    const verified = await verifyPart(part, { options, findings, takers });
    for (const session of verified.intake.sessions.keys()) sessions.add(session);
    for (const { origin } of verified.verdicts) origins.add(origin);
    for (const [session, why] of verified.removed) removed.set(session, why);
    append(verdicts, verified.verdicts);
    read += verified.records;
    signed += verified.signed;
    onPart?.(verified);
  }
  const required = new Map([...checkpoints, ...expected].map((one) => [one.origin, one]));
  for (const { origin, file, line } of required.values())
    if (!origins.has(origin)) findings.addBreak('missing', { file: origin, line: 0 }, origin, { file, line });
  // Other ledgers are, for example, those of other machines in a shared repository.
  const others = new Map(seen.filter(({ origin }) => !origins.has(origin)).map((one) => [one.origin, one]));
  for (const { origin, file, line } of others.values())
    if (!required.has(origin)) findings.addNote('not-compared', { file, line }, origin);
  const kept = [...checkpoints, ...expected, ...seen];
  const compared = kept.filter(({ origin }) => origins.has(origin)).length;
  // If the input has the ledger of a session, it also has the session, unless that was removed.
  const has = (session: string, origin: string) =>
    !removed.has(session) && (sessions.has(session) || origins.has(origin));
  const provenance = git === undefined ? null : await verifyNotes(git, { records, has }, findings, asked);
  const { breaks, notes } = findings;
  const reasons: Record<string, number> = {};
  for (const why of removed.values()) reasons[why] = (reasons[why] ?? 0) + 1;
  const isEmpty = sessions.size === 0 && verdicts.length === 0;
  return {
    verdict: breaks.length > 0 ? 'broken' : isEmpty ? 'unusable' : 'intact',
    isVouchedFor: verdicts.length > 0 && verdicts.every(({ isVouchedFor }) => isVouchedFor),
    files: files.length,
    sessions: sessions.size,
    records: read,
    signed,
    kept: { given: kept.length, compared },
    removed: reasons,
    ledgers: verdicts,
    provenance,
    breaks,
    notes,
    counts: findings.counts(),
  };
}
