import { append } from '../../util/append.ts';
import type { Break, BreakReason, Note, NoteReason } from '../verify/findings.ts';
import type { VerifyOptions } from '../verify/part.ts';
import type { Verdict } from '../verify/verify.ts';
import { ascii } from './usage.ts';

const breakWords: Readonly<Record<BreakReason, string>> = {
  'not-a-record': 'This is not a line of a log.',
  altered: 'This line was changed after the next one was written.',
  gap: 'Lines are missing after this one.',
  cut: 'Signed lines are missing at the end.',
  'out-of-order': 'This line repeats a number, goes back, or belongs to another session.',
  root: 'These lines were changed, and all hashes after them computed again.',
  missing: 'It was signed, and it is gone.',
  'not-in-ledger': 'It was never signed, or it follows the signed end of a session.',
  signature: 'The signature of this checkpoint is not valid.',
  'unknown-key': 'This is signed by another key.',
  rollback: 'A later state of this ledger exists: it was set back.',
  fork: 'There are two histories under one key.',
  unanchored: 'Lines changed between a crash and the next start, or the secret storage knew too few of them.',
  'not-a-note': 'This note is not in the format, or names lines of Svc without a proof.',
  'no-record': 'A note names this record, and the log does not have it.',
  'other-code': 'A note names this record, and it is of other code, or of another edit, request or model.',
  'other-line': 'A note names this line, and it is not the one that was accepted.',
};

const noteWords: Readonly<Record<NoteReason, string>> = {
  unsigned: 'These lines are not signed yet.',
  'not-vouched': 'The window was killed before these lines were confirmed. They are not treated as signed.',
  'half-line': 'The file ends in half a line, as after a crash.',
  superseded: 'This line was collected, and then lost with the power of the machine.',
  'clock-back': 'The clock of the machine was set back.',
  'not-cosigned': 'The second key that you require has not signed these lines.',
  'not-compared': 'A state of this log was kept, and the log was not given.',
  late: 'These lines have not arrived yet.',
  skipped: 'This is not a file of the log, and it was not read.',
  'left-over': 'These lines are left of a removed session. Nothing confirms them, so they do not count.',
  'other-log': 'A note names this record of a log that was not given.',
  'no-commit': 'The commit of this note is not in the repository.',
  copied: 'Git copied the note when this commit was rewritten, and this line is another one now.',
  'no-request': 'The request of this code is not in the log.',
};

/** The exit code: 0 intact and vouched for, 1 broken, 2 nothing usable, 3 intact but not vouched for. */
export function exitCodeOf({ verdict, isVouchedFor }: Verdict): 0 | 1 | 2 | 3 {
  if (verdict !== 'intact') return verdict === 'broken' ? 1 : 2;
  return isVouchedFor ? 0 : 3;
}

/** Prints a verdict as text. Returns the exit code. */
export function printVerdict(
  verdict: Verdict,
  { policy = null }: Pick<VerifyOptions, 'policy'>,
  print: (text: string) => void,
): number {
  print(wordsOf(verdict, policy !== null));
  return exitCodeOf(verdict);
}

/** A verdict as text in printable ASCII. */
export function wordsOf(verdict: Verdict, hasPolicy: boolean): string {
  const lines = [resultOf(verdict, hasPolicy), ''];
  for (const { origin, vkey, lines: count, size, root, lastTime } of verdict.ledgers) {
    lines.push(`Ledger ${origin}`, `  key    ${vkey ?? 'unknown'}`);
    lines.push(`  signed ${size} of ${countOf(count, 'line')}, the last at ${lastTime ?? 'an unknown time'}`);
    if (root !== null) lines.push(`  keep   ${origin} ${size} ${root}`);
  }
  const removed = Object.entries(verdict.removed).map(([why, count]) => `${count} removed (${why})`);
  lines.push(
    [`${countOf(verdict.records, 'record')} in ${countOf(verdict.sessions, 'session')}`, ...removed].join(', '),
  );
  const { kept } = verdict;
  if (kept.given > 0) lines.push(`${kept.compared} of ${countOf(kept.given, 'kept state')} compared`);
  if (verdict.provenance !== null) {
    const { commits, edits, lines: proven } = verdict.provenance;
    const of = `in ${countOf(edits, 'edit')} of ${countOf(commits, 'commit')}`;
    lines.push(`${countOf(proven, 'line')} of accepted code proven, ${of}`);
  }
  append(lines, section('Breaks', verdict.breaks, breakWords, verdict));
  append(lines, section('Notes', verdict.notes, noteWords, verdict));
  return lined(lines);
}

/** Lines in printable ASCII. */
export function lined(lines: readonly string[]): string {
  return lines.map((line) => `${ascii(line)}\n`).join('');
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function resultOf(verdict: Verdict, hasPolicy: boolean): string {
  const code = exitCodeOf(verdict);
  if (code === 0) return 'INTACT. Every ledger is signed by a trusted key.';
  if (code === 1) return 'BROKEN. See the breaks below.';
  if (code === 2) return 'NOTHING TO VERIFY. No line of an audit log was found.';
  const why = hasPolicy
    ? 'The key of a ledger is not one of the trusted keys, or the second signature is missing.'
    : 'No trusted keys were given: anyone can have made those in the files.';
  return `INTACT, BUT NOT TRUSTED. ${why}`;
}

function section(
  title: string,
  findings: readonly (Break | Note)[],
  words: Readonly<Record<string, string>>,
  { counts }: Verdict,
): readonly string[] {
  const reasons = new Set(findings.map(({ reason }) => reason));
  return [...reasons].flatMap((reason) => {
    const own = findings.filter((finding) => finding.reason === reason);
    const more = (counts[reason] ?? 0) - own.length;
    const places = own.map(({ file, line, of, other }) => {
      const beside = other === undefined ? '' : `; see ${other.file}:${other.line}`;
      return `  ${file}:${line}${of === file ? '' : ` (${of})`}${beside}`;
    });
    return ['', `${title}: ${reason}. ${words[reason]}`, ...places, ...(more > 0 ? [`  and ${more} more`] : [])];
  });
}
