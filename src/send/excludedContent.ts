import type { ToolCall } from '../client/chat.ts';
import { type Content, joinOf, sliceOf } from '../gate/content.ts';
import { type LeftOutPassage, markOf, passagesIn, withPassagesLeftOut } from '../gate/fingerprints/leaveOut.ts';
import { type FoundPassage, passagesAtATime } from '../gate/fingerprints/passages.ts';
import { inSlices, isPauseDue, pause } from '../gate/secrets/pace.ts';
import type { AuditRecognition } from '../protocol/audit/auditValues.ts';
import { append } from '../util/append.ts';
import { ServiceError } from '../util/errors.ts';
import { treatmentAt } from './destination.ts';
import { type Attachment, isWithoutFile } from './message/attachment.ts';
import type { Earlier } from './message/earlier.ts';
import type { Outgoing, OutgoingMessage } from './outgoing.ts';

/** The number of excluded files that are recognized by their content. */
export interface RecognitionState {
  /** `none` means that there are excluded files, but no file is recognized. */
  readonly is: AuditRecognition;
  readonly files: number;
  readonly recognized: number;
  /**
   * The number of further files that are not included in the other numbers: git ignores them, and they are binary or in folders
   * of built or installed files; or they have too little text to recognize.
   */
  readonly others: number;
  /** The state as text for the user, with the reason why the other files are not recognized. */
  readonly words: string;
  /** The names of files and folders to move out of the workspace so that all files are recognized, or '' if no name is known. */
  readonly toMove?: string;
}

/** The kind of check of the files that a request waits for. */
export interface RecognitionWanted {
  /** Whether the request waits until all files are checked; otherwise, it waits for a limited time. */
  readonly isCompleteRequired: boolean;
  /** Whether a recent check is enough: for requests while the user types. */
  readonly isQuick: boolean;
  /** The URIs of files of the conversation that may not be sent: the rules that exclude them may be new. */
  readonly excluded: readonly string[];
}

/** The knowledge of the excluded files at the time of a request. */
export interface Recognition {
  readonly state: RecognitionState;
  /** Returns the parts of a text that come from excluded files. `only` is `values` for the text of a file that may be sent. */
  find(text: string, only: 'values' | undefined, signal?: AbortSignal): Promise<readonly FoundPassage[]>;
  /** Returns the name of a file by its number. */
  nameOf(file: number): string;
  /** Whether the files of an attachment still exist under their names, and still have its text. */
  isCurrent(attachment: Attachment): Promise<boolean>;
  /**
   * Whether a file of an attachment no longer exists under its name, and files of that name, which are otherwise only
   * counted, are read now: the attachment is searched again.
   */
  isReadAfterMove(attachment: Attachment): Promise<boolean>;
}

/** Text of excluded files that was left out of a request. */
export interface LeftOutContent {
  /** The names of the files. */
  readonly files: readonly string[];
  /** The number of lines; null for a single value, or for encoded text. */
  readonly lines: number | null;
  /** The tool or the attachment that contained it; null for the user's found text. */
  readonly where: string | null;
}

/** Content that is left out only after a question to the user. */
export interface AskedContent {
  /** The content left out of the text that the user has just written. */
  readonly leftOutOfMessage: readonly LeftOutContent[];
  /** The content left out of the last calls of tools: what is left out of them tells the service that a guess was right. */
  readonly leftOutOfCalls: readonly LeftOutContent[];
}

interface WithoutContent {
  readonly outgoing: Outgoing;
  readonly leftOut: readonly LeftOutContent[];
  readonly asked: AskedContent;
}

/** Throws a ServiceError if the administrator requires that every excluded file is recognized, and one is not. */
export function requireRecognition({ is, words, toMove: file }: RecognitionState): void {
  if (is === 'complete') return;
  const about = { code: 'not-recognized', reason: words, file } as const;
  throw new ServiceError('gate', 'Not all excluded files are recognized.', about);
}

/**
 * Leaves out of a request what comes from excluded files, wherever it occurs: in texts, in calls of tools and their
 * results, and in attachments. An attachment of a file that may be sent is checked for values only, as long as the file has
 * its text: it may have been moved to a place that is excluded. The `excluded` attachments are not sent.
 */
export async function withoutExcludedContent(
  outgoing: Outgoing,
  recognition: Recognition,
  { excluded, destination }: { readonly excluded: ReadonlySet<Attachment>; readonly destination: string },
  signal?: AbortSignal,
): Promise<WithoutContent> {
  const search = new Search(recognition, signal);
  const messages: OutgoingMessage[] = [];
  const asked = { leftOutOfMessage: [] as LeftOutContent[], leftOutOfCalls: [] as LeftOutContent[] };
  const calling = lastCalling(outgoing);
  for (const message of outgoing.messages) {
    const isTyped = isJustWritten(outgoing, message) && treatmentAt(message.secrets, destination) === 'ask';
    const before = search.leftOut.length;
    const where = message.label ?? null;
    const parts = await search.parts(message.parts, where, excluded);
    const found = search.leftOut.slice(before).filter((one) => one.where === null);
    if (isTyped) append(asked.leftOutOfMessage, found);
    const lead = message.lead === undefined ? undefined : await search.parts(message.lead, null, excluded);
    const earlier = message.earlier === undefined ? undefined : await search.earlier(message.earlier);
    const toolCalls = await search.calls(message.toolCalls);
    if (message === calling) append(asked.leftOutOfCalls, search.leftOut.slice(before));
    const isSame =
      parts === message.parts &&
      lead === message.lead &&
      earlier === message.earlier &&
      toolCalls === message.toolCalls;
    messages.push(
      isSame
        ? message
        : {
            ...message,
            parts,
            ...(lead === undefined ? {} : { lead }),
            ...(earlier === undefined ? {} : { earlier }),
            ...(toolCalls === undefined ? {} : { toolCalls }),
          },
    );
  }
  const offer =
    outgoing.offer === undefined
      ? undefined
      : { ...outgoing.offer, tools: await search.json(outgoing.offer.tools, 'tools') };
  if (search.leftOut.length === 0) return { outgoing, leftOut: [], asked };
  return {
    outgoing: { ...outgoing, messages, ...(offer === undefined ? {} : { offer }) },
    leftOut: search.leftOut,
    asked,
  };
}

/** Whether the user has just written the message. Requests of VS Code's found chat mix the user's text with what agents read. */
function isJustWritten({ action, messages }: Outgoing, message: OutgoingMessage): boolean {
  return (
    action !== 'languageModel' &&
    message.label === undefined &&
    message === messages.findLast(({ role }) => role === 'user')
  );
}

/** The message with the last calls of the turn that the request belongs to: its text and its calls are what the model wrote last. */
function lastCalling({ action, messages }: Outgoing): OutgoingMessage | undefined {
  if (action === 'languageModel') return undefined;
  const turn = messages.findLast(({ place }) => place !== undefined)?.place?.turn;
  return messages.findLast(({ toolCalls, place }) => toolCalls !== undefined && place?.turn === turn);
}

/** Joins the texts of a message, which are searched as one: a passage can begin in one and end in the next. */
const between = '\n';

class Search {
  readonly leftOut: LeftOutContent[] = [];
  readonly #recognition: Recognition;
  readonly #signal: AbortSignal | undefined;

  constructor(recognition: Recognition, signal: AbortSignal | undefined) {
    this.#recognition = recognition;
    this.#signal = signal;
  }

  /** Returns the same array if nothing is left out. */
  async parts(
    parts: OutgoingMessage['parts'],
    where: string | null,
    excluded: ReadonlySet<Attachment>,
  ): Promise<OutgoingMessage['parts']> {
    const texts = parts.filter((part) => typeof part === 'string');
    const without = await this.#texts(texts, where);
    const cut = new Map<Attachment, Attachment>();
    for (const part of parts) {
      if (typeof part === 'string' || excluded.has(part)) continue;
      const changed = await this.#attachment(part);
      if (changed !== part) cut.set(part, changed);
    }
    if (without === texts && cut.size === 0) return parts;
    let at = -1;
    return parts.map((part) => {
      if (typeof part !== 'string') return cut.get(part) ?? part;
      at += 1;
      return without[at] ?? part;
    });
  }

  /** The questions and the summary of turns that are not sent. */
  async earlier(earlier: Earlier): Promise<Earlier> {
    const { questions, summary } = earlier;
    const texts = [...questions, summary.text];
    const without = await this.#texts(texts, null);
    if (without === texts) return earlier;
    return { questions: without.slice(0, -1), summary: { ...summary, text: without.at(-1) ?? '' } };
  }

  async calls(calls: readonly ToolCall[] | undefined): Promise<readonly ToolCall[] | undefined> {
    if (calls === undefined) return undefined;
    const before = this.leftOut.length;
    const changed: ToolCall[] = [];
    for (const call of calls) changed.push({ ...call, input: await this.json(call.input, call.name) });
    return this.leftOut.length === before ? calls : changed;
  }

  /** Searches each text of a JSON value, so that a mark cannot break its syntax, and its names for values only. */
  async json<T>(value: T, where: string): Promise<T> {
    const texts: string[] = [];
    const names: string[] = [];
    const collect = (to: string[]) => (text: string) => {
      to.push(text);
      return text;
    };
    mapTexts(value, collect(texts), collect(names));
    const newTexts = await this.#texts(texts, where);
    const newNames = await this.#texts(names, where, 'values');
    if (newTexts === texts && newNames === names) return value;
    return mapTexts(value, nextOf(newTexts), nextOf(newNames)) as T;
  }

  /** Returns the same array if nothing is left out. */
  async #texts(texts: readonly string[], where: string | null, only?: 'values'): Promise<readonly string[]> {
    if (texts.length === 0) return texts;
    const found = await this.#recognition.find(texts.join(between), only, this.#signal);
    if (found.length === 0) return texts;
    const inside = await this.#byText(texts, found);
    const remaining: string[] = [];
    for (const [index, text] of texts.entries()) {
      const passages = await this.#passages(text, inside.get(index) ?? [], where);
      remaining.push(await inSlices(withPassagesLeftOut(text, passages), this.#signal));
    }
    return remaining;
  }

  async #byText(
    texts: readonly string[],
    found: readonly FoundPassage[],
  ): Promise<ReadonlyMap<number, readonly FoundPassage[]>> {
    const inside = new Map<number, FoundPassage[]>();
    for (const { index, ...passage } of partsIn(texts, found)) {
      if (isPauseDue()) await pause(this.#signal);
      const before = inside.get(index);
      if (before === undefined) inside.set(index, [passage]);
      else before.push(passage);
    }
    return inside;
  }

  async #attachment(attachment: Attachment): Promise<Attachment> {
    const { text, label, marks } = attachment;
    const found = await this.#inAttachment(attachment);
    const passages = await this.#passages(text, found, label);
    if (passages.length === 0) return attachment;
    const whole = { text, marks: marks ?? [], covers: [] };
    const joined: Content[] = [];
    let at = 0;
    for (let index = 0; index < passages.length; index += passagesAtATime) {
      if (isPauseDue()) await pause(this.#signal);
      const pieces: (string | Content)[] = [];
      for (const passage of passages.slice(index, index + passagesAtATime)) {
        pieces.push(sliceOf(whole, at, passage.start), markOf(passage));
        at = passage.end;
      }
      joined.push(joinOf(pieces));
    }
    const remaining = joinOf([...joined, sliceOf(whole, at, text.length)]);
    return { ...attachment, text: remaining.text, ...(marks === undefined ? {} : { marks: remaining.marks }) };
  }

  async #inAttachment(attachment: Attachment): Promise<readonly FoundPassage[]> {
    const { text } = attachment;
    let all = await this.#recognition.find(text, undefined, this.#signal);
    if (isWithoutFile(attachment)) return all;
    if (all.length === 0 && (await this.#recognition.isReadAfterMove(attachment))) {
      all = await this.#recognition.find(text, undefined, this.#signal);
    }
    if (all.length === 0) return all;
    // The name of the file allows the rest only while the file has this text.
    const isCurrent = await this.#recognition.isCurrent(attachment);
    return isCurrent ? this.#recognition.find(text, 'values', this.#signal) : all;
  }

  async #passages(
    text: string,
    found: readonly FoundPassage[],
    where: string | null,
  ): Promise<readonly LeftOutPassage[]> {
    if (found.length === 0) return [];
    const work = passagesIn(text, found, (file) => this.#recognition.nameOf(file));
    const passages = await inSlices(work, this.#signal);
    for (const { files, lines } of passages) this.leftOut.push({ files, lines, where });
    return passages;
  }
}

/** The parts of passages that are in each of the texts that were searched as one. */
function* partsIn(
  texts: readonly string[],
  found: readonly FoundPassage[],
): Generator<FoundPassage & { readonly index: number }> {
  const starts: number[] = [];
  let length = 0;
  for (const text of texts) {
    starts.push(length);
    length += text.length + between.length;
  }
  for (const passage of found) {
    for (let index = lastAt(starts, passage.start); index < texts.length; index += 1) {
      const from = starts[index] ?? 0;
      if (from >= passage.end) break;
      const start = Math.max(passage.start - from, 0);
      const end = Math.min(passage.end - from, texts[index]?.length ?? 0);
      if (start < end) yield { ...passage, start, end, index };
    }
  }
}

/** The index of the last start that is not after a place. */
function lastAt(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns a function that returns the texts in their order, whatever its argument is. */
function nextOf(texts: readonly string[]): (text: string) => string {
  let at = -1;
  return (text) => {
    at += 1;
    return texts[at] ?? text;
  };
}

/** Applies `change` to each string in a value, and `changeName` to the name of each field, in a fixed order. */
function mapTexts(value: unknown, change: (text: string) => string, changeName: (name: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change, changeName));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [changeName(name), mapTexts(inner, change, changeName)] as const),
  );
}
