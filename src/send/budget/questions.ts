import { type Earlier, summaryParts } from '../message/earlier.ts';
import { earlierQuestions } from './leftOut.ts';
import { nothing, type Size, sizeOf, sum } from './sizes.ts';

/** The maximum number of tokens of questions that are sent word for word. Older questions of turns left out are cut. */
const maxTokens = 8000;
/** The length in characters to which each older question is cut. */
const keptOfOlder = 500;
const mark = '[…]';

/** The user's questions of the turns that a request does not carry, and the summary of the first of them. */
export class EarlierQuestions {
  readonly #questions: { readonly text: string; readonly whole: Size; readonly cut: Size }[] = [];
  #maxBytes: number;
  /** The index of the first question that is sent word for word, and the bytes of all that are. */
  #firstWhole = 0;
  #wholeBytes = 0;
  readonly #summary: readonly string[];
  /** The size of what `parts` returns. */
  size: Size = nothing;

  constructor(perToken: number, earlier: Earlier | undefined) {
    this.#maxBytes = maxTokens * perToken;
    this.#summary = earlier === undefined ? [] : summaryParts(earlier.summary);
    this.size = sum(...this.#summary.map((part) => sizeOf(part)));
    for (const question of earlier?.questions ?? []) this.add(question);
  }

  /** Turns are left out oldest first, so they are added in order. */
  add(text: string): void {
    const question = { text, whole: sizeOf(text), cut: sizeOf(cutText(text)) };
    const title = this.#questions.length === 0 ? sizeOf(earlierQuestions) : nothing;
    this.#questions.push(question);
    this.size = sum(this.size, title, question.whole);
    this.#wholeBytes += question.whole.bytes;
    this.cutTo(this.#maxBytes);
  }

  /** Cuts the oldest until no more than this many bytes are sent word for word. */
  cutTo(bytes: number): void {
    this.#maxBytes = bytes;
    while (this.#wholeBytes > bytes) this.#cutOldest();
  }

  /** The parts that precede the first question that is sent whole with its answer. */
  get parts(): readonly string[] {
    const texts = this.#questions.map(({ text }, index) => (index < this.#firstWhole ? cutText(text) : text));
    return texts.length === 0 ? [] : [earlierQuestions, ...texts, ...this.#summary];
  }

  #cutOldest(): void {
    const { whole, cut } = this.#questions[this.#firstWhole] ?? { whole: nothing, cut: nothing };
    this.#firstWhole += 1;
    this.#wholeBytes -= whole.bytes;
    this.size = { bytes: this.size.bytes - whole.bytes + cut.bytes, json: this.size.json - whole.json + cut.json };
  }
}

function cutText(text: string): string {
  // The mark adds to the length.
  if (text.length <= keptOfOlder + Buffer.byteLength(mark)) return text;
  // The text is not cut inside a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(keptOfOlder - 1)) ? keptOfOlder - 1 : keptOfOlder;
  return `${text.slice(0, end)}${mark}`;
}
