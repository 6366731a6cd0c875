import * as vscode from 'vscode';
import type { AuditBreak, AuditVerdict } from '../../store/audit/verifyLog.ts';
import { describeNumber } from './describeNumber.ts';

const t = vscode.l10n.t;

/** Describes the result of a verification in one sentence. */
export function describeVerdict({ verdict, records, files }: AuditVerdict): string {
  return verdict === 'intact'
    ? t('The audit log is intact. Records: {0}, files: {1}.', describeNumber(records), describeNumber(files))
    : t('The audit log was changed.');
}

/** Describes each break with its place; only the first ones if there are many. */
export function describeBreaks({ breaks }: AuditVerdict): readonly string[] {
  return firstOf(breaks, ({ file, line, reason, of }) => {
    const words = reasonWords(reason, of);
    return line === 0 ? t('{0}: {1}.', file, words) : t('{0}, line {1}: {2}.', file, line, words);
  });
}

/** The maximum number of items that are listed. An attacker can cause any number of them, which would slow down the page. */
const maxNamed = 100;

function firstOf<T>(all: readonly T[], words: (one: T) => string): readonly string[] {
  const more = all.length - maxNamed;
  const first = all.slice(0, maxNamed).map(words);
  return more > 0 ? [...first, t('{0} more, named by verify.mjs in an export.', describeNumber(more))] : first;
}

/** Describes what was proven, which key vouches for it, and what was not proven. */
export function describeProof(verdict: AuditVerdict): readonly string[] {
  const { ledger, unsigned, unvouched, foreignLedgers, halfLines, skipped } = verdict;
  const count = unsigned.reduce((sum, each) => sum + each.count, 0);
  return [
    ...(ledger === null
      ? [t('Nothing is signed: changes are found only within a file, from one line to the next.')]
      : [
          // Nothing is proven about lines that a ledger with another key vouches for.
          ...(verdict.verdict === 'broken' || foreignLedgers.length > 0
            ? []
            : [
                t(
                  'Proven: since it was signed, no line was changed, added or removed without the key of this machine.',
                ),
              ]),
          t(
            'Signed with: the key of this machine, ledger {0}, {1} lines. Anyone who has this key can write a different log. Only a checkpoint that someone else kept shows that.',
            ledger.origin,
            describeNumber(ledger.size),
          ),
        ]),
    ...(count === 0
      ? []
      : [
          t(
            'Not signed: {0} lines at the end of logs ({1}). If they were changed or removed, it would not be noticed.',
            describeNumber(count),
            firstOf(unsigned, ({ file, line }) => t('{0} from line {1}', file, line)).join(', '),
          ),
        ]),
    ...firstOf(unvouched, ({ file, line, count }) =>
      t(
        'Not confirmed: {0} from line {1}, the last lines of a window that ended abruptly ({2}). They were written before the secret storage knew of them, and are not treated as signed.',
        file,
        line,
        describeNumber(count),
      ),
    ),
    ...firstOf(foreignLedgers, (origin) =>
      t(
        'Signed with another key: the lines under ledger {0}. This machine does not have its key, or no longer has it.',
        origin,
      ),
    ),
    ...firstOf(halfLines, (file) => t('{0} ends with half a line, as after a crash.', file)),
    ...firstOf(skipped, (file) => t('{0} was not read: it is a link, or no file of the log.', file)),
    t('Not proven: who used the machine, the exact times, what the service did, and requests of other programs.'),
  ];
}

function reasonWords(reason: AuditBreak['reason'], of: string): string {
  switch (reason) {
    case 'not-a-record':
      return t('unreadable line');
    case 'altered':
      return t('this line was changed, or signed with another key');
    case 'out-of-order':
      return t('earlier lines were removed, inserted or moved');
    case 'gap':
      return t('lines are missing after it ({0})', of);
    case 'cut':
      return t('lines are missing');
    case 'missing':
      return t('its log is missing');
    case 'not-in-ledger':
      return t('the ledger does not know it: it was never signed');
    case 'root':
      return t('the lines from here were changed and linked again; different lines were signed ({0})', of);
    case 'signature':
      return t('the signature does not match');
    case 'unknown-key':
      return t('signed by an unknown key');
    case 'rollback':
      return t('the ledger was put back to an earlier state ({0})', of);
    case 'fork':
      return t('two histories were signed with one key ({0})', of);
    case 'unanchored':
      return t('after a crash, lines of this session were changed before they were signed ({0})', of);
    // These reasons are about notes in a repository, which this check does not read.
    case 'not-a-note':
    case 'no-record':
    case 'other-code':
    case 'other-line':
      return t('it does not match the records of the log ({0})', of);
  }
}
