import type { Language } from './language.ts';

/** The facts about each line of some code. */
export interface Scan {
  /** Whether the line begins in a multi-line string. */
  readonly inText: readonly boolean[];
  /** Whether the line begins in a multi-line comment. */
  readonly inComment: readonly boolean[];
  /** The number of open brackets before and after the line. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * An open construct: a string or comment with its end, which may be a separate line, or a template with the depth at
 * which its code began.
 */
type Open =
  | { readonly close: string; readonly isComment: boolean; readonly isLine?: true }
  | { readonly depth: number };

/** Scans each character once. */
export function scan(lines: readonly string[], language: Language): Scan {
  const reader = new LineReader(language);
  const inText: boolean[] = [];
  const inComment: boolean[] = [];
  const before: number[] = [];
  const after: number[] = [];
  for (const line of lines) {
    const { text } = reader;
    inText.push(text === 'string');
    inComment.push(text === 'comment');
    before.push(reader.depth);
    reader.read(line);
    after.push(reader.depth);
  }
  return { inText, inComment, before, after };
}

class LineReader {
  depth = 0;
  readonly #language: Language;
  readonly #open: Open[] = [];
  /** The last line of the heredoc that begins below this line. */
  #heredoc: string | undefined;

  constructor(language: Language) {
    this.#language = language;
  }

  /** The construct that the next line begins in. */
  get text(): 'string' | 'comment' | 'code' {
    const top = this.#open.at(-1);
    return top === undefined || !('close' in top) ? 'code' : top.isComment ? 'comment' : 'string';
  }

  read(line: string): void {
    const open = this.#open.at(-1);
    if (open !== undefined && 'isLine' in open) {
      if (line.trim() === open.close) this.#open.pop();
      return;
    }
    this.#heredoc = undefined;
    this.#readLetters(line);
    if (this.#heredoc !== undefined) this.#open.push({ close: this.#heredoc, isComment: false, isLine: true });
  }

  #readLetters(line: string): void {
    for (let at = 0; at < line.length; ) {
      const top = this.#open.at(-1);
      at = top !== undefined && 'close' in top ? this.#inText(line, at, top.close) : this.#inCode(line, at);
    }
  }

  #inText(line: string, at: number, close: string): number {
    if (line.startsWith(close, at)) {
      this.#open.pop();
      return at + close.length;
    }
    if (this.#language.hasTemplates && close === '`' && line.startsWith('${', at)) {
      this.#open.push({ depth: this.depth });
      this.depth += 1;
      return at + 2;
    }
    return at + (line[at] === '\\' && close !== '*/' && close !== '$$' ? 2 : 1);
  }

  #inCode(line: string, at: number): number {
    const letter = line[at] ?? '';
    for (const [open, close] of this.#language.texts) {
      if (!line.startsWith(open, at)) continue;
      this.#open.push({ close, isComment: open === '/*' || open === '<!--' });
      return at + open.length;
    }
    const isComment = this.#language.comment.some((mark) => line.startsWith(mark, at));
    if (isComment && (letter !== '#' || at === 0 || /\s/.test(line[at - 1] ?? ''))) return line.length;
    if (
      letter === "'" &&
      this.#language.hasLifetimes === true &&
      !/^'(?:\\.[^']{0,9}|[^\\'])'/.test(line.slice(at, at + 13))
    )
      return at + 1;
    if (letter !== '' && this.#language.quotes.includes(letter)) return endOfQuote(line, at, letter);
    if (letter === '/' && this.#language.hasRegExps && beginsRegExp(line, at)) return endOfQuote(line, at, '/');
    if (letter === '<' && this.#language.heredoc !== undefined)
      return this.#inHeredoc(line, at, this.#language.heredoc);
    if ('([{'.includes(letter)) this.depth += 1;
    if (')]}'.includes(letter)) this.#close();
    return at + 1;
  }

  #inHeredoc(line: string, at: number, form: RegExp): number {
    // `<<<` begins a string, not a heredoc; in `((`, the operator shifts bits.
    if (line.startsWith('<<<', at)) return at + 3;
    if (/\(\([^)]*$/.test(line.slice(Math.max(0, at - 200), at))) return at + 2;
    form.lastIndex = at;
    const [all, , word] = form.exec(line) ?? [];
    if (all === undefined) return at + 1;
    this.#heredoc = word;
    return at + all.length;
  }

  #close(): void {
    this.depth -= 1;
    const top = this.#open.at(-1);
    if (top !== undefined && 'depth' in top && top.depth >= this.depth) this.#open.pop();
  }
}

/** The offset after the closing quote, or the end of the line. */
function endOfQuote(line: string, at: number, quote: string): number {
  let isInClass = false;
  for (let index = at + 1; index < line.length; index += 1) {
    const letter = line[index];
    if (letter === '\\') index += 1;
    else if (quote === '/' && letter === '[') isInClass = true;
    else if (quote === '/' && letter === ']') isInClass = false;
    else if (letter === quote && !isInClass) return index + 1;
  }
  return line.length;
}

function beginsRegExp(line: string, at: number): boolean {
  let index = at - 1;
  for (let remaining = 20; remaining > 0 && index >= 0 && (line[index] === ' ' || line[index] === '\t'); remaining -= 1)
    index -= 1;
  const before = line.slice(Math.max(0, index - 10), index + 1);
  // `/>` ends an element.
  if (line[at + 1] === '>') return false;
  return before === '' || /[(,=:[!&|?{;+~^%*]$|\b(?:return|typeof|case|in|of)$/.test(before);
}
