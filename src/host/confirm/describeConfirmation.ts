import * as vscode from 'vscode';
import { addedByFetch, addedByUndici, wireHeaders } from '../../client/wireRequest.ts';
import type { FoundSecret } from '../../gate/secrets/examineText.ts';
import type { ConfirmationView } from '../../protocol/turnView.ts';
import type { ConfirmationRequest, Preview } from '../../session/dispatch/confirmation.ts';
import { describeBytes, describeNumber } from '../messages/describeNumber.ts';
import { describeLayer } from '../posture/describePolicy.ts';

const t = vscode.l10n.t;

/** The question to the user before a request is sent. */
export function describeConfirmation({ preview, found, asIs, movedFrom }: ConfirmationRequest): ConfirmationView {
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

function movedFacts(movedFrom: string | undefined): ConfirmationView['facts'] {
  return movedFrom === undefined ? [] : [{ name: t('Earlier messages went to'), value: movedFrom }];
}

function factsOf({ request, model, headers, files, masked, unmasked, excluded }: Preview): ConfirmationView['facts'] {
  const facts = [
    { name: t('Goes to'), value: request.url },
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

/** A rule's name as text: `aws-access-key` becomes "aws access key". */
function ruleWords(rule: string): string {
  return rule.replaceAll('-', ' ');
}

/** A preview as a text document: the facts first, then the exact text of the body up to the end. */
export function previewText(preview: Preview): string {
  const { request, headers, files, masked, unmasked, excluded } = preview;
  const { method, url, body } = request;
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
  const askedBy = (name: string): string => {
    const setBy = headers.find((header) => header.name === name)?.setBy;
    return setBy === undefined ? '' : `   (${t('asked for by {0}', setBy.map(describeLayer).join(', '))})`;
  };
  return [
    `${method} ${url}`,
    '',
    ...section(t('Headers'), [
      ...wireHeaders(request, t('<your key for {0}>', new URL(url).origin)).map(
        ([name, value]) => `${name}: ${value}${askedBy(name)}`,
      ),
      t('Added by the network stack: {0}', addedByUndici.join(', ')),
      t('Added by VS Code’s own network stack also: {0}', addedByFetch.join(', ')),
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
