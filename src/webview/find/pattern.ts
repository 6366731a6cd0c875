/** A longer search text is cut: a pattern of megabytes takes the page seconds. */
const queryLimit = 1_000;

/**
 * What a search text matches, regardless of case: any white space where the text has some, and letters with accents in
 * both ways that Unicode writes them. Undefined for a text without any. The matches have offsets in the searched text:
 * a copy of it in lower case may have another length.
 */
export function patternOf(query: string): RegExp | undefined {
  const words = wordsOf(query);
  if (words.length === 0) return undefined;
  return new RegExp(words.map((word) => lettersOf(word).map(either).join('')).join('\\s+'), 'giu');
}

/** What the Markdown of a text may have between two letters that it shows side by side. */
const marks = '[*_~`\\\\]{0,4}';

/** What the source of a text that matches most likely has: the same, also across formats such as `**`. */
export function sourcePatternOf(query: string): RegExp | undefined {
  // Marks between marks match in so many ways that a failure takes forever.
  if (/[*_~`\\]/.test(query)) return patternOf(query);
  const words = wordsOf(query);
  if (words.length === 0) return undefined;
  return new RegExp(words.map((word) => lettersOf(word).map(either).join(marks)).join(`${marks}\\s+${marks}`), 'iu');
}

function wordsOf(query: string): readonly string[] {
  const text = query.slice(0, queryLimit).trim();
  return text === '' ? [] : text.split(/\s+/);
}

/** The letters of a word, each with its accents. */
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

/** The first matches in a text. */
export function matchesIn(text: string, pattern: RegExp, most = Number.POSITIVE_INFINITY): readonly Span[] {
  const spans: Span[] = [];
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (spans.length >= most) break;
    spans.push({ start: index, end: index + match.length });
  }
  return spans;
}

/** How many there are: a long text may have millions. */
export function countIn(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
