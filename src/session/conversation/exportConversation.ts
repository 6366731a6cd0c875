import type { LayerRef } from '../../policy/requestPolicy.ts';
import type { Verdict } from '../../protocol/posture.ts';
import type { ToolStepState } from '../../protocol/toolStepState.ts';
import type { TurnStatus } from '../../protocol/turnStatus.ts';
import type { AuditHeader } from '../../send/audit.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import type { Receipt } from '../../send/message/receipt.ts';
import { append } from '../../util/append.ts';
import { codeOf } from '../../util/errors.ts';
import { fenceFor } from '../../util/text/fence.ts';
import type { ToolStep } from '../tools/toolStep.ts';
import type { Conversation } from './conversation.ts';
import { inertMarkdown } from './inertMarkdown.ts';
import type { Summary } from './summary.ts';
import { errorOf, type Turn } from './turn.ts';

/** The labels of an export, in the user's language. */
export interface ExportWords {
  /** Used if there is no title. */
  readonly untitled: string;
  readonly question: string;
  readonly answer: string;
  /** Precedes the names of attached code. */
  readonly attached: string;
  /** Precedes the name of a tool that the answer called. */
  readonly tool: string;
  readonly model: string;
  readonly state: string;
  readonly finishReason: string;
  readonly requestId: string;
  readonly tokens: string;
  readonly masked: string;
  /** The five columns of the header table: name, requested value, layers that set it, value of the service, verdict. */
  readonly columns: readonly [string, string, string, string, string];
  /** Precedes the service's own receipt. */
  readonly receipt: string;
  /** Precedes a summary, with the number of turns that it replaces. */
  readonly summary: (turns: number) => string;
  /** Used if the service reports nothing about a header. */
  readonly nothing: string;
  readonly time: (epochMs: number) => string;
  readonly status: (status: TurnStatus) => string;
  readonly layer: (layer: LayerRef) => string;
  readonly verdict: (verdict: Verdict) => string;
  readonly step: (state: ToolStepState) => string;
}

/**
 * A conversation as a document, with the requested headers and the service's receipt for each request. Questions and
 * code are in fences that their content cannot close. An answer, which is Markdown itself, is in a quotation: its
 * headings, open fences and lists cannot affect what follows, and it contains nothing that is fetched and no HTML.
 */
export function conversationAsMarkdown(conversation: Conversation, words: ExportWords): string {
  const title = inline(titleOf(conversation) ?? words.untitled);
  const turns = conversation.turns.map((turn, index) => turnAsMarkdown(turn, index + 1, words));
  return `${[`# ${title}`, words.time(conversation.createdAt), ...turns].join('\n\n')}\n`;
}

function turnAsMarkdown(turn: Turn, number: number, words: ExportWords): string {
  const { question, answer, summary, lastRequest } = turn;
  const promptBlock = fenced(question.prompt, 'text');
  const parts = [`## ${number}. ${inline(words.question)}`, words.time(question.askedAt), promptBlock];
  for (const { label, languageId, text } of question.attachments) {
    parts.push(`${inline(words.attached)} ${inline(label)}`, fenced(text, languageId));
  }
  let from = 0;
  for (const step of answer.steps) {
    const text = answer.text.slice(from, Math.max(from, step.at)).trim();
    from = Math.max(from, step.at);
    if (text !== '') parts.push(`### ${inline(words.answer)}`, quoted(inertMarkdown(text)));
    append(parts, stepAsMarkdown(step, words));
  }
  const rest = from === 0 ? answer.text : answer.text.slice(from).trimStart();
  parts.push(`### ${inline(words.answer)}`);
  if (rest !== '') parts.push(quoted(inertMarkdown(rest)));
  parts.push(factsAsMarkdown(turn, words));
  const { receipt } = answer;
  const headers = lastRequest?.headers ?? [];
  if (headers.length > 0) parts.push(headersAsMarkdown(headers, receipt, words));
  if (receipt !== undefined && receipt.text !== '')
    parts.push(`${inline(words.receipt)} ${inline(words.verdict(receipt.verdict))}`, fenced(receipt.text, 'json'));
  if (summary !== undefined) parts.push(`### ${inline(words.summary(summary.turns))}`, fenced(summary.text, 'text'));
  return parts.join('\n\n');
}

function stepAsMarkdown({ name, state, input, output }: ToolStep, words: ExportWords): readonly string[] {
  const { text, attachments } = output ?? { text: '', attachments: [] };
  return [
    `### ${inline(words.tool)} ${inline(name)} (${inline(words.step(state))})`,
    fenced(JSON.stringify(input, null, 2), 'json'),
    ...(text === '' ? [] : [fenced(text, 'text')]),
    ...attachments.flatMap(({ label, languageId, text: code }) => [inline(label), fenced(code, languageId)]),
  ];
}

function factsAsMarkdown({ answer, lastRequest, state }: Turn, words: ExportWords): string {
  const { model, serviceRequestId, masked } = lastRequest ?? {};
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    [words.state, words.status(state.status)],
    [words.model, model],
    [words.finishReason, answer.finishReason],
    [words.requestId, serviceRequestId],
    [words.tokens, answer.usage?.totalTokens],
    [words.masked, masked === 0 ? undefined : masked],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  return known.map(([name, value]) => `- ${inline(name)}: ${inline(String(value))}`).join('\n');
}

function headersAsMarkdown(headers: readonly AuditHeader[], receipt: Receipt | undefined, words: ExportWords): string {
  const rows = headers.map(({ name, value, setBy }) => {
    const statement = receipt?.headers.find((header) => header.name === name);
    const scopes = setBy.map(words.layer).join(', ');
    return [
      name,
      value,
      scopes,
      statement?.said ?? words.nothing,
      words.verdict(statement?.verdict ?? 'not-confirmed'),
    ];
  });
  const line = (cells: readonly string[]): string => `| ${cells.map(inline).join(' | ')} |`;
  return [line(words.columns), line(words.columns).replace(/[^|]+/g, ' --- ').trim(), ...rows.map(line)].join('\n');
}

/** The complete conversation as JSON for programs, with hidden branches separately, without paths of this machine. */
export function conversationAsJson(conversation: Conversation): string {
  const { id, createdAt, turns, hidden = [] } = conversation;
  const exported = {
    format: 'svc-coder-conversation',
    version: 1,
    id,
    title: titleOf(conversation),
    createdAt: new Date(createdAt).toISOString(),
    turns: turns.map(exportedTurn),
    otherBranches: hidden.map(exportedTurn),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

/** Field by field: a field that is added to turns later must not be exported before its privacy is reviewed. */
function exportedTurn(turn: Turn): object {
  const { id, parent, question, answer, summary, lastRequest, state } = turn;
  const { askedAt, action, mode, prompt, command, attachments, secrets } = question;
  const { text, steps, isWithoutTools, finishReason, usage, receipt } = answer;
  const { model = null, serviceRequestId: requestId, headers: requested, masked, shortened } = lastRequest ?? {};
  const error = errorOf(turn);
  return {
    id,
    parent,
    askedAt: new Date(askedAt).toISOString(),
    action,
    mode,
    prompt,
    // The text that was sent instead of the typed text.
    command: command === undefined ? undefined : { name: command.name, text: command.text, model: command.model },
    attachments: attachments.map(exportedAttachment),
    steps: steps.length === 0 ? undefined : steps.map(exportedStep),
    ...{
      isWithoutTools,
      status: state.status,
      answer: text,
      model,
      finishReason,
      usage,
      requestId,
      requested,
      receipt,
    },
    secrets: secrets === undefined || secrets === 'mask' ? secrets : 'as-is',
    masked,
    // The numbers of parts that its request left out of the conversation.
    leftOut: shortened === undefined ? undefined : { ...shortened.counts, tokens: shortened.tokens },
    // The text that later requests contain instead of this turn and the turns before it.
    summary: summary === undefined ? undefined : exportedSummary(summary),
    // The message is not exported: the service's text may quote the request.
    error: error === undefined ? undefined : { kind: error.kind, code: codeOf(error), status: error.status },
  };
}

function exportedSummary(summary: Summary): object {
  const { text, turns, isEdited, model, usage, requestId, requested, receipt, masked } = summary;
  return { text, turns, isEdited, model, usage, requestId, requested, receipt, masked };
}

function exportedStep({ name, input, round, state, allowed, output }: ToolStep): object {
  const { text, attachments = [], cutFrom } = output ?? {};
  return {
    name,
    input,
    round,
    state,
    allowed,
    result: { text, attachments: attachments.map(exportedAttachment), cutFrom },
  };
}

function exportedAttachment({ label, firstLine, languageId, text }: Attachment): object {
  return { label, firstLine, languageId, text };
}

function titleOf({ title, turns }: Conversation): string | undefined {
  const text = title ?? turns[0]?.question.prompt.split(/[\r\n]+/).find((line) => line.trim() !== '');
  return text?.trim();
}

function fenced(text: string, languageId: string): string {
  const fence = fenceFor(text);
  return `${fence}${languageId.replace(/[^\w+#.-]/g, '')}\n${text}\n${fence}`;
}

function quoted(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Text for a line or a table cell, with Markdown and HTML escaped. */
function inline(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').replace(/[\\`*_{}[\]<>()#!|~&$]/g, '\\$&');
}
