import { append } from '../../util/append.ts';
import type { Span } from '../../util/text/span.ts';

/**
 * The Markdown of an answer for a file that any program may render: it fetches nothing and contains no HTML. Images
 * become links, `<` becomes an entity, and mathematics, which programs render differently, is escaped. Code blocks keep
 * their exact text: their fences are rewritten, so that every reader sees the same blocks. Inline code stays only if
 * all readers agree on it; elsewhere its entities are shown literally.
 */
export function inertMarkdown(markdown: string): string {
  const out: string[] = [];
  let fence: Fence | null = null;
  let isSure = true;
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const inside: string | null = fence === null ? null : lineIn(fence, line);
    if (fence !== null && inside !== null) {
      fence.lines.push(inside);
      continue;
    }
    const isClosing: boolean = fence !== null && closes(fence, line);
    if (fence !== null) append(out, fenceLines(fence));
    const next: Fence | null = isClosing ? null : opened(line);
    fence = next;
    // Inline code does not continue across a blank line or a fence.
    if (isClosing || next !== null || line.trim() === '') isSure = true;
    if (isClosing) continue;
    if (next === null) {
      const text = inertLine(line, isSure);
      isSure = text.isSure;
      out.push(text.text);
    } else if (next.before.trim() !== '') {
      out.push(inertLine(next.before, false).text.trimEnd());
    }
  }
  if (fence !== null) append(out, fenceLines(fence));
  return out.join('\n');
}

interface Fence {
  /** The list and quotation markers that precede it in its line. */
  readonly before: string;
  readonly indent: number;
  readonly quotes: number;
  readonly mark: string;
  readonly info: string;
  readonly lines: string[];
}

const opening = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})(.*)$/s;

function opened(line: string): Fence | null {
  const [, before = '', mark = '', info = ''] = opening.exec(line) ?? [];
  if (mark === '' || (mark.startsWith('`') && info.includes('`'))) return null;
  return { before, indent: before.length, quotes: before.split('>').length - 1, mark, info: info.trim(), lines: [] };
}

function closes({ mark, quotes }: Fence, line: string): boolean {
  const text = (withoutQuotes(line, quotes) ?? line).trim();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

/** Returns a line of the code without the container markers of its fence, or null if the code ends before it. */
function lineIn(fence: Fence, line: string): string | null {
  const text = withoutQuotes(line, fence.quotes);
  if (text === null || closes(fence, line)) return null;
  let start = 0;
  while (start < (fence.quotes > 0 ? 0 : fence.indent) && text.charAt(start) === ' ') start += 1;
  return text.slice(start);
}

function withoutQuotes(line: string, quotes: number): string | null {
  let rest = line;
  for (let depth = quotes; depth > 0; depth -= 1) {
    const [mark] = /^[ \t]*> ?/.exec(rest) ?? [];
    if (mark === undefined) return null;
    rest = rest.slice(mark.length);
  }
  return rest;
}

function fenceLines({ info, lines }: Fence): readonly string[] {
  let maxRun = 2;
  for (const line of lines) for (const [run] of line.matchAll(/`{3,}/g)) maxRun = Math.max(maxRun, run.length);
  const fence = '`'.repeat(maxRun + 1);
  // Some readers interpret text in braces as directives, such as {=html}.
  const [language = ''] = info.split(/\s/, 1);
  return [`${fence}${language.replace(/[^\w+#.-]/g, '')}`, ...lines, fence];
}

interface Inert {
  readonly text: string;
  /** Whether all readers parse the next line of the same block the same way. */
  readonly isSure: boolean;
}

/** Escapes a line of text. `isSure` means that no inline code from an earlier line can reach into it. */
function inertLine(line: string, isSure: boolean): Inert {
  const whole = codeIn(line);
  const spans = isSure ? agreed(whole.spans, line) : [];
  let text = '';
  let at = 0;
  for (const { start, end } of spans) {
    text += inertText(line.slice(at, start)) + line.slice(start, end);
    at = end;
  }
  return { text: text + inertText(line.slice(at)), isSure: isSure && whole.isSure };
}

function inertText(text: string): string {
  return (
    text
      .replace(/\\([\s\S])/g, (pair, next: string) => (next === '<' ? '<' : next === '$' ? '$' : pair))
      .replaceAll('<', '&lt;')
      .replaceAll('$', '\\$')
      // A run begins at its first letter, so that each is tried once.
      .replace(/(?<!\\)(\\+)(!+)\[|(?<![\\!])(!+)\[/g, (found, slashes = '', afterSlashes?: string, alone = '') => {
        const marks: string = afterSlashes ?? alone;
        const escaped = slashes.length % 2;
        if (marks.length === escaped) return found;
        return `${slashes}${'!'.repeat(escaped)}${'&#33;'.repeat(marks.length - escaped - 1)}[image: `;
      })
  );
}

/** Finds inline code, as CommonMark reads it from the left; unsure from a run of backticks without a partner. */
function codeIn(line: string): { readonly spans: readonly Span[]; readonly isSure: boolean } {
  const spans: Span[] = [];
  let open: { readonly start: number; readonly length: number } | null = null;
  for (const { 0: run, index: start } of line.matchAll(/`+/g)) {
    if (open === null) {
      if (!isPlainStart(line, start) || !line.slice(start + run.length).includes(run)) return { spans, isSure: false };
      open = { start, length: run.length };
    } else if (run.length === open.length) {
      const end = start + run.length;
      // Pandoc treats `code`{=html} as HTML.
      if (line.charAt(end) === '{') return { spans, isSure: false };
      spans.push({ start: open.start, end });
      open = null;
    }
  }
  return { spans, isSure: open === null };
}

/** Whether no backslash precedes inline code, and it is outside of an address that a reader may extend over it. */
function isPlainStart(line: string, start: number): boolean {
  let begin = start;
  while (begin > 0 && !/[\s`]/.test(line.charAt(begin - 1))) begin -= 1;
  return !/\\|:|@|www\./i.test(line.slice(begin, start));
}

/** The spans that are also code if the line is a table row, whose cells are split first. */
function agreed(spans: readonly Span[], line: string): readonly Span[] {
  const inCells = [/\|/g, /(?<!\\)\|/g].map((bar) => {
    let start = 0;
    const codes = new Map<number, number>();
    const ends = [...line.matchAll(bar)].map(({ index }) => index);
    for (const end of [...ends, line.length]) {
      for (const span of codeIn(line.slice(start, end)).spans) codes.set(span.start + start, span.end + start);
      start = end + 1;
    }
    return codes;
  });
  return spans.filter(({ start, end }) => inCells.every((codes) => codes.get(start) === end));
}
