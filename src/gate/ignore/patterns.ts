import { bytesOf, foldBytes } from './bytes.ts';
import { neededPairs } from './pairs.ts';
import { type GitReading, type IgnorePattern, type Needed, PatternList, type SearchedPath } from './patternList.ts';
import { isSpecial, wildmatch } from './wildmatch.ts';

/** The maximum number of rules in all ignore files of a workspace together; `maxRuleBytes` is their maximum size. */
export const maxRules = 50_000;
export const maxRuleBytes = 4 * 1024 * 1024;
/** The maximum length of a pattern in bytes: a longer one is longer than any path, so it is not a valid rule. */
const maxPatternBytes = 4_096;
/** The number of lines, or of bytes, that are read between two chances to pause. */
const linesAtOnce = 500;
const bytesAtOnce = 100_000;

/** The reason why the rules of a file are not known. */
export type Unread = 'unreadable' | 'tooManyRules';

/**
 * Parses an ignore file as git does, for any reading, and one in UTF-16; yields where it may pause. `max` is the number of
 * rules that there is room for. `rules` counts the rules of the file even if there are too many, up to `maxRules` + 1.
 */
export function* readPatterns(
  file: Uint8Array,
  max = maxRules,
): Generator<null, { readonly patterns: PatternList | Unread; readonly rules: number }> {
  if (isWide(file)) return { patterns: 'unreadable', rules: 0 };
  const bytes = asUtf8(file).toString('latin1');
  let patterns: PatternList | null = new PatternList();
  let rules = 0;
  let pausedAt = 0;
  let start = bytes.startsWith('\xef\xbb\xbf') ? 3 : 0;
  for (let line = 1; start < bytes.length; line += 1) {
    const next = bytes.indexOf('\n', start);
    const end = next < 0 ? bytes.length : next;
    const isRule = end > start && bytes[start] !== '#';
    if (isRule) {
      rules += 1;
      if (rules > max) patterns = null;
      if (rules > maxRules) break;
      const written = writtenIn(bytes, start, end);
      if (written === null) return { patterns: 'unreadable', rules: 0 };
      patterns?.add(patternOf(written, line));
    }
    start = end + 1;
    if (line % linesAtOnce === 0 || start - pausedAt > bytesAtOnce) {
      pausedAt = start;
      yield null;
    }
  }
  return { patterns: patterns ?? 'tooManyRules', rules };
}

/** Converts UTF-16, which Windows PowerShell writes. Git finds no rule in it, but its user intended them. */
function asUtf8(file: Uint8Array): Buffer {
  const encoding = utf16[`${file[0]} ${file[1]}`];
  if (encoding === undefined) return Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return Buffer.from(new TextDecoder(encoding).decode(file));
}

/** The encodings by the bytes of a byte order mark. */
const utf16: Readonly<Record<string, string>> = { '255 254': 'utf-16le', '254 255': 'utf-16be' };

/** Whether a file looks like UTF-16 without a byte order mark. */
function isWide(file: Uint8Array): boolean {
  return file.length >= 4 && ((file[0] === 0 && file[2] === 0) || (file[1] === 0 && file[3] === 0));
}

/** The pattern of a line, or null if it is too long. */
function writtenIn(bytes: string, start: number, end: number): string | null {
  const nul = bytes.slice(start, end).indexOf('\0');
  let last = nul >= 0 ? start + nul : bytes[end - 1] === '\r' ? end - 1 : end;
  // One space stays, because a space after a backslash belongs to the pattern.
  while (last - start > 1 && bytes[last - 1] === ' ' && bytes[last - 2] === ' ') last -= 1;
  const written = last - start > maxPatternBytes + 1 ? null : trimmed(bytes.slice(start, last));
  return written === null || written.length > maxPatternBytes ? null : written;
}

/** Removes trailing spaces, except one after a backslash. */
function trimmed(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') {
      at += 1;
      if (at === line.length) return line;
      end = at + 1;
    } else if (line[at] !== ' ') end = at + 1;
  }
  return line.slice(0, end);
}

function patternOf(written: string, line: number): IgnorePattern {
  const isNegated = written.startsWith('!');
  const whole = isNegated ? written.slice(1) : written;
  const foldersOnly = whole.endsWith('/');
  const pattern = foldersOnly ? whole.slice(0, -1) : whole;
  const { needs, matches } = pattern.includes('/') ? pathMatcher(pattern) : nameMatcher(pattern);
  return {
    written,
    line,
    isNegated,
    needs,
    matches: foldersOnly ? (asked) => asked.isFolder && matches(asked) : matches,
  };
}

interface Matcher {
  readonly needs: Needed | null;
  readonly matches: (asked: SearchedPath) => boolean;
}

/** A pattern without a slash applies to names, in any folder below. */
function nameMatcher(pattern: string): Matcher {
  if (literalLength(pattern) === pattern.length) {
    const folded = foldBytes(pattern);
    return {
      needs: { at: 'name', text: folded },
      matches: ({ name, reading }) => name === (reading.ignoresCase ? folded : pattern),
    };
  }
  if (pattern.startsWith('*') && literalLength(pattern.slice(1)) === pattern.length - 1) {
    const end = pattern.slice(1);
    const folded = foldBytes(end);
    return {
      needs: { at: 'end', text: folded },
      matches: ({ name, reading }) => name.endsWith(reading.ignoresCase ? folded : end),
    };
  }
  const pairs = neededPairs(foldBytes(pattern));
  return {
    needs: firstOrLast(pattern, 'first of name'),
    matches: ({ name, namePairs, reading: { ignoresCase }, work }) =>
      namePairs.mayHave(pairs, work) && wildmatch(pattern, name, { isPath: false, ignoresCase, work }),
  };
}

/**
 * A pattern with a slash applies to the path below its file's folder. Without wildcards, it is compared; otherwise, it is
 * matched.
 */
function pathMatcher(pattern: string): Matcher {
  const path = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const length = literalLength(path);
  const prefix = path.slice(0, length);
  const folded = foldBytes(prefix);
  if (length === path.length) {
    return {
      needs: { at: 'path', text: folded },
      matches: (asked) => asked.path === (asked.reading.ignoresCase ? folded : prefix),
    };
  }
  const pairs = neededPairs(foldBytes(path));
  return {
    needs: firstOrLast(path, 'first of path'),
    matches(asked) {
      const { ignoresCase, looksBack } = asked.reading;
      if (!asked.pathPairs.mayHave(pairs, asked.work) || !asked.path.startsWith(ignoresCase ? folded : prefix))
        return false;
      const from = looksBack ? Math.max(0, length - 1) : length;
      return wildmatch(path.slice(from), asked.path.slice(from), { isPath: true, ignoresCase, work: asked.work });
    },
  };
}

/** The byte at which a pattern with wildcards begins or ends, or null if both may be any byte. */
function firstOrLast(pattern: string, first: Needed['at']): Needed | null {
  if (pattern !== '' && !isSpecial(pattern.charCodeAt(0))) return { at: first, text: foldBytes(pattern[0] ?? '') };
  const isPlainAtEnd = pattern !== '' && !/[\\[]/.test(pattern) && !isSpecial(pattern.charCodeAt(pattern.length - 1));
  return isPlainAtEnd && !pattern.endsWith(']') ? { at: 'last', text: foldBytes(pattern.at(-1) ?? '') } : null;
}

function literalLength(pattern: string): number {
  for (let at = 0; at < pattern.length; at += 1) if (isSpecial(pattern.charCodeAt(at))) return at;
  return pattern.length;
}

/** Converts a path or name to the form used for matching. */
export function askedBytes(text: string, { ignoresCase }: GitReading): string {
  const bytes = bytesOf(text);
  return ignoresCase ? foldBytes(bytes) : bytes;
}
