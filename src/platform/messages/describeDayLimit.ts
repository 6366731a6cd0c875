import * as vscode from 'vscode';
import type { DayLimitReached } from '../../util/errors.ts';
import { describeNumber } from './describeNumber.ts';

const t = vscode.l10n.t;

/** Describes how much of a daily limit is used. */
export function usedWords({ what, used, limit }: DayLimitReached): string {
  const [now, all] = [describeNumber(used), describeNumber(limit)];
  return what === 'requests'
    ? t('{0} of the {1} requests of today are used', now, all)
    : t('{0} of the {1} tokens of today are used', now, all);
}

/** Describes who has set a daily limit, and when the day ends in the user's time. */
export function limitSourceWords({ endsAt }: DayLimitReached, file: string): string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  return t(
    'Your administrator has set this limit in {0}. It is for a day in UTC, which ends at {1} on the clock of this machine.',
    file,
    format.format(endsAt),
  );
}
