import type { Usage } from '../../client/chat.ts';
import { isLive } from '../../protocol/turnStatus.ts';
import type { AuditHeader } from '../../send/audit.ts';
import { pathThrough } from '../../session/conversation/branches.ts';
import type { Conversation, Turn } from '../../session/conversation/conversation.ts';
import type { Summary } from '../../session/conversation/summary.ts';
import { closed, type ToolOutput, type ToolStep } from '../../session/tools/toolStep.ts';
import { errorKinds } from '../../util/errorKinds.ts';
import { ServiceError, type ServiceErrorInit } from '../../util/errors.ts';
import {
  envelopeSchema,
  fileVersion,
  oldestFileVersion,
  type StoredConversation,
  type StoredTurn,
  storedConversationSchema,
  storedTurnSchema,
} from './conversationShape.ts';

/** A file's content, or the reason why it cannot be used. */
export type FileContent =
  | { readonly outcome: 'ok'; readonly conversation: StoredConversation }
  | { readonly outcome: 'damaged' | 'newer' };

/** Parses a file's text. Never throws. */
export function contentOf(text: string, id: string): FileContent {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { outcome: 'damaged' };
  }
  const envelope = envelopeSchema.safeParse(json);
  if (!envelope.success) return { outcome: 'damaged' };
  const { version } = envelope.data;
  if (version > fileVersion) return { outcome: 'newer' };
  const parsed = storedConversationSchema.safeParse(envelope.data.conversation);
  if (version < oldestFileVersion || !parsed.success || parsed.data.id !== id) return { outcome: 'damaged' };
  return { outcome: 'ok', conversation: { ...parsed.data, turns: placed(parsed.data.turns) } };
}

/** Resolves each turn's parent. A parent that does not precede its turn is dropped, which rules out cycles. */
function placed(turns: readonly StoredTurn[]): StoredTurn[] {
  const found = new Map<string, StoredTurn>();
  let previous: string | null = null;
  for (const turn of turns) {
    if (found.has(turn.id)) continue;
    const parent: string | null = turn.parent === undefined ? previous : turn.parent;
    found.set(turn.id, { ...turn, parent: parent !== null && found.has(parent) ? parent : null });
    previous = turn.id;
  }
  return [...found.values()];
}

/** Turns are immutable, and a long conversation is written every second while its last turn grows. */
const jsonOfTurns = new WeakMap<StoredTurn, string>();

export function jsonOf(turn: StoredTurn): string {
  const known = jsonOfTurns.get(turn);
  if (known !== undefined) return known;
  const json = JSON.stringify(turn);
  jsonOfTurns.set(turn, json);
  return json;
}

/** Throws a ServiceError of kind `storage` if the turn could not be read back. */
export function storedTurn(turn: Turn, parent: string | null, revision: number): StoredTurn {
  const { error, confirmation: _, retry: __, sentAt: ___, thinking: ____, ...kept } = turn;
  // Only these fields of an error are written: its message may quote the request.
  const { kind, code, externalCode, status, requestId, host, origin, contextTokens } = error ?? {};
  const raw = {
    ...kept,
    parent,
    revision,
    ...(kind === undefined
      ? {}
      : { error: { kind, code, externalCode, status, requestId, host, origin, contextTokens } }),
  };
  const parsed = storedTurnSchema.safeParse(raw);
  if (!parsed.success) throw tooLarge();
  return parsed.data;
}

/**
 * Converts to a session's format. Work that was in progress when the file was written is interrupted: no process
 * continues it.
 */
export function conversationFrom(stored: StoredConversation): Conversation {
  const { id, createdAt, title, isPinned, model, shown } = stored;
  const all = stored.turns.map(turnFrom);
  const last = all.find((turn) => turn.id === shown) ?? all.at(-1);
  const turns = pathThrough(all, last?.id ?? '');
  const path = new Set(turns);
  const hidden = all.filter((turn) => !path.has(turn));
  return { id, createdAt, ...present({ title, isPinned, model }), turns, ...(hidden.length === 0 ? {} : { hidden }) };
}

function turnFrom(stored: StoredTurn): Turn {
  const { id, parent = null, askedAt, action, prompt, attachments, status, answer, model } = stored;
  const { command, steps, isWithoutTools, finishReason, usage, requestId, request, requested, receipt } = stored;
  const {
    origin,
    places,
    secrets,
    asIsFor,
    masked,
    repeated,
    changesOnly,
    outdated,
    shortened,
    sentAgain,
    readsLess,
    summary,
    error,
  } = stored;
  const turn: Turn = {
    ...{ id, parent, askedAt, action, prompt, attachments, status, answer, model },
    ...present({
      command,
      isWithoutTools,
      finishReason,
      requestId,
      request,
      receipt,
      origin,
      places,
      secrets,
      asIsFor,
      masked,
      repeated,
      changesOnly,
      outdated,
      readsLess,
    }),
    ...(shortened === undefined ? {} : { shortened: { ...shortened, parts: [] } }),
    ...(sentAgain === undefined ? {} : { sentAgain: present(sentAgain) }),
    ...(steps === undefined ? {} : { steps: steps.map(stepFrom) }),
    ...(usage === undefined ? {} : { usage: present(usage) satisfies Usage }),
    ...(requested === undefined ? {} : { requested: requested.map(headerFrom) }),
    ...(summary === undefined ? {} : { summary: summaryFrom(summary) }),
  };
  if (isLive(turn)) return { ...turn, status: 'interrupted', error: windowClosed() };
  if (error === undefined) return turn;
  return { ...turn, error: restoredError(error) };
}

/** An error that was stored. A code that this version does not have counts as external. */
function restoredError({ kind, code, ...facts }: NonNullable<StoredTurn['error']>): ServiceError {
  const codes: readonly (string | undefined)[] = errorKinds[kind].codes;
  const init = { ...facts, ...(codes.includes(code) ? { code } : { externalCode: facts.externalCode ?? code }) };
  return new ServiceError(kind, 'An error that was stored.', init as ServiceErrorInit);
}

type StoredStep = NonNullable<StoredTurn['steps']>[number];
type StoredResult = NonNullable<StoredStep['output']>;

/** A call that waited for approval, or ran, when the file was written has no result. */
function stepFrom({ allowed, output, ...step }: StoredStep): ToolStep {
  return closed({
    ...step,
    ...present({ allowed }),
    ...(output === undefined ? {} : { output: resultFrom(output) }),
  });
}

function resultFrom({ text, attachments, cutFrom }: StoredResult): ToolOutput {
  return { text, attachments, ...present({ cutFrom }) };
}

function summaryFrom({ text, turns, model, ...stored }: NonNullable<StoredTurn['summary']>): Summary {
  const { usage, requestId, requested, receipt, masked, shortened, isEdited } = stored;
  return {
    ...{ text, turns, model, ...present({ requestId, receipt, masked, isEdited }) },
    ...(usage === undefined ? {} : { usage: present(usage) satisfies Usage }),
    ...(requested === undefined ? {} : { requested: requested.map(headerFrom) }),
    ...(shortened === undefined ? {} : { shortened: { ...shortened, parts: [] } }),
  };
}

function headerFrom({ name, value, setBy }: NonNullable<StoredTurn['requested']>[number]): AuditHeader {
  return { name, value, setBy: setBy.map((layer) => ({ layer: layer.layer, ...present({ name: layer.name }) })) };
}

function windowClosed(): ServiceError {
  return new ServiceError('interrupted', 'The window was closed before the answer was complete.', {
    code: 'window-closed',
  });
}

export function tooLarge(): ServiceError {
  return new ServiceError('storage', 'The conversation is too large to be stored.', { code: 'too-large' });
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns a copy without the fields that are undefined. */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
