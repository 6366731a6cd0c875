import { matchLines } from '../../../util/lineDiff.ts';
import type { Span } from '../../../util/span.ts';
import { holdsElision, isElision } from './elision.ts';

/** What code that came for some lines stands for. */
export type Fit =
  /** All of them. */
  | { readonly is: 'whole' }
  /** The lines from `start` to before `end`; `lines` are all of them with the code in its place. */
  | {
      readonly is: 'part';
      readonly lines: readonly string[];
      readonly start: number;
      readonly end: number;
      /** The code itself says that it left something out. */
      readonly isSaid: boolean;
    }
  /** It is a part, and of which lines cannot be told. */
  | { readonly is: 'nowhere' };

/** Lines of one text or the other, at most, that may be left over at an end of code that is whole. */
const mostLeft = 3;
/** Of so few lines any code may be the whole. */
const fewLines = 8;

/**
 * Finds out which of the lines `old` some code stands for: models often answer with a part of what they were given. Lines
 * that are telling and stand once in each are the same; code goes from the line that is its first to the one that is its
 * last. Nothing outside of these is ever replaced. `isAsked` says that the whole was asked for: then code is a part only
 * where it says so, or where it begins or ends with a line that has others before or after it. Neither ends with an
 * empty line.
 */
export function fitOf(old: readonly string[], code: readonly string[], isAsked: boolean): Fit {
  const known = new Set(old.map((line) => line.trim()));
  const isLeftOut = (line: string, index: number): boolean =>
    !known.has(line.trim()) && isElision(line, code[index - 1]);
  if (code.some((line, index) => !isLeftOut(line, index) && !known.has(line.trim()) && holdsElision(line))) {
    return { is: 'nowhere' };
  }
  if (code.some(isLeftOut)) return pieced(old, code, isLeftOut);
  const [size, all] = [count(code), count(old)];
  if (all <= (isAsked ? fewLines : mostLeft) || size === 0) return { is: 'whole' };
  const place = placeIn(old, code, { from: 0, isFirst: true, isLast: true });
  if (place === null || place.start === null || place.end === null) {
    // A rewrite of the whole has little of the old lines, and is more than a few words about them.
    const isRewrite = isAsked
      ? place === null
        ? size >= all / 4
        : place.share < 0.7
      : (place?.share ?? 0) < 0.3 && size >= all / 2;
    return isRewrite ? { is: 'whole' } : { is: 'nowhere' };
  }
  const { start, end } = place;
  const left = isAsked ? mostLeft : 0;
  if (count(old.slice(0, start)) <= left && count(old.slice(end)) <= left) return { is: 'whole' };
  const lines = [old.slice(0, start), place.lines, old.slice(end)].flat();
  return { is: 'part', lines, start, end, isSaid: false };
}

/** Code with marks for what it left out: each piece between them goes where its lines are, what is between them stays. */
function pieced(
  old: readonly string[],
  code: readonly string[],
  isLeftOut: (line: string, index: number) => boolean,
): Fit {
  const pieces: (readonly string[])[] = [[]];
  for (const [index, line] of code.entries()) {
    if (isLeftOut(line, index)) pieces.push([]);
    else pieces[pieces.length - 1] = [...(pieces.at(-1) ?? []), line];
  }
  const lines: (readonly string[])[] = [];
  let at = 0;
  let start: number | null = null;
  for (const [index, piece] of pieces.entries()) {
    if (count(piece) === 0) continue;
    const [isFirst, isLast] = [index === 0, index === pieces.length - 1];
    const place = placeIn(old, piece, { from: at, isFirst, isLast });
    // What shares no line with the old ones is new: before all of them, or after.
    if (place === null && isFirst && !isLast && isOutermost(piece)) {
      lines.push(piece);
      start ??= 0;
      continue;
    }
    if (place === null && isLast && !isFirst && isOutermost(piece)) {
      lines.push(old.slice(at), trimmed(piece));
      at = old.length;
      start ??= at;
      continue;
    }
    if (place === null || place.start === null || place.end === null) return { is: 'nowhere' };
    lines.push(old.slice(at, place.start), place.lines);
    at = place.end;
    start ??= place.start;
  }
  if (start === null) return { is: 'nowhere' };
  return { is: 'part', lines: [...lines, old.slice(at)].flat(), start, end: at, isSaid: true };
}

interface FoundPlace {
  /** null where the code has other lines there than the old ones. */
  readonly start: number | null;
  readonly end: number | null;
  /** The code, indented as the old lines are. */
  readonly lines: readonly string[];
  /** Which share of its telling lines are old ones. */
  readonly share: number;
}

/** Where code goes among the old lines from `from` on; null where they have no telling line in common. */
function placeIn(old: readonly string[], code: readonly string[], around: Around): FoundPlace | null {
  const { from } = around;
  const rest = old.slice(from);
  const [olds, codes] = [tellingOf(rest), tellingOf(code)];
  const both = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): readonly string[] =>
    [...one.keys()].filter((line) => other.has(line));
  const shared = both(olds, codes);
  const matches = matchLines(shared, both(codes, olds)).map(([index]) => shared[index] ?? '');
  const [first, last] = [matches[0], matches.at(-1)];
  if (first === undefined || last === undefined) return null;
  const own = code[codes.get(first) ?? 0] ?? '';
  const theirs = rest[olds.get(first) ?? 0] ?? '';
  const lines = indented(code, indentOf(own), indentOf(theirs));
  const span = edgesOf(lines);
  const firstOld = (olds.get(first) ?? 0) + from;
  const lastOld = (olds.get(last) ?? 0) + from;
  const start = edge(old, lines, { anchor: firstOld, code: codes.get(first) ?? 0, edge: span.start, around });
  const end = edge(old, lines, { anchor: lastOld, code: codes.get(last) ?? 0, edge: span.end - 1, around });
  const share = matches.length / codes.size;
  return { start, end: end === null ? null : end + 1, lines: lines.slice(span.start, span.end), share };
}

/** What stands beside code that is to be placed. */
interface Around {
  /** The first old line that counts. */
  readonly from: number;
  /** Nothing was left out before it, or after it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

interface Edge {
  /** The old line of the outermost match, and the line of the code that it matches. */
  readonly anchor: number;
  readonly code: number;
  /** The line of the code to be found. */
  readonly edge: number;
  readonly around: Around;
}

/**
 * The old line that the first or the last line of code is: of those that are the same, the one about as far from the
 * match as it is in the code. Comments and the like before the first match take the place of those that stand there.
 */
function edge(old: readonly string[], code: readonly string[], { anchor, code: at, edge: wanted, around }: Edge) {
  const { from, isFirst, isLast } = around;
  const distance = wanted - at;
  if (distance === 0) return anchor;
  const most = 2 * Math.abs(distance) + mostLeft;
  const sign = Math.sign(distance);
  let best: number | null = null;
  for (let far = 1; far <= most; far += 1) {
    const line = anchor + sign * far;
    if (line < from || line >= old.length) break;
    const isSame = old[line]?.trimEnd() === code[wanted]?.trimEnd();
    const isNearer =
      best === null || Math.abs(far - Math.abs(distance)) < Math.abs(Math.abs(best - anchor) - Math.abs(distance));
    if (isSame && isNearer) best = line;
  }
  if (best !== null) return best;
  if (sign < 0 && code.slice(wanted, at).every(isAside)) {
    let start = anchor;
    while (start > from && isAside(old[start - 1] ?? '') && old[start - 1]?.trim() !== '') start -= 1;
    return start;
  }
  const left = sign < 0 ? count(old.slice(from, anchor)) : count(old.slice(anchor + 1));
  // Little is left of the old lines there: what the code has instead takes their place.
  if (left > Math.min(mostLeft, Math.abs(distance)) || !(sign < 0 ? isFirst : isLast)) return null;
  return sign < 0 ? from : old.length - 1;
}

/** Comments, decorators and blank lines, which belong to what follows them. */
function isAside(line: string): boolean {
  return /^\s*(?:\/\/|\/?\*|#|--|@|"""|<!--|$)/.test(line);
}

/** Lines that stand once, each trimmed, with where: a brace alone says nothing of where it is from. */
function tellingOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const once = new Map<string, number>();
  const often = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (!/[\p{L}\p{N}_]/u.test(text) || often.has(text)) continue;
    if (!once.delete(text)) once.set(text, index);
    else often.add(text);
  }
  return once;
}

/** From the first line that is not blank to after the last one. */
function edgesOf(lines: readonly string[]): Span {
  const isText = (line: string): boolean => line.trim() !== '';
  return { start: Math.max(0, lines.findIndex(isText)), end: lines.findLastIndex(isText) + 1 };
}

/** Whether it can stand outside of everything. */
function isOutermost(lines: readonly string[]): boolean {
  return /^[^\s)\]}]/.test(lines.find((line) => line.trim() !== '') ?? '');
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(0, edgesOf(lines).end);
}

function indented(lines: readonly string[], own: string, theirs: string): readonly string[] {
  if (own === theirs) return lines;
  return lines.map((line) => (line.startsWith(own) && line.trim() !== '' ? theirs + line.slice(own.length) : line));
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Of the lines that are not blank. */
function count(lines: readonly string[]): number {
  return lines.reduce((sum, line) => (line.trim() === '' ? sum : sum + 1), 0);
}
