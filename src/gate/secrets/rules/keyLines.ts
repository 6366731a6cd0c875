import { characterSet, isIn, runsIn } from '../runs.ts';

/**
 * The forms of a key's lines in a text: indented, quoted, in a comment or a diff, after line numbers, file names or the times of
 * a log, and with line breaks that a string escapes or HTML encodes.
 */
const codedEnd = String.raw`\\u000[aAdD]|<br ?\/?>|&#(?:10|13|[xX]0?[aAdD]);`;
const lineEnd = String.raw`(?:\r\n|\r|\n|\\[nr]|${codedEnd})`;
const time = String.raw`(?<=^|[\r\n]|\\[nr])\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[+-]\d\d:\d\d)[ \t]`;
const place = String.raw`(?<=^|[\r\n]|\\[nr])[ \t]{0,8}(?:[^\s:"'\\]{1,200}[:-])?\d{1,7}[:|\t -]`;
/** Text that may occur between two lines. */
const gap = String.raw`(?:\s|\\[nr]|["'+,;#*>|%]|\/\/|-(?!-)|${codedEnd}|${time}|${place})`;
const lineRest = String.raw`["'+,;|\\ \t]{0,8}`;
const code = '[A-Za-z0-9+/]';

/** The maximum number of characters that one search reads in a line, so that it may pause. */
const maxLength = 50_000;

const header = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ?[^\r\n\\]{0,200}`;
const piece = new RegExp(`${gap}{0,16}(?:${header}|[A-Za-z0-9+/=]{16,${maxLength}})`, 'y');
/** The end of a line, or of the text. */
const ending = `(?=["'\`<]|${lineRest}(?:${lineEnd}|-{5}|$))`;
const lastPiece = new RegExp(`(?:${gap}{1,16}${code}{1,15}={0,2}${ending})?(?:${gap}{1,16}=${code}{4}${ending})?`, 'y');

/** The end of a key's lines that begin at `from`, or `from` if there are no such lines. May pause. */
export function* endOfKey(text: string, from: number): Generator<null, number> {
  let end = from;
  let found = matchAt(piece, text, end);
  for (let count = 1; found !== null; count += 1) {
    end += found.length;
    if (count % 500 === 0) yield null;
    found = matchAt(piece, text, end);
  }
  return end === from ? from : end + (matchAt(lastPiece, text, end)?.length ?? 0);
}

/** A line of a key, followed by another. */
const twoLines = new RegExp(
  `(?<line>${code}{48,128})(?=${lineRest}${lineEnd}${gap}{0,16}?(?<next>${code}{48,128})(?!${code}))`,
  'y',
);

/** The minimum length of a line that is treated as part of a key although the first or last line of the key is missing. */
const minLineLength = 48;

const codeSet = characterSet('A-Za-z0-9+/');
/** The characters that may follow the code of a line: `lineRest`, or the first of a line break. */
const restSet = characterSet('"\'+,;|\\\\ \t\r\n<&');
/** The maximum length of a line of a key: 128 characters of code, and a `lineRest` that may have a `+`. */
const maxLineLength = 136;

/**
 * Finds the lines of keys that are followed by another. Each call continues after the previous one and yields the lines
 * that begin before `to`.
 */
export function pairsOfLines(text: string): (to: number) => Generator<RegExpExecArray> {
  let at = 0;
  return function* (to) {
    // A longer run is returned in parts, so that the search may pause.
    for (const run of runsIn(text, codeSet, { from: at, to, minLength: minLineLength, maxLength: 1024 })) {
      at = run.end;
      const before = text.charCodeAt(run.start - 1);
      if (isIn(codeSet, before) || text[run.start - 1] === '=') continue;
      // A longer run is not a line; only a few punctuation characters may precede a line break.
      if (run.end - run.start > maxLineLength || !isIn(restSet, text.charCodeAt(run.end))) continue;
      twoLines.lastIndex = run.start;
      const found = twoLines.exec(text);
      if (found !== null) yield found;
    }
    at = Math.max(at, to);
  };
}

const nextLine = new RegExp(
  `${lineRest}${lineEnd}${gap}{0,16}?(?<line>${code}{48,128}(?!${code})={0,2}|(?:[A-Za-z0-9]|[+/]${code}{3})${code}{0,127}={0,2}${ending})`,
  'y',
);
const checksum = new RegExp(`${lineRest}${lineEnd}${gap}{0,16}=${code}{4}${ending}`, 'y');

/** Whether two lines have the same length; a gap may have matched a `+` or `//` that belongs to the line. */
export const isAsLong = (a: number, b: number): boolean => Math.abs(a - b) <= 2;

/**
 * The end of the lines of `length` characters that follow a line which ends at `from`, including a shorter last one.
 */
export function* endOfLines(text: string, from: number, length: number): Generator<null, number> {
  let end = from;
  for (let count = 1; ; count += 1) {
    const found = matchAt(nextLine, text, end);
    const line = found?.groups?.line ?? '';
    if (found === null || line.length > length + 2) break;
    end += found.length;
    if (!isAsLong(line.length, length)) break;
    if (count % 500 === 0) yield null;
  }
  return end + (matchAt(checksum, text, end)?.length ?? 0);
}

/** The maximum length of a key before its last line, longer than any key in use. */
const maxKeyLength = 64 * 1024;

const codeRun = new RegExp(`(?<![A-Za-z0-9+/=])${code}{16}`, 'g');
const onlyGap = new RegExp(`^(?:${gap}{0,32})$`);

/** The start of a key's lines that end before `end` and begin at or after `from`, or `end` if there are no such lines. */
export function* startOfKey(text: string, from: number, end: number): Generator<null, number> {
  const before = text.slice(0, end);
  for (let at = Math.max(from, end - maxKeyLength); at < end; ) {
    codeRun.lastIndex = at;
    const start = codeRun.exec(before)?.index ?? end;
    at = start === end ? end : yield* endOfKey(before, start);
    if (start < end && onlyGap.test(before.slice(at))) return start;
  }
  return end;
}

const lineBefore = new RegExp(`(?<![A-Za-z0-9+/=])(?<line>${code}{1,128})${lineRest}${lineEnd}${gap}{0,16}$`);

/** The start of a possibly truncated line directly before a line at `start`, or `start` if there is none. */
export function startOfCutLine(text: string, start: number): number {
  const from = Math.max(0, start - 256);
  const found = lineBefore.exec(text.slice(from, start));
  if (found === null) return start;
  const isCut = from + found.index === 0;
  return isCut || (found.groups?.line ?? '').length >= 16 ? from + found.index : start;
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? null : { length: found[0].length, groups: found.groups };
}
