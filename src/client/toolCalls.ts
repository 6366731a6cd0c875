import { ServiceError } from '../util/errors.ts';
import { isObject, type JsonObject, listOf, textOf } from './answerShape.ts';
import type { ToolCall } from './chat.ts';
import { readJson } from './readJson.ts';

/** More calls in one answer are no answer of the interface. */
const maxCalls = 128;
const maxNameChars = 128;
const maxIdChars = 200;
/** Of all calls of one answer together. A file that a tool is to write fits. */
const maxArgumentChars = 1024 * 1024;
/** Whoever walks through an input does so without a thought for its depth. */
const maxDepth = 100;

interface Pending {
  id: string;
  name: string;
  /** JSON, as far as it has come. */
  text: string;
}

/**
 * Puts the tool calls of an answer together from the pieces in which a stream brings them, or from a whole completion.
 * Throws ServiceError (protocol, code `tool-call`): a call that is not the interface's must reach no tool.
 */
export class ToolCallAssembler {
  readonly #calls = new Map<number, Pending>();
  #last = 0;
  #argumentChars = 0;

  /** Some of a call is here. */
  get hasBegun(): boolean {
    return this.#calls.size > 0;
  }

  /** @param pieces what stands under `tool_calls`. */
  push(pieces: unknown): void {
    for (const piece of listOf(pieces)) {
      if (isObject(piece)) this.#put(piece);
    }
  }

  /** The calls, in the answer's order; afterwards there are none. */
  take(): readonly ToolCall[] {
    const calls = [...this.#calls.entries()].sort(([a], [b]) => a - b).map(([, pending]) => callOf(pending));
    this.#calls.clear();
    return calls;
  }

  #put(piece: JsonObject): void {
    const id = textOf(piece.id);
    const pending = this.#pending(piece.index, id);
    const { name, arguments: text } = isObject(piece.function) ? piece.function : {};
    // The first name stands: some services send it again with every piece.
    if (pending.id === '') pending.id = id;
    if (pending.name === '') pending.name = textOf(name);
    const more = isObject(text) ? JSON.stringify(text) : textOf(text);
    this.#argumentChars += more.length;
    if (this.#argumentChars > maxArgumentChars) throw wrong(`Its input is longer than ${maxArgumentChars} characters.`);
    if (pending.id.length > maxIdChars || pending.name.length > maxNameChars) throw wrong('Its name is too long.');
    pending.text += more;
  }

  /** Services that give no index begin a call with its id. */
  #pending(index: unknown, id: string): Pending {
    const next = this.#calls.size === 0 ? 0 : Math.max(...this.#calls.keys()) + 1;
    const isOther = id !== '' && this.#calls.get(this.#last)?.id !== id;
    const at = Number.isSafeInteger(index) ? Number(index) : isOther ? next : this.#last;
    const known = this.#calls.get(at);
    this.#last = at;
    if (known !== undefined) return known;
    if (this.#calls.size >= maxCalls) throw wrong(`There are more than ${maxCalls}.`);
    const pending = { id: '', name: '', text: '' };
    this.#calls.set(at, pending);
    return pending;
  }
}

function callOf({ id, name, text }: Pending): ToolCall {
  if (name === '') throw wrong('It has no name.');
  return { id: id === '' ? `call_${crypto.randomUUID()}` : id, name, input: inputOf(text) };
}

function inputOf(text: string): JsonObject {
  // A tool without parameters: many services then send nothing.
  if (text.trim() === '') return {};
  const value = readJson(text);
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
