import * as vscode from 'vscode';
import { type ChatBody, readChatBody } from '../../client/chatBody.ts';
import { addedByFetch, addedByUndici, wireHeaders } from '../../client/wireRequest.ts';
import { marksIn } from '../../gate/secrets/marks/marks.ts';
import type { Preview, SentPart } from '../../send/confirmation.ts';
import { changesOf, repeatsOf } from '../../send/repeats.ts';
import { describeBytes, describeNumber } from '../messages/describeNumber.ts';
import { describeLayer } from '../messages/describePolicy.ts';
import { describeSecret } from './describeConfirmation.ts';
import { excludedLines, leftOutLines } from './leftOutLines.ts';
import { type MarkedPage, type PageMark, PageWriter } from './markedPage.ts';

const t = vscode.l10n.t;

type SentMessage = ChatBody['messages'][number];
type SentCall = NonNullable<SentMessage['tool_calls']>[number];

/**
 * Returns the page that shows a request: its Svc headers, messages, parameters and other headers, all read from the request
 * that is sent, and then its body, which ends the page.
 */
export function previewPage(preview: Preview): MarkedPage {
  const { request, masked, unmasked, excluded, leftOut, recognition, parts, shortened } = preview;
  const { messages, tools = [], ...parameters } = readChatBody(request.body);
  const page = new PageWriter();
  const list = (title: string, lines: readonly string[]): void => {
    if (lines.length === 0) return;
    page.heading(0, title);
    for (const line of lines) page.line(line);
    page.line('');
  };
  page.heading(0, `${request.method} ${request.url}`);
  page.line('');
  const headers = headersOf(preview);
  list(t('Svc headers'), headers.svc.length === 0 ? [t('None is set.')] : headers.svc);
  list(t('Masked'), masked.map(describeSecret));
  list(t('Sent unmasked'), unmasked.map(describeSecret));
  list(t('Not included'), [...excluded, ...excludedLines(leftOut)]);
  list(t('Excluded files'), recognition.words === '' ? [] : [recognition.words]);
  list(t('Not sent again (as above)'), repeatsOf(preview));
  list(t('Only changes since an earlier message'), changesOf(preview));
  list(t('Left out to stay within the limit'), leftOutLines(shortened?.parts ?? []));
  // The line of a secret is not known in JSON values.
  const rules = rulesOf(masked);
  const quoteValue = (text: string): void => page.quote(text, (line) => masksIn(line, rules));
  page.heading(0, t('Messages ({0})', describeNumber(messages.length)));
  for (const [index, message] of messages.entries()) {
    page.heading(1, messageTitle(message, index, messages.length));
    writeText(page, message.content, parts[index] ?? []);
    for (const call of message.tool_calls ?? []) writeCall(page, call, rules);
  }
  page.line('');
  if (tools.length > 0) page.heading(0, t('Tools ({0})', describeNumber(tools.length)));
  for (const { function: tool } of tools) {
    page.heading(1, tool.name);
    quoteValue(tool.description);
    if (tool.parameters !== undefined) quoteValue(pretty(tool.parameters));
  }
  if (tools.length > 0) page.line('');
  list(
    t('Parameters'),
    Object.entries(parameters).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  );
  list(t('Other headers'), headers.others);
  page.heading(0, t('Request body ({0} bytes):', describeNumber(Buffer.byteLength(request.body))));
  return page.endWith(request.body);
}

function messageTitle({ role, content, tool_call_id: call }: SentMessage, index: number, count: number): string {
  const place = t('Message {0} of {1}', describeNumber(index + 1), describeNumber(count));
  const about = [roleWord(role), describeBytes(Buffer.byteLength(content)), ...(call === undefined ? [] : [call])];
  return `${place}: ${about.join(', ')}`;
}

function roleWord(role: SentMessage['role']): string {
  switch (role) {
    case 'system':
      return t('system');
    case 'user':
      return t('user');
    case 'assistant':
      return t('assistant');
    case 'tool':
      return t('tool result');
  }
}

/** Writes the whole text of a message, part by part. */
function writeText(page: PageWriter, content: string, parts: readonly SentPart[]): void {
  for (const [index, { start, end, file, isLead, masked, unmasked }] of parts.entries()) {
    if (file !== undefined) page.heading(2, fileTitle(file));
    else if (isLead && index === 0) page.heading(2, t('Rules for the model'));
    else if (!isLead && parts[index - 1]?.isLead) page.heading(2, t('Question'));
    const maskedIn = Map.groupBy(masked, ({ line }) => line);
    const unmaskedIn = new Set(unmasked.map(({ line }) => line));
    page.quote(content.slice(start, end), (line, index) => [
      ...masksIn(line, rulesOf(maskedIn.get(index) ?? [])),
      ...(unmaskedIn.has(index) ? [{ kind: 'unmasked', start: 0 } as const] : []),
    ]);
  }
}

function fileTitle({ label, bytes, isChanges }: NonNullable<SentPart['file']>): string {
  const size = describeBytes(bytes);
  return `${label} (${isChanges ? t('changes, {0}', size) : size})`;
}

function writeCall(page: PageWriter, { id, function: called }: SentCall, rules: ReadonlySet<string>): void {
  page.heading(2, t('Tool call: {0}', `${called.name} (${id})`));
  page.quote(pretty(JSON.parse(called.arguments)), (line) => masksIn(line, rules));
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function rulesOf(secrets: readonly { readonly rule: string }[]): ReadonlySet<string> {
  return new Set(secrets.map(({ rule }) => rule));
}

/** Returns the marks in a line that replace secrets of these rules. A mark that the user typed elsewhere is only text. */
function masksIn(line: string, rules: ReadonlySet<string>): readonly Omit<PageMark, 'line'>[] {
  if (rules.size === 0) return [];
  return [...marksIn(line, rules)].flatMap((mark) =>
    mark === null ? [] : [{ kind: 'masked', start: mark.start, end: mark.end }],
  );
}

/** Returns the headers of the request in two groups: those that state a compliance setting, and all others. */
function headersOf({ request, headers }: Preview): {
  readonly svc: readonly string[];
  readonly others: readonly string[];
} {
  const setBy = new Map(headers.map((header) => [header.name, header.setBy]));
  const sent = wireHeaders(request, t('<your API key for {0}>', new URL(request.url).origin));
  const others = sent.filter(([name]) => !setBy.has(name)).map(([name, value]) => `${name}: ${value}`);
  const svc = sent.flatMap(([name, value]) => {
    const layers = setBy.get(name);
    return layers === undefined
      ? []
      : [`${name}: ${value}   (${t('set by {0}', layers.map(describeLayer).join(', '))})`];
  });
  return {
    svc,
    others: [
      ...others,
      t('The network stack adds: {0}', addedByUndici.join(', ')),
      t('VS Code’s network stack also adds: {0}', addedByFetch.join(', ')),
    ],
  };
}
