/** A part of a glob, in VS Code's grammar. */
export type Part =
  | { readonly is: 'unit'; readonly unit: number }
  /** One of these characters or, if negated, any other character, including `/`. */
  | { readonly is: 'list'; readonly ranges: readonly (readonly [number, number])[]; readonly isNegated: boolean }
  /** `/` or `\`. */
  | { readonly is: 'separator' }
  /** `?`: one character of a name. */
  | { readonly is: 'any' }
  /** `*`: any number of characters of a name. */
  | { readonly is: 'star' }
  /** `**` beside other segments: any number of whole names. At the end of a glob it also matches a name after `/`. */
  | { readonly is: 'names'; readonly isLast: boolean }
  /** A glob of nothing but `**`. */
  | { readonly is: 'everything' }
  | { readonly is: 'choice'; readonly choices: readonly (readonly Part[])[] };

/** Thrown for a glob that cannot be read: a range that is reversed, such as `[z-a]`, or braces that are too deep. */
export class UnreadableGlob extends Error {}

/** The maximum depth of braces within braces. */
const maxDepth = 50;

/**
 * Reads a glob. Parentheses, `+`, `|`, `^`, `$` and `\` are literal. The text after a `{` or `[` that is not closed in its
 * segment is ignored, as in VS Code. VS Code ends braces at the first `}`, whatever they contain; with `nests`, braces can
 * contain braces, as the user means them and as VS Code's search reads them.
 */
export function parseGlob(glob: string, nests: boolean, depth = 0): readonly Part[] {
  if (depth > maxDepth) throw new UnreadableGlob();
  const segments = splitOutside(glob, '/', nests);
  if (segments.length > 0 && segments.every((segment) => segment === '**')) return [{ is: 'everything' }];
  const parts: Part[] = [];
  segments.forEach((segment, index) => {
    const isLast = index === segments.length - 1;
    if (segment === '**') {
      if (segments[index - 1] !== '**') parts.push({ is: 'names', isLast });
      return;
    }
    for (const part of parseSegment(segment, nests, depth)) parts.push(part);
    // `a/**` also matches `a`: the separator belongs to the last `**`.
    const isBeforeLastNames = segments[index + 1] === '**' && index + 2 === segments.length;
    if (!isLast && !isBeforeLastNames) parts.push({ is: 'separator' });
  });
  return parts;
}

/** Splits at a character outside braces and brackets. An empty part at the end is dropped. */
function splitOutside(text: string, at: string, nests: boolean): readonly string[] {
  const parts: string[] = [];
  let braces = 0;
  let isInBrackets = false;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === at && braces === 0 && !isInBrackets) {
      parts.push(text.slice(start, index));
      start = index + 1;
    } else if (character === '{') braces = nests ? braces + 1 : 1;
    else if (character === '}') braces = nests ? Math.max(0, braces - 1) : 0;
    else if (character === '[') isInBrackets = true;
    else if (character === ']') isInBrackets = false;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}

function parseSegment(segment: string, nests: boolean, depth: number): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < segment.length; at += 1) {
    const character = segment[at];
    if (character === '{') {
      const end = endOfBraces(segment, at + 1, nests);
      if (end === -1) return parts;
      const choices = splitOutside(segment.slice(at + 1, end), ',', nests);
      parts.push({ is: 'choice', choices: choices.map((choice) => parseGlob(choice, nests, depth + 1)) });
      at = end;
    } else if (character === '[') {
      const list = readList(segment, at + 1);
      if (list === null) return parts;
      parts.push(list.part);
      at = list.end;
    }
    // A brace that was not opened matches the empty text, and such a bracket matches nothing.
    else if (character === '}') continue;
    else if (character === ']') parts.push({ is: 'list', ranges: [], isNegated: false });
    else if (character === '?') parts.push({ is: 'any' });
    else if (character === '*') parts.push({ is: 'star' });
    else parts.push({ is: 'unit', unit: segment.charCodeAt(at) });
  }
  return parts;
}

function endOfBraces(segment: string, from: number, nests: boolean): number {
  if (!nests) return segment.indexOf('}', from);
  let depth = 1;
  for (let at = from; at < segment.length; at += 1) {
    if (segment[at] === '{') depth += 1;
    else if (segment[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/**
 * Reads a list up to its `]`, which is an ordinary character if it is the first one. A slash in it is ignored. Returns null if
 * the list is not closed. Throws {@link UnreadableGlob} for a reversed range.
 */
function readList(segment: string, from: number): { readonly part: Part; readonly end: number } | null {
  let isNegated = false;
  const units: number[] = [];
  let at = from;
  for (; at < segment.length; at += 1) {
    const character = segment[at];
    const isEmpty = units.length === 0 && !isNegated;
    if (character === ']' && !isEmpty) break;
    if ((character === '!' || character === '^') && isEmpty) isNegated = true;
    else if (character !== '/') units.push(segment.charCodeAt(at));
  }
  if (at === segment.length) return null;
  return { part: { is: 'list', ranges: rangesOf(units), isNegated }, end: at };
}

const dash = 0x2d;

function rangesOf(units: readonly number[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (let at = 0; at < units.length; at += 1) {
    const first = units[at] ?? 0;
    const isRange = units[at + 1] === dash && at + 2 < units.length;
    const last = isRange ? (units[at + 2] ?? 0) : first;
    if (last < first) throw new UnreadableGlob();
    ranges.push([first, last]);
    if (isRange) at += 2;
  }
  return ranges;
}
