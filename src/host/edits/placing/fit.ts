import { matchLines } from '../../../util/text/lineDiff.ts';
import type { Span } from '../../../util/text/span.ts';
import { holdsElision, isElision } from './elision.ts';

/** Which of the old lines the code replaces. */
export type Fit =
  /** All of them. */
  | { readonly is: 'whole'; readonly isSure: boolean }
  /** The lines from `start` to before `end`; `lines` is the full text with the code in place. */
  | (Span & {
      readonly is: 'part';
      readonly lines: readonly string[];
      /** The code itself marks an omission. */
      readonly isSaid: boolean;
      /** False where the code may omit some of the lines that it replaces: it has under half as many. */
      readonly isSure: boolean;
    })
  /** The code is a part, and its position cannot be determined. */
  | { readonly is: 'nowhere' };

/** Maximum number of unmatched old lines at an end that as many new ones replace. */
const mostLeft = 3;
/** With this few old lines, code without a position may be the whole. Code that was not requested is less likely. */
const fewLines = { asked: 20, other: 3 };

/**
 * Finds which of the lines `old` some code replaces: models often answer with a part of what they were given.
 * Distinctive lines that occur once in each text are matched; the code replaces the old lines from the match of its
 * first line to the match of its last line, and nothing outside of them. `isAsked` states that the whole was requested:
 * then a rewrite may share more lines with the old ones. Neither text ends with an empty line.
 */
export function fitOf(old: readonly string[], code: readonly string[], isAsked: boolean): Fit {
  const known = new Set(old.map((line) => line.trim()));
  const isLeftOut = (line: string, index: number): boolean =>
    !known.has(line.trim()) && isElision(line, code[index - 1]);
  if (code.some((line, index) => !isLeftOut(line, index) && !known.has(line.trim()) && holdsElision(line))) {
    return { is: 'nowhere' };
  }
  if (code.some(isLeftOut)) return pieced(old, code, isLeftOut);
  if (count(old) === 0 || count(code) === 0) return { is: 'whole', isSure: true };
  const place = placeIn(old, code, { from: 0, isFirst: true, isLast: true });
  if (place === null || place.start === null || place.end === null) {
    // A long text that became short: its ends are too far apart to be found from a match.
    const isFramed = hasSameEnds(old, code);
    return isFramed ? { is: 'whole', isSure: isLong(code, old) } : rewritten(old, code, place, isAsked);
  }
  const { start, end } = place;
  const isSure = isLong(code, old.slice(start, end));
  if (count(old.slice(0, start)) === 0 && count(old.slice(end)) === 0) return { is: 'whole', isSure };
  const lines = [old.slice(0, start), place.lines, old.slice(end)].flat();
  return { is: 'part', lines, start, end, isSaid: false, isSure };
}

/**
 * Code without a position is a rewrite of the whole, or a part. A rewrite is more than a short remark about the old
 * lines and shares few of them. Where it shares more, it is sure only if it has as many lines at its ends as it takes out.
 */
function rewritten(old: readonly string[], code: readonly string[], place: FoundPlace | null, isAsked: boolean): Fit {
  const share = place?.share ?? 0;
  const isFew = count(old) <= (isAsked ? fewLines.asked : fewLines.other);
  const isLongEnough = isLong(code, old);
  if (!isFew && !(isLongEnough && share < (isAsked ? 0.7 : 0.3))) return { is: 'nowhere' };
  return { is: 'whole', isSure: isLongEnough && (share < 0.3 || place?.isCovered === true) };
}

/** Whether the first and the last line are the same. */
function hasSameEnds(old: readonly string[], code: readonly string[]): boolean {
  const [olds, codes] = [edgesOf(old), edgesOf(code)];
  const isSame = (one: number, other: number): boolean => old[one]?.trimEnd() === code[other]?.trimEnd();
  return isSame(olds.start, codes.start) && isSame(olds.end - 1, codes.end - 1);
}

/** Whether code is long enough to replace all these lines. */
function isLong(code: readonly string[], old: readonly string[]): boolean {
  return 2 * count(code) >= count(old);
}

/**
 * Code with omission marks: each piece between them replaces its matching lines, and the old lines between pieces stay.
 */
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
  let isSure = true;
  for (const [index, piece] of pieces.entries()) {
    if (count(piece) === 0) continue;
    const [isFirst, isLast] = [index === 0, index === pieces.length - 1];
    const place = placeIn(old, piece, { from: at, isFirst, isLast });
    // A piece that shares no line with the old ones is new: it goes before all of them, or after.
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
    isSure &&= isLong(piece, old.slice(place.start, place.end));
    at = place.end;
    start ??= place.start;
  }
  if (start === null) return { is: 'nowhere' };
  return { is: 'part', lines: [...lines, old.slice(at)].flat(), start, end: at, isSaid: true, isSure };
}

interface FoundPlace {
  /** null where the code's first (or last) line matches no old line. */
  readonly start: number | null;
  readonly end: number | null;
  /** The code with the indentation of the old lines. */
  readonly lines: readonly string[];
  /** The share of its distinctive lines that are old ones. */
  readonly share: number;
  /** Beyond the outermost matches, the code has at least as many lines as the old text. */
  readonly isCovered: boolean;
}

/** Finds the position of the code among the old lines from `from` on; null where they share no distinctive line. */
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
  const isCovered =
    count(old.slice(from, firstOld)) <= count(code.slice(0, codes.get(first) ?? 0)) &&
    count(old.slice(lastOld + 1)) <= count(code.slice((codes.get(last) ?? 0) + 1));
  return {
    ...{ start, end: end === null ? null : end + 1 },
    ...{ lines: lines.slice(span.start, span.end), share, isCovered },
  };
}

/** What surrounds the code to be placed. */
interface Around {
  /** The first old line to consider. */
  readonly from: number;
  /** Nothing was omitted before it (or after it). */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

interface Edge {
  /** The old line of the outermost match, and the code line it matches. */
  readonly anchor: number;
  readonly code: number;
  /** The code line to locate. */
  readonly edge: number;
  readonly around: Around;
}

/**
 * The old line that matches the first or the last line of the code. Among equal lines, takes the one whose distance
 * from the match is closest to the distance in the code. Comments and similar lines before the first match replace
 * those above the old line.
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
  // Few old lines remain there: the code replaces them.
  if (left > Math.min(mostLeft, Math.abs(distance)) || !(sign < 0 ? isFirst : isLast)) return null;
  return sign < 0 ? from : old.length - 1;
}

/** Comments, decorators and blank lines, which belong to the line after them. */
function isAside(line: string): boolean {
  return /^\s*(?:\/\/|\/?\*|#|--|@|"""|<!--|$)/.test(line);
}

/**
 * Trimmed lines that occur once, with their index. A line without letters or digits, such as a brace, does not identify
 * a position.
 */
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

/** Whether the lines can stand at the top level. */
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

/** The number of lines that are not blank. */
function count(lines: readonly string[]): number {
  return lines.reduce((sum, line) => (line.trim() === '' ? sum : sum + 1), 0);
}
