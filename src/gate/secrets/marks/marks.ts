import { matcher, windowEnds } from '../matches.ts';
import type { SecretSpan } from '../span.ts';
import { tagOf, tagPattern } from './tags.ts';

/** What stands in a secret's place: its rule, and a tag that finds it again in the document it came from. */
export function markOf(rule: string, secret: string): string {
  return `[masked: ${rule} ${tagOf(secret)}]`;
}

const pattern = `\\[masked: (?<rule>[a-z\\d-]{1,80})(?: ${tagPattern})?\\]`;

/** No rule takes it for a space, a letter or a digit, and it is as long as what it stands for. */
const blank = '\0';

/**
 * The marks in a text, those that a user typed with them, and null wherever the search may pause. A mark is one with the
 * name of a rule, and perhaps a tag: anything else in its brackets is text.
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

/** The text with its marks blanked out, each offset as it was: so no rule finds one, or takes its name for a label. */
export function withoutMarks(text: string, marks: readonly SecretSpan[]): string {
  if (marks.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of marks) {
    parts.push(text.slice(at, start), blank.repeat(end - start));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

/**
 * What of the spans is no mark, all of them in order. Nothing is left of one that is only marks and spaces: masking it
 * would mask nothing.
 */
export function* outsideMarks(
  text: string,
  spans: Iterable<SecretSpan>,
  marks: readonly SecretSpan[],
): Generator<SecretSpan> {
  let next = 0;
  for (const { rule, start, end } of spans) {
    let from = start;
    const until = (to: number): SecretSpan[] =>
      from < to && /\S/.test(text.slice(from, to)) ? [{ rule, start: from, end: to }] : [];
    for (let mark = marks[next]; mark !== undefined && mark.start < end; mark = marks[next]) {
      if (mark.start > from) yield* until(mark.start);
      from = Math.max(from, mark.end);
      // One that goes on behind this span is in the way of the next one, too.
      if (mark.end > end) break;
      next += 1;
    }
    yield* until(end);
  }
}
