import { withHiddenShown } from '../../session/prompts/hiddenText.ts';

/** A text with its headings and its marked ranges. */
export interface MarkedPage {
  readonly text: string;
  readonly headings: readonly Heading[];
  readonly marks: readonly PageMark[];
}

export interface Heading {
  readonly title: string;
  /** The level, which is 0 at the top. */
  readonly level: number;
  /** The line of the heading and the last line of its section, counted from 0. */
  readonly line: number;
  readonly lastLine: number;
}

/** A range in a line; without `end`, it extends to the end of the line. */
export interface PageMark {
  readonly kind: 'heading' | 'masked' | 'unmasked';
  readonly line: number;
  readonly start: number;
  readonly end?: number;
}

const indent = '  ';

/**
 * The prefix of each line of quoted text, which may be untrusted: no quoted line can look like a heading or end the quote.
 * It begins with spaces, so that VS Code also indents the rest of a line that it wraps.
 */
const gutter = `${indent.repeat(3)}│ `;

/** Writes a page. Hidden characters are shown as `[U+202E]`, except in the text that ends the page. */
export class PageWriter {
  readonly #lines: string[] = [];
  readonly #headings: Heading[] = [];
  /** The headings whose last line is not known yet, each nested in the one before it. */
  readonly #open: { readonly level: number; lastLine: number }[] = [];
  readonly #marks: PageMark[] = [];

  heading(level: number, title: string): void {
    this.#endHeadings(level);
    const line = this.#lines.length;
    const shown = withHiddenShown(title);
    const heading = { title: shown, level, line, lastLine: line };
    this.#headings.push(heading);
    this.#open.push(heading);
    this.#marks.push({ kind: 'heading', line, start: 0 });
    this.#lines.push(indent.repeat(level) + shown);
  }

  /** Writes a line of the extension's own text. */
  line(text: string): void {
    this.#lines.push(text === '' ? '' : indent + withHiddenShown(text));
  }

  /** Writes quoted text. `marksIn` returns the marks in a line of the text, whose number is counted from 0. */
  quote(text: string, marksIn: (line: string, index: number) => readonly Omit<PageMark, 'line'>[]): void {
    for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
      const shown = withHiddenShown(raw);
      const line = this.#lines.length;
      for (const { kind, start, end } of marksIn(shown, index)) {
        const to = end === undefined ? {} : { end: gutter.length + end };
        this.#marks.push({ kind, line, start: gutter.length + start, ...to });
      }
      this.#lines.push(gutter + shown);
    }
  }

  /** Ends the page with an unchanged text. */
  endWith(text: string): MarkedPage {
    this.#lines.push(text);
    this.#endHeadings(0);
    return { text: this.#lines.join('\n'), headings: this.#headings, marks: this.#marks };
  }

  /** Ends the sections of the open headings of this level and deeper. */
  #endHeadings(level: number): void {
    const lastLine = this.#lines.length - 1;
    for (let last = this.#open.at(-1); last !== undefined && last.level >= level; last = this.#open.at(-1)) {
      last.lastLine = lastLine;
      this.#open.pop();
    }
  }
}
