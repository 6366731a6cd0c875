import type { Span } from '../../../util/text/span.ts';
import { tagPattern } from './tags.ts';

/** A mark as written by a model, which may change case and spaces, or quote it. */
export interface WrittenMark extends Span {
  /** The rule that it names; undefined if there is no such rule. */
  readonly rule?: string;
  /** The tag of the mark, possibly of another document; undefined if it has none. */
  readonly tag?: string;
}

const written =
  /(?<![\w)\]])\\?(?<bracket>[[<({])\s?masked\b(?<inner>[^\][<>(){}\r\n]{0,120}(?:\n[^\][<>(){}\r\n]{0,40})?)\\?[\])}>]/gi;
/** The remains of a mark that lost a bracket, or became a name. */
const remains = /\[\s?masked\s?:|\bmasked[\s:_-]{1,3}[a-z]+(?:[-_ ][a-z]+){0,5}[\s:_-]+[a-z2-7]{5}\b/gi;
const tagAlone = new RegExp(`^${tagPattern}$`);
const vague =
  /^(?:secret|value|token|key|password|passwd|data|redacted|hidden|api|access|private|credential|string)s?$/;

/** Finds the marks in a text, in order. `names` are the names of the rules. */
export function* writtenMarks(text: string, names: ReadonlySet<string>): Generator<WrittenMark> {
  if (!/masked/i.test(text)) return;
  for (const { 0: whole, index, groups } of text.matchAll(written)) {
    const { bracket, inner = '' } = groups ?? {};
    const named = namesIn(inner, names);
    // A variable of this name may also occur in brackets.
    const isMark = named.rule !== undefined || (bracket === '[' && /^\s*(?::|$|\w*\d\w*\s*$)/.test(inner));
    if (isMark) yield { start: index, end: index + whole.length, ...named };
  }
}

/** Whether a text contains the remains of a mark, in any spelling. */
export function remainsOfMark(
  text: string,
  names: ReadonlySet<string>,
): { readonly index: number; readonly length: number } | null {
  const [first] = writtenMarks(text, names);
  if (first !== undefined) return { index: first.start, length: first.end - first.start };
  for (const { 0: whole, index } of text.matchAll(remains)) {
    const name = whole.toLowerCase().replace(/[\s:_-]+/g, '-');
    if (whole.startsWith('[') || [...names].some((rule) => name.startsWith(`masked-${rule}-`))) {
      return { index, length: whole.length };
    }
  }
  return null;
}

function namesIn(inner: string, names: ReadonlySet<string>): Pick<WrittenMark, 'rule' | 'tag'> {
  const words = inner.toLowerCase().match(/[a-z\d]+/g) ?? [];
  const name = words.join('-');
  const rule = longestRule(name, names);
  const rest = rule === undefined ? words : words.slice(rule.split('-').length);
  const last = rest.at(-1) ?? '';
  // Words for secrets in general are not tags, although they look like one.
  const isTag = tagAlone.test(last) && (rule !== undefined || !vague.test(last));
  if (rest.length > 0 && !isTag && !rest.every((word) => vague.test(word))) {
    return { ...(rule === undefined ? {} : { rule }), tag: name };
  }
  return { ...(rule === undefined ? {} : { rule }), ...(isTag ? { tag: last } : {}) };
}

function longestRule(name: string, names: ReadonlySet<string>): string | undefined {
  let longest: string | undefined;
  for (const rule of names) {
    if (name !== rule && !name.startsWith(`${rule}-`)) continue;
    if (longest === undefined || rule.length > longest.length) longest = rule;
  }
  return longest;
}
