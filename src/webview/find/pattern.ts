/** The maximum length of a search text; a longer one is cut. A pattern of megabytes would block the page for seconds. */
const queryLimit = 1_000;

/**
 * Returns the pattern of a search text, which ignores case: white space in it matches any white space, and a letter with an
 * accent matches both of its Unicode forms. Returns undefined for a text that is only white space. The matches have offsets in
 * the searched text: a copy of it in lower case may have another length.
 */
export function patternOf(query: string): RegExp | undefined {
  const words = wordsOf(query);
  if (words.length === 0) return undefined;
  return new RegExp(words.map((word) => lettersOf(word).map(either).join('')).join('\\s+'), 'giu');
}

/** Marks that the Markdown source may have between two letters that are shown next to each other. */
const marks = '[*_~`\\\\]{0,4}';

/**
 * Returns a pattern that matches the Markdown source of most texts that match the search text, also across formats such as `**`.
 */
export function sourcePatternOf(query: string): RegExp | undefined {
  // Marks in the search text between optional marks would cause exponential backtracking.
  if (/[*_~`\\]/.test(query)) return patternOf(query);
  const words = wordsOf(query);
  if (words.length === 0) return undefined;
  return new RegExp(words.map((word) => lettersOf(word).map(either).join(marks)).join(`${marks}\\s+${marks}`), 'iu');
}

function wordsOf(query: string): readonly string[] {
  const text = query.slice(0, queryLimit).trim();
  return text === '' ? [] : text.split(/\s+/);
}

/** Splits a word into letters, each with its accents. */
function lettersOf(word: string): readonly string[] {
  return word.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
}

function either(letter: string): string {
  const forms = [...new Set([letter, letter.normalize('NFC'), letter.normalize('NFD')])].map(escaped);
  return forms.length === 1 ? forms.join('') : `(?:${forms.join('|')})`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the first matches in a text, at most `maxCount`. */
export function matchesIn(text: string, pattern: RegExp, maxCount = Number.POSITIVE_INFINITY): readonly Span[] {
  const spans: Span[] = [];
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (spans.length >= maxCount) break;
    spans.push({ start: index, end: index + match.length });
  }
  return spans;
}

/** Counts the matches without listing them: a long text may have millions. */
export function countIn(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
