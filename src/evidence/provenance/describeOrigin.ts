import type { RecordFields } from './codeRecords.ts';
import type { AcceptedEdit } from './svcEdits.ts';

/** Inserts values for `{0}`, `{1}`, …; in VS Code, it also translates the text. */
export type Translate = (text: string, ...values: (string | number)[]) => string;

/** The facts about code that was accepted from one request. */
export interface Origin extends Pick<AcceptedEdit, 'request' | 'model' | 'log' | 'session' | 'seq'> {
  /** The commit with the code; null if it is not committed. */
  readonly commit: string | null;
  /** The author that the commit states; null if it is not known. */
  readonly author: string | null;
  /** The records of the log about the request, its outcome, and the accepted code; null if the log does not have them. */
  readonly intent: RecordFields | null;
  readonly outcome: RecordFields | null;
  readonly accepted: RecordFields | null;
  /** The proof, as text. */
  readonly proof: string;
}

/**
 * Answers an auditor's questions, one per line: which request, who asked, with which model, was zero retention on, did the
 * service confirm it, and what is proven. VS Code and verify.mjs give the same answers.
 */
export function describeOrigin(origin: Origin, t: Translate): readonly string[] {
  const { request, model, log, session, seq, commit, author, intent, outcome, accepted, proof } = origin;
  const unknown = t('not in the audit log');
  const headers = headersIn(intent);
  const retention = headers.find(({ name }) => /-zero-retention$/i.test(name));
  const confirmations: Readonly<Record<string, string>> = {
    confirmed: t('confirmed'),
    'not-confirmed': t('not confirmed'),
    contradicted: t('different'),
    none: t('none'),
  };
  const isOn =
    retention === undefined
      ? t('not requested')
      : `${retention.value === 'true' ? t('on') : t('off')} (${retention.setBy})`;
  const confirmation = confirmations[textOf(outcome, 'confirmation')] ?? unknown;
  const id = textOf(outcome, 'requestId');
  const all = headers.map(({ name, value }) => `${name}: ${value}`).join(', ');
  const rows: readonly (readonly [label: string, value: string])[] = [
    [t('Request'), `${request}${intent === null ? '' : ` (${textOf(intent, 'action')})`}`],
    [t('Sent'), intent === null ? unknown : `${textOf(intent, 'time')}, ${textOf(intent, 'origin')}`],
    [t('Asked by'), textOf(intent, 'user') || t('the account that owns the ledger {0}', log)],
    [t('Model'), textOf(intent, 'model') || model],
    [t('Zero retention'), intent === null ? unknown : isOn],
    [t('Service confirmation'), `${confirmation}${id && `, ${t('Request ID')} ${id}`}`],
    [t('Compliance settings'), intent === null ? unknown : all || t('none')],
    [t('Accepted'), `${textOf(accepted, 'time') || unknown}, ${session}:${seq}`],
    [t('Commit'), commit === null ? t('not committed') : `${commit}${author === null ? '' : `, ${author}`}`],
    [t('Proven'), proof],
    [t('Not proven'), t('who used the machine, what the service did with the data, and the exact times')],
  ];
  return rows.map(([label, value]) => `${label}: ${value}`);
}

function textOf(record: RecordFields | null, name: string): string {
  const value = record?.[name];
  return typeof value === 'string' ? value : '';
}

/** The Svc headers of a request, and the layers that set each. */
function headersIn(intent: RecordFields | null): readonly { name: string; value: string; setBy: string }[] {
  const headers = intent?.headers;
  return (Array.isArray(headers) ? (headers as readonly RecordFields[]) : []).map((header) => ({
    name: textOf(header, 'name'),
    value: textOf(header, 'value'),
    setBy: (Array.isArray(header?.setBy) ? (header.setBy as readonly RecordFields[]) : [])
      .map((scope) => textOf(scope, 'layer'))
      .join(', '),
  }));
}
