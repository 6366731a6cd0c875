import { matcher, windowEnds } from '../matches.ts';
import type { SecretSpan } from '../span.ts';
import { tagOf, tagPattern } from './tags.ts';

/** The replacement for a secret: its rule, and a tag that identifies it in its document. */
export function markOf(rule: string, secret: string): string {
  return `[masked: ${rule} ${tagOf(secret)}]`;
}

const pattern = `\\[masked: (?<rule>[a-z\\d-]{1,80})(?: ${tagPattern})?\\]`;

/** The character that replaces each character of a mark: no rule treats it as a space, a letter or a digit. */
const blank = '\0';

/**
 * Finds the marks in a text, including typed ones, and yields null where the search may pause. A mark contains the name
 * of a rule and an optional tag: any other bracketed text is plain text.
 */
export function* marksIn(text: string, names: ReadonlySet<string>): Generator<SecretSpan | null> {
  if (!text.includes('[masked: ')) return;
  const matches = matcher(text, new RegExp(pattern, 'g'));
  for (const to of windowEnds(text)) {
    for (const { index, 0: mark, groups } of matches(to)) {
      const rule = groups?.rule ?? '';
      if (names.has(rule)) yield { rule, start: index, end: index + mark.length };
    }
    yield null;
  }
}

/** The number of marks that are blanked out between two pauses. */
const marksAtOnce = 1_000;

/**
 * Blanks out the marks of a text without changing offsets: so no rule matches a mark, or treats its name as a label. Yields null
 * where it may pause.
 */
export function* withoutMarks(text: string, marks: readonly SecretSpan[]): Generator<null, string> {
  if (marks.length === 0) return text;
  const parts: string[] = [];
  let newest: string[] = [];
  let at = 0;
  for (const [index, { start, end }] of marks.entries()) {
    if (index % marksAtOnce === marksAtOnce - 1) {
      parts.push(newest.join(''));
      newest = [];
      yield null;
    }
    newest.push(text.slice(at, start), blank.repeat(end - start));
    at = end;
  }
  return [...parts, ...newest, text.slice(at)].join('');
}

/**
 * Returns the parts of the spans outside of marks, in order. A span of only marks and spaces is dropped: masking it
 * would have no effect.
 */
export function* outsideMarks(
  text: string,
  spans: Iterable<SecretSpan>,
  marks: readonly SecretSpan[],
): Generator<SecretSpan> {
  let next = 0;
  for (const span of spans) {
    const { rule, start, end } = span;
    if ((marks[next]?.start ?? end) >= end) {
      if (/\S/.test(text.slice(start, end))) yield span;
      continue;
    }
    let from = start;
    const until = (to: number): SecretSpan[] =>
      from < to && /\S/.test(text.slice(from, to)) ? [{ rule, start: from, end: to }] : [];
    for (let mark = marks[next]; mark !== undefined && mark.start < end; mark = marks[next]) {
      if (mark.start > from) yield* until(mark.start);
      from = Math.max(from, mark.end);
      // A mark that extends past this span also affects the next one.
      if (mark.end > end) break;
      next += 1;
    }
    yield* until(end);
  }
}
