import * as vscode from 'vscode';
import type { FoundSecret } from '../../gate/secrets/examineText.ts';
import type { ConfirmationView } from '../../protocol/turnView.ts';
import type { ConfirmationRequest, Preview } from '../../session/dispatch/confirmation.ts';
import { repeatsOf } from '../../session/dispatch/repeats.ts';
import { describeBytes } from '../messages/describeNumber.ts';
import { excludedLines, leftOutLines } from './leftOutLines.ts';

const t = vscode.l10n.t;

/** The question to the user before a request is sent. */
export function describeConfirmation({
  preview,
  found,
  typed,
  asIs,
  movedFrom,
}: ConfirmationRequest): ConfirmationView {
  return {
    title: titleOf(found.length, typed.length, movedFrom),
    facts: [...movedFacts(movedFrom), ...factsOf(preview)],
    found: [...found.map(describeSecret), ...excludedLines(typed)],
    sendLabel: found.length > 0 ? t('Send Masked') : typed.length > 0 ? t('Send Without It') : t('Send'),
    ...(asIs === undefined ? {} : { sendAsIsLabel: t('Send Unmasked') }),
  };
}

function titleOf(found: number, typed: number, movedFrom: string | undefined): string {
  if (found === 1) return t('1 secret found; nothing sent yet');
  if (found > 1) return t('{0} secrets found; nothing sent yet', found);
  if (typed > 0) return t('Your message contains text of an excluded file; nothing sent yet');
  return movedFrom === undefined
    ? t('Review this request before it is sent')
    : t('The earlier messages of this conversation would be sent to another address; nothing sent yet');
}

function movedFacts(movedFrom: string | undefined): ConfirmationView['facts'] {
  return movedFrom === undefined ? [] : [{ name: t('Earlier messages were sent to'), value: movedFrom }];
}

function factsOf(preview: Preview): ConfirmationView['facts'] {
  const { request, model, headers, files, masked, unmasked, excluded, leftOut, recognition, shortened } = preview;
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
    { name: t('Left out to fit'), value: leftOutLines(shortened?.parts ?? []).join('\n') },
  ];
  return facts.filter(({ value }) => value !== '');
}

export function describeSecret({ rule, where, line }: FoundSecret): string {
  const place = where === null ? t('your message, line {0}', line) : t('{0}, line {1}', where, line);
  return `${ruleWords(rule)}: ${place}`;
}

/** A rule's name as text: `aws-access-key` becomes "aws access key". */
function ruleWords(rule: string): string {
  return rule.replaceAll('-', ' ');
}
