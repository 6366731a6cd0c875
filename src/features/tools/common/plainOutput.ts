const start = String.raw`\x1b`;
/** Escape sequences: a string that a terminal interprets, such as a title or a link, a command with parameters, and all others. */
const sequences = new RegExp(
  [
    String.raw`(?:${start}[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07${start}\x9c]*(?:\x07|${start}\\|\x9c)?`,
    String.raw`(?:${start}\[|\x9b)[0-?]*[ -/]*[@-~]?`,
    `${start}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);
const controls = /[^\P{Cc}\n\t]/gu;

/** Returns the output of a program as plain lines, without escape sequences and other control characters. */
export function plainOutput(text: string): string {
  return text.replace(sequences, '').replace(/\r\n?/g, '\n').replace(controls, '');
}

/** The end of a text that arrives in parts. */
export class TextEnd {
  readonly #maxChars: number;
  #text = '';
  #isCut = false;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  add(text: string): void {
    this.#text += text;
    // It is cut seldom, so that a long output in small parts takes linear time.
    if (this.#text.length > 2 * this.#maxChars) this.#cut();
  }

  /** The last characters. */
  get text(): string {
    this.#cut();
    return this.#text;
  }

  get isCut(): boolean {
    return this.#isCut || this.#text.length > this.#maxChars;
  }

  #cut(): void {
    if (this.#text.length <= this.#maxChars) return;
    this.#text = this.#text.slice(-this.#maxChars);
    this.#isCut = true;
  }
}

/**
 * Returns where the last `maxBytes` (UTF-8) of a text begin, at the start of a line if there is one. Of a text whose beginning is
 * missing, the first `margin` characters are never part of it: they may have a part of a secret that cannot be recognized.
 */
export function startOfEnd(text: string, maxBytes: number, margin: number): number {
  const bytes = new TextEncoder().encode(text);
  const last = new TextDecoder().decode(bytes.subarray(Math.max(0, bytes.length - maxBytes)));
  // A character that was cut decodes to U+FFFD.
  const kept = bytes.length > maxBytes ? last.replace(/^\uFFFD+/, '') : last;
  const start = Math.max(Math.min(margin, text.length), text.length - kept.length);
  if (start === 0) return 0;
  const line = text.indexOf('\n', start - 1) + 1;
  return line > 0 && line < text.length ? line : start;
}
