import * as vscode from 'vscode';
import type { FoundSecret } from '../../gate/secrets/examineText.ts';
import type { ConfirmationView } from '../../protocol/turnView.ts';
import type { ConfirmationRequest, Preview, Resent } from '../../send/confirmation.ts';
import { changesOf, repeatsOf } from '../../send/repeats.ts';
import { describeBytes } from '../messages/describeNumber.ts';
import { formLines } from './describeForm.ts';
import { excludedLines, leftOutLines } from './leftOutLines.ts';

const t = vscode.l10n.t;

/** Returns the question to the user before a request is sent. */
export function describeConfirmation({
  preview,
  found,
  leftOutOfMessage,
  leftOutOfCalls = [],
  asIs,
  previousOrigin,
  resentBecause,
}: ConfirmationRequest): ConfirmationView {
  const excluded = { leftOutOfMessage: leftOutOfMessage.length, leftOutOfCalls: leftOutOfCalls.length };
  const isWithout = excluded.leftOutOfMessage + excluded.leftOutOfCalls > 0;
  return {
    title: titleOf({ found: found.length, ...excluded, previousOrigin, resentBecause }),
    facts: [...movedFacts(previousOrigin), ...changedFacts(preview, resentBecause), ...factsOf(preview, resentBecause)],
    found: [...found.map(describeSecret), ...excludedLines([...leftOutOfMessage, ...leftOutOfCalls])],
    sendLabel: found.length > 0 ? t('Send Masked') : isWithout ? t('Send Without It') : t('Send'),
    ...(asIs === undefined ? {} : { sendAsIsLabel: t('Send Unmasked') }),
  };
}

interface Reasons {
  readonly found: number;
  readonly leftOutOfMessage: number;
  readonly leftOutOfCalls: number;
  readonly previousOrigin: string | undefined;
  readonly resentBecause: Resent | undefined;
}

function titleOf({ found, leftOutOfMessage, leftOutOfCalls, previousOrigin, resentBecause }: Reasons): string {
  if (found === 1) return t('1 secret found; nothing sent yet');
  if (found > 1) return t('{0} secrets found; nothing sent yet', found);
  if (leftOutOfMessage > 0) return t('Your message contains text of an excluded file; nothing sent yet');
  if (leftOutOfCalls > 0) return t('The model wrote text of an excluded file; nothing sent back yet');
  if (previousOrigin === undefined && resentBecause === 'too-long') {
    return t('The service refused the request as too long. Review the shorter one before it is sent');
  }
  if (previousOrigin === undefined && resentBecause !== undefined) {
    return t('The service refused the request. Review the changed one before it is sent');
  }
  return previousOrigin === undefined
    ? t('Review this request before it is sent')
    : t('The earlier messages of this conversation would be sent to another address; nothing sent yet');
}

function movedFacts(previousOrigin: string | undefined): ConfirmationView['facts'] {
  return previousOrigin === undefined ? [] : [{ name: t('Earlier messages were sent to'), value: previousOrigin }];
}

/** Returns the differences from the request that the service refused. */
function changedFacts(preview: Preview, resentBecause: Resent | undefined): ConfirmationView['facts'] {
  switch (resentBecause) {
    case undefined:
      return [];
    case 'too-long':
      return [leftOutFact(preview)].filter(({ value }) => value !== '');
    default:
      return formLines(resentBecause).map((value) => ({ name: t('Changed'), value }));
  }
}

function leftOutFact({ shortened }: Preview): ConfirmationView['facts'][number] {
  return { name: t('Left out to stay within the limit'), value: leftOutLines(shortened?.parts ?? []).join('\n') };
}

function factsOf(preview: Preview, resentBecause: Resent | undefined): ConfirmationView['facts'] {
  const { request, model, headers, files, masked, unmasked, excluded, leftOut, recognition } = preview;
  const facts = [
    { name: t('Destination'), value: request.url },
    { name: t('Model'), value: model },
    {
      name: t('Headers'),
      value: headers.map(({ name, value }) => `${name}: ${value}`).join(', ') || t('not set'),
    },
    { name: t('Files'), value: files.map(({ label, bytes }) => `${label} (${describeBytes(bytes)})`).join(', ') },
    { name: t('Masked'), value: masked.length === 0 ? '' : String(masked.length) },
    { name: t('Sent unmasked'), value: unmasked.map(describeSecret).join(', ') },
    { name: t('Not included'), value: [...excluded, ...excludedLines(leftOut)].join(', ') },
    { name: t('Excluded files'), value: recognition.is === 'complete' ? '' : recognition.words },
    { name: t('Not sent again (as above)'), value: repeatsOf(preview).join(', ') },
    { name: t('Only changes since an earlier message'), value: changesOf(preview).join(', ') },
    ...(resentBecause === 'too-long' ? [] : [leftOutFact(preview)]),
  ];
  return facts.filter(({ value }) => value !== '');
}

export function describeSecret({ rule, where, line }: FoundSecret): string {
  const place = where === null ? t('your message, line {0}', line) : t('{0}, line {1}', where, line);
  return `${ruleWords(rule)}: ${place}`;
}

/** Returns a rule's name as text: `aws-access-key` becomes "aws access key". */
function ruleWords(rule: string): string {
  return rule.replaceAll('-', ' ');
}
