import type { LayerRef } from '../../policy/requestPolicy.ts';
import { fenceFor } from '../../util/fence.ts';
import type { ToolStep, ToolStepState } from '../tools/toolStep.ts';
import type { Attachment } from './attachment.ts';
import type { Conversation, Turn, TurnStatus } from './conversation.ts';
import { inertMarkdown } from './inertMarkdown.ts';
import type { Verdict } from './receipt.ts';

/** The words of an export, in the user's language. */
export interface ExportWords {
  /** Stands for a title where there is none. */
  readonly untitled: string;
  readonly question: string;
  readonly answer: string;
  /** Before the names of attached code. */
  readonly attached: string;
  /** Before the name of a tool that the answer called. */
  readonly tool: string;
  readonly model: string;
  readonly state: string;
  readonly finishReason: string;
  readonly requestId: string;
  readonly tokens: string;
  readonly masked: string;
  /** The five columns of the table of headers: its name, what was requested, who asked, what the service says, verdict. */
  readonly columns: readonly [string, string, string, string, string];
  /** Before the service's own receipt. */
  readonly receipt: string;
  /** Where the service says nothing of a header. */
  readonly nothing: string;
  readonly time: (epochMs: number) => string;
  readonly status: (status: TurnStatus) => string;
  readonly layer: (layer: LayerRef) => string;
  readonly verdict: (verdict: Verdict) => string;
  readonly step: (state: ToolStepState) => string;
}

/**
 * A conversation to read, with what each request asked for and what the service said of it. Questions and code stand in
 * fences that nothing in them can end. An answer, which is Markdown itself, stands in a quotation: no heading, open
 * fence or list of it reaches what follows, and nothing in it is fetched or is HTML.
 */
export function conversationAsMarkdown(conversation: Conversation, words: ExportWords): string {
  const title = inline(titleOf(conversation) ?? words.untitled);
  const turns = conversation.turns.map((turn, index) => turnAsMarkdown(turn, index + 1, words));
  return `${[`# ${title}`, words.time(conversation.createdAt), ...turns].join('\n\n')}\n`;
}

function turnAsMarkdown(turn: Turn, number: number, words: ExportWords): string {
  const parts = [`## ${number}. ${inline(words.question)}`, words.time(turn.askedAt), fenced(turn.prompt, 'text')];
  for (const { label, languageId, text } of turn.attachments) {
    parts.push(`${inline(words.attached)} ${inline(label)}`, fenced(text, languageId));
  }
  for (const step of turn.steps ?? []) parts.push(...stepAsMarkdown(step, words));
  parts.push(`### ${inline(words.answer)}`);
  if (turn.answer !== '') parts.push(quoted(inertMarkdown(turn.answer)));
  parts.push(factsAsMarkdown(turn, words));
  if (turn.requested !== undefined && turn.requested.length > 0) parts.push(headersAsMarkdown(turn, words));
  const { receipt } = turn;
  if (receipt !== undefined && receipt.text !== '')
    parts.push(`${inline(words.receipt)} ${inline(words.verdict(receipt.verdict))}`, fenced(receipt.text, 'json'));
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

function factsAsMarkdown({ status, model, finishReason, requestId, usage, masked }: Turn, words: ExportWords): string {
  const facts: readonly (readonly [string, string | number | null | undefined])[] = [
    [words.state, words.status(status)],
    [words.model, model],
    [words.finishReason, finishReason],
    [words.requestId, requestId],
    [words.tokens, usage?.totalTokens],
    [words.masked, masked === 0 ? undefined : masked],
  ];
  const known = facts.filter(([, value]) => value !== undefined && value !== null);
  return known.map(([name, value]) => `- ${inline(name)}: ${inline(String(value))}`).join('\n');
}

function headersAsMarkdown({ requested = [], receipt }: Turn, words: ExportWords): string {
  const rows = requested.map(({ name, value, setBy }) => {
    const told = receipt?.headers.find((header) => header.name === name);
    const asked = setBy.map(words.layer).join(', ');
    return [name, value, asked, told?.said ?? words.nothing, words.verdict(told?.verdict ?? 'not-confirmed')];
  });
  const line = (cells: readonly string[]): string => `| ${cells.map(inline).join(' | ')} |`;
  return [line(words.columns), line(words.columns).replace(/[^|]+/g, ' --- ').trim(), ...rows.map(line)].join('\n');
}

/** For programs: all there is of a conversation, the branches that are not shown apart, and no path of this machine. */
export function conversationAsJson(conversation: Conversation): string {
  const { id, createdAt, turns, hidden = [] } = conversation;
  const exported = {
    format: 'svc-coder-conversation',
    version: 1,
    id,
    title: titleOf(conversation),
    createdAt: new Date(createdAt).toISOString(),
    turns: turns.map((turn, index) => exportedTurn({ parent: turns[index - 1]?.id ?? null, ...turn })),
    otherBranches: hidden.map(exportedTurn),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

/** Field by field: what a turn may hold one day is not exported before somebody has thought about it. */
function exportedTurn(turn: Turn): object {
  const { id, parent, askedAt, action, prompt, attachments, status, answer, model, error } = turn;
  const { command, steps, isWithoutTools, finishReason, usage, requestId, requested, receipt, secrets, masked } = turn;
  return {
    ...{ id, parent, askedAt: new Date(askedAt).toISOString(), action, prompt },
    // What was sent in the place of what was typed.
    command: command === undefined ? undefined : { name: command.name, text: command.text, model: command.model },
    attachments: attachments.map(exportedAttachment),
    steps: steps?.map(exportedStep),
    ...{ isWithoutTools, status, answer, model, finishReason, usage, requestId, requested, receipt, secrets, masked },
    // What it was, not what was said: the service's words may quote the request.
    error: error === undefined ? undefined : { kind: error.kind, code: error.code, status: error.status },
  };
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
  const text = title ?? turns[0]?.prompt.split(/[\r\n]+/).find((line) => line.trim() !== '');
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

/** Words in a line, or a cell: nothing in them is Markdown or HTML. */
function inline(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').replace(/[\\`*_{}[\]<>()#!|~&$]/g, '\\$&');
}
