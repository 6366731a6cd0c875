import { isLive } from '../../protocol/turnStatus.ts';
import { pathThrough } from '../../session/conversation/branches.ts';
import type { Conversation } from '../../session/conversation/conversation.ts';
import type { Turn, TurnPhase } from '../../session/conversation/turn.ts';
import { closed } from '../../session/tools/toolStep.ts';
import { errorKinds } from '../../util/errorKinds.ts';
import { ServiceError, type ServiceErrorInit } from '../../util/errors.ts';
import {
  envelopeSchema,
  fileVersion,
  present,
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
  if (version < fileVersion || !parsed.success || parsed.data.id !== id) return { outcome: 'damaged' };
  return { outcome: 'ok', conversation: { ...parsed.data, turns: placed(parsed.data.turns) } };
}

/** A turn occurs once. A parent that does not precede its turn is dropped, which rules out cycles. */
function placed(turns: readonly StoredTurn[]): StoredTurn[] {
  const found = new Map<string, StoredTurn>();
  for (const turn of turns) {
    const { id, parent } = turn;
    if (found.has(id)) continue;
    found.set(id, parent === null || found.has(parent) ? turn : { ...turn, parent: null });
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

/**
 * Returns the parts of a turn that the schema stores. Throws a ServiceError of kind `storage` if the result could not be
 * read back.
 */
export function storedTurn(turn: Turn, parent: string | null, revision: number): StoredTurn {
  const end = isLive(turn.state) ? undefined : turn.state;
  const parsed = storedTurnSchema.safeParse({ ...turn, parent, revision, end });
  if (!parsed.success) throw tooLarge();
  return parsed.data;
}

/** Converts a stored conversation to the format of a session. */
export function conversationFrom(stored: StoredConversation): Conversation {
  const { id, createdAt, title, isPinned, model, mode, shown } = stored;
  const all = stored.turns.map(turnFrom);
  const last = all.find((turn) => turn.id === shown) ?? all.at(-1);
  const turns = pathThrough(all, last?.id ?? '');
  const path = new Set(turns);
  const hidden = all.filter((turn) => !path.has(turn));
  const about = present({ title, isPinned, model, mode });
  return { id, createdAt, ...about, turns, ...(hidden.length === 0 ? {} : { hidden }) };
}

function turnFrom({ revision: _, end, answer, ...stored }: StoredTurn): Turn {
  return {
    ...stored,
    // A call that waited for approval, or ran, when the file was written has no result.
    answer: { ...answer, steps: answer.steps.map(closed) },
    state: { ...phaseFrom(end), memory: {} },
  };
}

/** Work that was in progress when the file was written is interrupted: no process continues it. */
function phaseFrom(end: StoredTurn['end']): TurnPhase {
  if (end === undefined) return { status: 'interrupted', error: windowClosed() };
  switch (end.status) {
    case 'complete':
    case 'stopped':
      return { status: end.status };
    case 'interrupted':
    case 'failed':
      return { status: end.status, ...(end.error === undefined ? {} : { error: restoredError(end.error) }) };
  }
}

type StoredError = NonNullable<NonNullable<StoredTurn['end']>['error']>;

/** Restores a stored error. A code that this version does not have becomes an external code. */
function restoredError({ kind, code, ...facts }: StoredError): ServiceError {
  const codes: readonly (string | undefined)[] = errorKinds[kind].codes;
  const init = { ...facts, ...(codes.includes(code) ? { code } : { externalCode: facts.externalCode ?? code }) };
  return new ServiceError(kind, 'An error that was stored.', init as ServiceErrorInit);
}

function windowClosed(): ServiceError {
  return new ServiceError('interrupted', 'The window was closed before the answer was complete.', {
    code: 'window-closed',
  });
}

export function tooLarge(): ServiceError {
  return new ServiceError('storage', 'The conversation is too large to be stored.', { code: 'too-large' });
}
