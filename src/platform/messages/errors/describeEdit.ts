import * as vscode from 'vscode';
import type { EditCode } from '../../../util/errorKinds.ts';
import type { ServiceError } from '../../../util/errors.ts';
import { asText } from '../asText.ts';
import type { WordsByCode } from '../cardWords.ts';
import { NoCode } from './noCode.ts';

const t = vscode.l10n.t;

/** The messages about answers that cannot change code. */
export const editWords: WordsByCode<EditCode, 'protocol'> = {
  'no-code': (error) => ({
    title: t('The answer contains no usable code'),
    detail: saidInstead(error) ?? t('Nothing was changed. Ask again with more detail.'),
    actions: ['retry'],
  }),
  'misplaced-code': () => ({
    title: t('The answer contains only a part of the code, and its place is unclear'),
    detail: t('The lines around the omitted parts are not in this code. Nothing was changed.'),
    actions: ['retry'],
  }),
};

/** The maximum length of the model's text that is shown if an answer has no code. */
const mostSaid = 600;

/** Returns the model's text instead of code, which may be a question, or why it declines. */
function saidInstead(error: ServiceError): string | undefined {
  const said = error instanceof NoCode ? asText(error.said.slice(0, 10_000).replace(/\s+/g, ' ').trim()) : '';
  if (said === '') return undefined;
  return t(
    'Nothing was changed. The model answered: {0}',
    said.length > mostSaid ? `${said.slice(0, mostSaid).toWellFormed()}…` : said,
  );
}
