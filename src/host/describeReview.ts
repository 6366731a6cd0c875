import * as vscode from 'vscode';
import type { ReviewView } from '../protocol/messages.ts';
import type { FoundSecret, Preview, ReviewRequest } from '../session/review.ts';
import { describeBytes, describeNumber } from './describeNumber.ts';
import { describeLayer } from './describePolicy.ts';

const t = vscode.l10n.t;

/** What a person is asked before a request leaves, in words. */
export function describeReview({ preview, found, asIs, movedFrom }: ReviewRequest): ReviewView {
  return {
    title: titleOf(found.length, movedFrom),
    facts: [...movedFacts(movedFrom), ...factsOf(preview)],
    found: found.map(describeSecret),
    sendLabel: found.length === 0 ? t('Send') : t('Send Masked'),
    ...(asIs === undefined ? {} : { sendAsIsLabel: t('Send as It Is') }),
  };
}

function titleOf(found: number, movedFrom: string | undefined): string {
  if (found > 0) return t('Secrets found: {0}. Nothing is sent yet', found);
  return movedFrom === undefined
    ? t('This is what leaves')
    : t('The earlier messages of this conversation would go to another address. Nothing is sent yet');
}

function movedFacts(movedFrom: string | undefined): ReviewView['facts'] {
  return movedFrom === undefined ? [] : [{ name: t('Earlier messages went to'), value: movedFrom }];
}

function factsOf({ url, model, headers, files, masked, unmasked, excluded }: Preview): ReviewView['facts'] {
  const facts = [
    { name: t('Goes to'), value: url },
    { name: t('Model'), value: model },
    {
      name: t('Headers'),
      value: headers.map(({ name, value }) => `${name}: ${value}`).join(', ') || t('no Svc header'),
    },
    { name: t('Files'), value: files.map(({ label, bytes }) => `${label} (${describeBytes(bytes)})`).join(', ') },
    { name: t('Masked'), value: masked.length === 0 ? '' : String(masked.length) },
    { name: t('Sent as they are'), value: unmasked.map(describeSecret).join(', ') },
    { name: t('Left out'), value: excluded.join(', ') },
  ];
  return facts.filter(({ value }) => value !== '');
}

export function describeSecret({ rule, where, line }: FoundSecret): string {
  const place = where === null ? t('your message, line {0}', line) : t('{0}, line {1}', where, line);
  return `${ruleWords(rule)}: ${place}`;
}

/** A rule's name as words: `aws-access-key` is an "aws access key". */
function ruleWords(rule: string): string {
  return rule.replaceAll('-', ' ');
}

/** All of a preview as a text document: the facts, then the exact text of the body, last and to the end. */
export function previewText(preview: Preview): string {
  const { method, url, headers, files, masked, unmasked, excluded, body } = preview;
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
  return [
    `${method} ${url}`,
    '',
    ...section(t('Headers'), [
      t('Authorization: Bearer <your key for {0}>', new URL(url).origin),
      'Content-Type: application/json',
      ...headers.map(
        ({ name, value, setBy }) =>
          `${name}: ${value}   (${t('asked for by {0}', setBy.map(describeLayer).join(', '))})`,
      ),
    ]),
    ...section(
      t('Files'),
      files.map(({ label, bytes }) => `${label} (${describeBytes(bytes)})`),
    ),
    ...section(t('Masked'), masked.map(describeSecret)),
    ...section(t('Sent as they are'), unmasked.map(describeSecret)),
    ...section(t('Left out'), excluded),
    t('Body, exactly ({0} bytes):', describeNumber(Buffer.byteLength(body))),
    body,
  ].join('\n');
}
