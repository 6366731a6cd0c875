import * as vscode from 'vscode';
import { describeNumber } from '../messages/describeNumber.ts';
import type { Unrecognized } from './readExcluded.ts';

const t = vscode.l10n.t;

/** What is known of the excluded files. */
export interface Known {
  readonly files: number;
  readonly recognized: number;
  readonly missing: Readonly<Partial<Record<Unrecognized | 'unread', number>>>;
  /** There may be more files. */
  readonly isPartial: boolean;
}

/** Empty if there are none; else `48 of 53 excluded files are recognized by their content; not: 2 binary, 3 over 1 MiB`. */
export function describeRecognition({ files, recognized, missing, isPartial }: Known): string {
  if (files === 0 && !isPartial) return '';
  const reasons = [
    reason(missing.binary, (n) => t('{0} binary', n)),
    reason(missing.tooLarge, (n) => t('{0} over 1 MiB', n)),
    reason(missing.unreadable, (n) => t('{0} unreadable', n)),
    reason(missing.noRoom, (n) => t('{0} for lack of memory', n)),
    reason(missing.unread, (n) => t('{0} not read yet', n)),
    isPartial ? t('not all folders were searched') : '',
  ].filter((words) => words !== '');
  const count = t(
    '{0} of {1} excluded files are recognized by their content',
    describeNumber(recognized),
    describeNumber(files),
  );
  return reasons.length === 0 ? count : t('{0}; not: {1}', count, reasons.join(', '));
}

function reason(count: number | undefined, words: (count: string) => string): string {
  return count === undefined || count === 0 ? '' : words(describeNumber(count));
}
