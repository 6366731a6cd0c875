import type { Attachment } from '../message/attachment.ts';
import { questionOf } from '../message/quote.ts';
import type { OutgoingMessage } from '../outgoing.ts';
import { isQuestion } from '../repeats.ts';
import { Copies, type Copy } from './copies.ts';
import type { LeftOut } from './leftOut.ts';
import { EarlierQuestions } from './questions.ts';
import { bytesOfPart, nothing, type Size, sizeOf, sizeOfCalls, sum } from './sizes.ts';

/** A part that can be left out: an attachment of a question, or the result of a tool. */
export interface Item extends Omit<LeftOut, 'question'> {
  readonly kind: 'attachment' | 'result';
  /** Identifies the item in this conversation, also in later requests. */
  readonly key: string;
  /** Undefined for the result of a tool. */
  readonly file?: Attachment;
  /** The index of its message, and of the part in it. */
  readonly message: number;
  readonly part: number;
  readonly copies: readonly Copy[];
  /** The size of its text that is not an attachment. */
  readonly words: Size;
}

/** One step of leaving out: an item with its replacement, or a whole turn. */
export type Step = { readonly item: Item; readonly line: string } | { readonly turn: string };

/** A request from which parts are left out; it always knows its size. */
export class Draft {
  readonly items: readonly Item[];
  /** The ids of its turns, oldest first: the last one has the question. */
  readonly turns: readonly string[];
  readonly #messages: readonly OutgoingMessage[];
  readonly #copies = new Copies();
  readonly #lines = new Map<Item, { readonly text: string; readonly size: Size }>();
  readonly #itemsOf = new Map<number, Item[]>();
  readonly #indexesOf = new Map<string, number[]>();
  readonly #questions: EarlierQuestions;
  readonly #outTurns = new Set<string>();
  /** The size of each message without its copies of attachments. */
  readonly #fixed: Size[];
  #bytes = 0;
  #json = 0;
  #count: number;

  /** The `excluded` attachments may not be sent: the request contains a line instead. */
  constructor(messages: readonly OutgoingMessage[], excluded: ReadonlySet<Attachment>, perToken: number) {
    this.#messages = messages;
    this.#count = messages.length;
    this.#questions = new EarlierQuestions(perToken, messages[0]?.earlier);
    this.#fixed = messages.map((message) => sum(sizeOfCalls(message), sizeOf('')));
    this.items = messages.flatMap((message, index) => this.#itemsIn(message, index, excluded));
    this.turns = [...this.#indexesOf.keys()];
    for (const size of this.#fixed) this.#add(size);
  }

  /** The size in UTF-8, and in the JSON of the body. */
  get size(): Size {
    return sum({ bytes: this.#bytes, json: this.#json }, this.#questions.size, this.#copies.size);
  }

  get messageCount(): number {
    return this.#count;
  }

  /** The bytes that an item takes now: 0 if it is left out, or if its text is above. */
  bytesOf(item: Item): number {
    if (this.isOut(item)) return 0;
    return item.copies.reduce((bytes, copy) => bytes + this.#copies.bytesOf(copy), item.words.bytes);
  }

  /** The turns that contain only the changes to this item: without it, they would contain the whole file. */
  turnsWithChangesTo(item: Item): readonly string[] {
    const changed = item.copies.flatMap((copy) => this.#copies.changesTo(copy));
    if (changed.length === 0) return [];
    return this.items.filter(({ copies }) => copies.some((copy) => changed.includes(copy))).map(({ turn }) => turn);
  }

  /** Whether an item is sent as its changes to one above. */
  isChanges({ copies }: Item): boolean {
    return copies.some((copy) => copy.isIn && copy.sentAs.is === 'changes');
  }

  /** The size of an attachment that is added to the question after its own and the other ones. */
  sizeOfFurther(file: Attachment, others: readonly Attachment[]): Size {
    return this.#copies.sizeAfter(file, others);
  }

  isOut(item: Item): boolean {
    return this.#lines.has(item) || this.#outTurns.has(item.turn);
  }

  /** Leaves out an item; `text` is sent instead. */
  leaveOut(item: Item, text: string): void {
    if (this.isOut(item)) return;
    this.#take(item);
    const size = sizeOf(text);
    this.#lines.set(item, { text, size });
    this.#add(size);
  }

  /** Leaves out a turn except its question. */
  leaveOutTurn(turn: string): void {
    if (this.#outTurns.has(turn)) return;
    for (const index of this.#indexesOf.get(turn) ?? []) {
      for (const item of this.#itemsOf.get(index) ?? []) {
        const line = this.#lines.get(item);
        if (line === undefined) this.#take(item);
        else this.#subtract(line.size);
      }
      this.#subtract(this.#fixed[index] ?? nothing);
      this.#count -= 1;
    }
    this.#outTurns.add(turn);
    this.#questions.add(this.#questionOf(turn));
  }

  /** Limits the bytes of questions that are sent word for word although their turns are left out. */
  cutQuestions(bytes: number): void {
    this.#questions.cutTo(bytes);
  }

  /** All parts that are left out now, with their replacements; a turn's is empty. */
  lines(): ReadonlyMap<string, string> {
    const items = [...this.#lines].map(([{ key }, { text }]) => [key, text] as const);
    return new Map([...items, ...[...this.#outTurns].map((turn) => [turnKey(turn), ''] as const)]);
  }

  /** Leaves out the parts that `lines` of an earlier request names, but no part of the question, which may be asked again. */
  leaveOutAgain(before: ReadonlyMap<string, string>): void {
    const now = this.turns.at(-1);
    for (const item of this.items) {
      const line = before.get(item.key);
      if (line !== undefined && (item.turn !== now || item.kind === 'result')) this.leaveOut(item, line);
    }
    // Turns are left out oldest first: one before them may be new, because it was asked again.
    const kept = this.turns.findIndex((turn) => turn === now || !before.has(turnKey(turn)));
    for (const turn of this.turns.slice(0, kept)) this.leaveOutTurn(turn);
  }

  /** The parts that are left out now, in the order of the conversation. */
  leftOut(): readonly LeftOut[] {
    return this.turns.flatMap((turn): readonly LeftOut[] => {
      const isOut = this.#outTurns.has(turn);
      const items = isOut ? [] : this.#itemsOfTurn(turn).filter((item) => this.#lines.has(item));
      if (!isOut && items.length === 0) return [];
      const question = this.#questionOf(turn).slice(0, shownOfQuestion);
      if (isOut) return [{ turn, question, kind: 'turn', label: '', bytes: this.#bytesOfTurn(turn) }];
      return items.map(({ kind, label, bytes }) => ({ turn, question, kind, label, bytes }));
    });
  }

  /** Returns the messages without the parts that are left out, or the same array if nothing is left out or summarized. */
  messages(): readonly OutgoingMessage[] {
    const { parts } = this.#questions;
    if (this.#lines.size === 0 && parts.length === 0) return this.#messages;
    const kept = this.#messages.flatMap((message, index) =>
      this.#outTurns.has(message.place?.turn ?? '') ? [] : [this.#without(message, index)],
    );
    const [first, ...rest] = kept;
    if (parts.length === 0 || first === undefined) return kept;
    const { earlier: _, ...message } = first;
    return [{ ...message, lead: [...(this.#messages[0]?.lead ?? []), ...parts] }, ...rest];
  }

  #itemsIn(message: OutgoingMessage, index: number, excluded: ReadonlySet<Attachment>): readonly Item[] {
    const { role, parts, lead = [], place, label = '' } = message;
    const isOfQuestion = isQuestion(message);
    const count = (part: string | Attachment): Copy | null => {
      if (typeof part !== 'string' && !excluded.has(part)) return this.#copies.add(part, isOfQuestion);
      this.#fix(index, sizeOf(typeof part === 'string' ? part : part.label));
      return null;
    };
    for (const part of lead) this.#addLead(part, excluded);
    if (place === undefined) {
      for (const part of parts) count(part);
      return [];
    }
    this.#indexesOf.set(place.turn, [...(this.#indexesOf.get(place.turn) ?? []), index]);
    const about = { turn: place.turn, message: index };
    const items: Item[] = [];
    if (role === 'tool') {
      const words = sum(...parts.filter((part) => typeof part === 'string').map((part) => sizeOf(part)));
      const files = parts.filter((part) => typeof part !== 'string');
      const copies = files.filter((file) => !excluded.has(file)).map((file) => this.#copies.add(file, false));
      this.#add(words);
      const bytes = words.bytes + files.reduce((all, file) => all + bytesOfPart(file), 0);
      items.push({
        ...about,
        kind: 'result',
        key: `${place.turn}/${place.step}`,
        label,
        part: 0,
        copies,
        words,
        bytes,
      });
    } else {
      for (const [part, file] of parts.entries()) {
        const copy = count(file);
        if (copy === null || typeof file === 'string') continue;
        const named = { key: `${place.turn}#${part}`, label: file.label, bytes: Buffer.byteLength(file.text) };
        items.push({ ...about, ...named, kind: 'attachment', file, part, copies: [copy], words: nothing });
      }
    }
    this.#itemsOf.set(index, items);
    return items;
  }

  /** Adds a part of the lead. It is not part of the message's own size, because it stays when its turn is left out. */
  #addLead(part: string | Attachment, excluded: ReadonlySet<Attachment>): void {
    if (typeof part !== 'string' && !excluded.has(part)) this.#copies.add(part, false);
    else this.#add(sizeOf(typeof part === 'string' ? part : part.label));
  }

  /** Removes an item. Later copies of its text may become longer. */
  #take({ copies, words }: Item): void {
    this.#subtract(words);
    for (const copy of copies) this.#copies.take(copy);
  }

  #without(message: OutgoingMessage, index: number): OutgoingMessage {
    const lines = (this.#itemsOf.get(index) ?? []).flatMap((item) => {
      const line = this.#lines.get(item);
      return line === undefined ? [] : [{ ...item, text: line.text }];
    });
    if (lines.length === 0) return message;
    if (message.role === 'tool') return { ...message, parts: lines.map(({ text }) => text) };
    const texts = new Map(lines.map(({ part, text }) => [part, text]));
    return { ...message, parts: message.parts.map((part, at) => texts.get(at) ?? part) };
  }

  #itemsOfTurn(turn: string): readonly Item[] {
    return (this.#indexesOf.get(turn) ?? []).flatMap((index) => this.#itemsOf.get(index) ?? []);
  }

  #questionOf(turn: string): string {
    const [index = 0] = this.#indexesOf.get(turn) ?? [];
    return questionOf(this.#messages[index]?.parts ?? []);
  }

  #bytesOfTurn(turn: string): number {
    const indexes = this.#indexesOf.get(turn) ?? [];
    const parts = indexes.flatMap((index) => this.#messages[index]?.parts ?? []);
    return parts.reduce((bytes, part) => bytes + bytesOfPart(part), 0) - Buffer.byteLength(this.#questionOf(turn));
  }

  #fix(index: number, size: Size): void {
    this.#fixed[index] = sum(this.#fixed[index] ?? nothing, size);
  }

  #add({ bytes, json }: Size): void {
    this.#bytes += bytes;
    this.#json += json;
  }

  #subtract({ bytes, json }: Size): void {
    this.#bytes -= bytes;
    this.#json -= json;
  }
}

/** The maximum length in characters of the shown question of a part that is left out. */
const shownOfQuestion = 120;

function turnKey(turn: string): string {
  return `${turn}*`;
}
