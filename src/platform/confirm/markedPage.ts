import { withHiddenShown } from '../../session/prompts/hiddenText.ts';

/** A text to read, with its headings, and places in it that are marked. */
export interface MarkedPage {
  readonly text: string;
  readonly headings: readonly Heading[];
  readonly marks: readonly PageMark[];
}

export interface Heading {
  readonly title: string;
  /** 0 at the top. */
  readonly level: number;
  /** Lines are counted from 0. */
  readonly line: number;
  readonly lastLine: number;
}

/** A place in a line; `end` is absent for all of the line. */
export interface PageMark {
  readonly kind: 'heading' | 'masked' | 'unmasked';
  readonly line: number;
  readonly start: number;
  readonly end?: number;
}

const indent = '  ';

/**
 * Before each line of quoted text, which others may have written: no quoted line can look like a heading or end the
 * quote. Blanks come first, so that the rest of a line that VS Code wraps is indented, too.
 */
const gutter = `${indent.repeat(3)}│ `;

/** Writes a page. Hidden characters are shown as `[U+202E]`, except in the text that ends the page. */
export class PageWriter {
  readonly #lines: string[] = [];
  readonly #headings: Heading[] = [];
  /** Those whose last line is not known yet, each inside the one before it. */
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

  /** A line of ours. */
  line(text: string): void {
    this.#lines.push(text === '' ? '' : indent + withHiddenShown(text));
  }

  /** `marksIn` finds what to mark in a line of the text, whose number is counted from 0. */
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

  /** Ends the page with a text as it is. */
  endWith(text: string): MarkedPage {
    this.#lines.push(text);
    this.#endHeadings(0);
    return { text: this.#lines.join('\n'), headings: this.#headings, marks: this.#marks };
  }

  /** Ends the open headings of this level and below. */
  #endHeadings(level: number): void {
    const lastLine = this.#lines.length - 1;
    for (let last = this.#open.at(-1); last !== undefined && last.level >= level; last = this.#open.at(-1)) {
      last.lastLine = lastLine;
      this.#open.pop();
    }
  }
}
