import type { Verdict } from '../../src/evidence/verify/verify.ts';

/** The states of a machine, the worst first, with an explanation and what to do. */
export const stateWords = {
  forked: 'Two histories were signed with one key: the log was written again, or the machine was copied with its key.',
  'rolled-back': 'An earlier report saw a later state of the log: it was set back.',
  changed: 'Lines are not the ones that were signed.',
  unreadable: 'A file of it could not be read, so nothing is known of it.',
  incomplete: 'Signed lines have not arrived, or were deleted without a record of it.',
  'not-enrolled':
    'The log is intact, but its key is not one of the trusted keys. Approve the key if it belongs to this machine.',
  silent: 'No new line for days. An idle machine and one that is off look the same.',
  late: 'Some lines have not arrived yet.',
  intact: 'The log is complete and signed by an enrolled key.',
} as const;

export type State = keyof typeof stateWords;
export const states = Object.keys(stateWords) as readonly State[];

const incomplete = ['gap', 'cut', 'missing'];

export interface StateOptions {
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
  readonly silentDays: number;
}

export function stateOf(verdict: Verdict, { now, silentDays }: StateOptions): State {
  const { counts, ledgers, breaks } = verdict;
  if (counts.fork) return 'forked';
  if (counts.rollback) return 'rolled-back';
  if (breaks.some(({ reason }) => !incomplete.includes(reason))) return 'changed';
  if (breaks.length > 0) return 'incomplete';
  if (verdict.verdict === 'unusable') return 'silent';
  if (!verdict.isVouchedFor) return 'not-enrolled';
  const last = Math.max(...ledgers.map(({ lastTime }) => (lastTime === null ? 0 : Date.parse(lastTime))));
  if (last < now - silentDays * 86_400_000) return 'silent';
  return counts.late ? 'late' : 'intact';
}
