import { ServiceError } from '../../util/errors.ts';
import { whyCut } from '../../util/whyCut.ts';
import type { ToolCall } from '../chat.ts';
import { isObject, type JsonObject, listOf, textOf } from './answerShape.ts';
import { isCutShort, readJson } from './readJson.ts';

/** The maximum number of calls in an answer; more violate the interface. */
const maxCalls = 128;
const maxNameChars = 128;
const maxIdChars = 200;
/** The maximum length of the input of all calls of one answer together; enough for a file that a tool writes. */
const maxArgumentChars = 1024 * 1024;
/** The maximum depth of an input, because consumers traverse it recursively. */
const maxDepth = 100;

interface Pending {
  /** The call's position in the answer. Some services give all calls of an answer the same index. */
  readonly index: number;
  id: string;
  name: string;
  /** The JSON received so far. */
  text: string;
  /** The last piece of the JSON. */
  last: string;
  /** Whether each piece repeats the one before it, and may add to it: the last piece is then all of the JSON. */
  isRepeated: boolean;
}

interface Piece {
  readonly id: string;
  readonly name: string;
  /** The input, if it is an object, not a part of a text. */
  readonly whole: string | null;
}

/**
 * Assembles the tool calls of an answer from the pieces of a stream, or from a whole completion. Throws ServiceError
 * (protocol, code `tool-call`): a call that violates the interface must not reach a tool.
 */
export class ToolCallAssembler {
  #calls: Pending[] = [];
  /** The call that the last piece belonged to, among all calls and among those with an index. */
  #last: Pending | undefined;
  readonly #lastAt = new Map<number, Pending>();
  #argumentChars = 0;
  #pieces = 0;

  /** True once part of a call has arrived. */
  get hasBegun(): boolean {
    return this.#calls.length > 0;
  }

  /** The number of pieces that have arrived. */
  get pieces(): number {
    return this.#pieces;
  }

  /** @param pieces the value of `tool_calls`. */
  push(pieces: unknown): void {
    // The pieces of one list belong to different calls, even if they have neither an id nor an index.
    const given = new Set<Pending>();
    for (const piece of listOf(pieces)) {
      if (isObject(piece)) this.#put(piece, given);
    }
  }

  /**
   * Returns the calls in the answer's order and clears them. If the answer was truncated and a call is incomplete, throws with
   * the code `tool-call-cut`.
   * @param finishReason as sent by the service, if it sent one.
   */
  take(finishReason?: string): readonly ToolCall[] {
    const pending = this.#calls.toSorted((a, b) => a.index - b.index);
    this.#calls = [];
    this.#last = undefined;
    this.#lastAt.clear();
    // Half a call in an answer without a finish reason means that the answer was cut.
    const hasHalf = finishReason === undefined && pending.some(({ text }) => isCutShort(text));
    const cut = hasHalf ? 'other' : whyCut(finishReason);
    if (cut !== null && pending.some((call) => call.text.trim() === '' || !isObject(meantInput(call)))) {
      throw new ServiceError('protocol', 'The answer was cut inside a tool call.', {
        code: 'tool-call-cut',
        details: { cut },
      });
    }
    return pending.map(callOf);
  }

  #put(piece: JsonObject, given: Set<Pending>): void {
    this.#pieces += 1;
    const id = textOf(piece.id);
    // Some services leave out the object around the name and the arguments.
    const { name, arguments: text } = isObject(piece.function) ? piece.function : piece;
    const more = isObject(text) ? JSON.stringify(text) : textOf(text);
    const pending = this.#pending(piece.index, { id, name: textOf(name), whole: isObject(text) ? more : null }, given);
    given.add(pending);
    if (pending.id === '') pending.id = id;
    pending.name = joinedName(pending, textOf(name));
    this.#argumentChars += more.length;
    if (this.#argumentChars > maxArgumentChars) throw wrong(`Its input is longer than ${maxArgumentChars} characters.`);
    if (pending.id.length > maxIdChars || pending.name.length > maxNameChars) throw wrong('Its name is too long.');
    if (more === '') return;
    // Some services send an empty object first, where most send nothing.
    const isFirst = pending.text === '' || (pending.text === '{}' && more.startsWith('{'));
    pending.isRepeated = isFirst || (pending.isRepeated && more.startsWith(pending.last));
    pending.last = more;
    pending.text = isFirst ? more : pending.text + more;
  }

  /** Finds the call of a piece by its index and its id, or by the one of the two that it has. */
  #pending(index: unknown, { id, name, whole }: Piece, given: ReadonlySet<Pending>): Pending {
    const at = Number.isSafeInteger(index) ? Number(index) : undefined;
    const last = at === undefined ? this.#last : this.#lastAt.get(at);
    const isSame = last !== undefined && (id === '' || last.id === id);
    const isNew = isSame && name !== '' && (given.has(last) || beginsNext(last, name, whole));
    const isCalled = (call: Pending): boolean => call.id === id && (at === undefined || call.index === at);
    const known = id === '' || isNew ? undefined : this.#calls.find(isCalled);
    // An id may arrive late, but only together with an index. Some services send another id with each piece, and the name once.
    const isLast =
      last !== undefined &&
      !isNew &&
      (isSame ||
        (last.id === '' && at !== undefined) ||
        (known === undefined && name === '' && last.name !== '' && !given.has(last)));
    const call = isLast ? last : (known ?? this.#begin(at));
    this.#last = call;
    this.#lastAt.set(call.index, call);
    return call;
  }

  #begin(at: number | undefined): Pending {
    if (this.#calls.length >= maxCalls) throw wrong(`There are more than ${maxCalls}.`);
    const next = Math.max(-1, ...this.#calls.map(({ index }) => index)) + 1;
    const call = { index: at ?? next, id: '', name: '', text: '', last: '', isRepeated: true };
    this.#calls.push(call);
    return call;
  }
}

/** Whether a piece with the name `next` begins another call: it has another name, or a whole input that is another one. */
function beginsNext({ name, text }: Pending, next: string, whole: string | null): boolean {
  // Some services send an empty object first.
  const isOther = name !== next || (whole !== null && whole !== text && text !== '{}');
  return isOther && text !== '' && isObject(readJson(text));
}

/** The name with its next piece: some services repeat the name with every piece; some send it in pieces, before the input. */
function joinedName({ name, text }: Pending, more: string): string {
  if (more === '' || more === name || text !== '') return name === '' ? more : name;
  return more.startsWith(name) ? more : name + more;
}

function callOf(pending: Pending): ToolCall {
  const { id, name } = pending;
  if (name === '') throw wrong('It has no name.');
  return { id: id === '' ? `call_${crypto.randomUUID()}` : id, name, input: inputOf(meantInput(pending)) };
}

/** The input as it was meant: some services send all of it again with each piece, or as JSON in a JSON text. */
function meantInput({ text, last, isRepeated }: Pending): unknown {
  // For a tool without parameters, many services send nothing.
  if (text.trim() === '') return {};
  const value = readJson(text) ?? (isRepeated ? readJson(last) : undefined) ?? readJson(onceOf(text, last));
  if (value === null) return {};
  return typeof value === 'string' ? readJson(value) : value;
}

/** The text once, where a service sends it up to four times, or again in its last piece, maybe as JSON in a JSON text. */
function onceOf(text: string, last: string): string {
  const before = text.slice(0, -last.length);
  if (readJson(last) === before) return before;
  const times = [2, 3, 4].find((n) => text.slice(0, text.length / n).repeat(n) === text);
  return text.slice(0, text.length / (times ?? 1));
}

function inputOf(value: unknown): JsonObject {
  if (!isObject(value)) throw wrong('Its input is not a JSON object.');
  if (isDeeper(value, maxDepth)) throw wrong(`Its input is nested more than ${maxDepth} deep.`);
  return value;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function wrong(why: string): ServiceError {
  return new ServiceError('protocol', `The answer calls a tool wrongly. ${why}`, { code: 'tool-call' });
}
