import { bytesOf, foldBytes, textOf } from './bytes.ts';
import { type AskedPath, type IgnorePattern, type NeededByte, PatternList } from './patternList.ts';
import { isSpecial, wildmatch } from './wildmatch.ts';

/** How a machine's git reads patterns. */
export interface GitReading {
  /** `core.ignoreCase`: ASCII letters match in either case. */
  readonly ignoresCase: boolean;
  /**
   * Git 2.52 and later: the `**` in `a/b**` does not count as standing between slashes. Earlier versions ignored the
   * text before it.
   */
  readonly looksBack: boolean;
}

/** Longer than any path of any system: such a pattern is not a valid rule, and matching it would take long. */
const maxBytes = 4_096;

/** Parses an ignore file as git does; returns null if a pattern exceeds the limits. */
export function readPatterns(file: Uint8Array, reading: GitReading): PatternList | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('latin1');
  const withoutMark = bytes.startsWith('\xef\xbb\xbf') ? bytes.slice(3) : bytes;
  const patterns: IgnorePattern[] = [];
  for (const [index, line] of withoutMark.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const written = trimmed(cutAtNul(line.endsWith('\r') ? line.slice(0, -1) : line));
    if (written.length > maxBytes) return null;
    patterns.push(patternOf(written, index + 1, reading));
  }
  return new PatternList(patterns);
}

/** Git ends a line at a NUL. */
function cutAtNul(line: string): string {
  const end = line.indexOf('\0');
  return end < 0 ? line : line.slice(0, end);
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

function patternOf(written: string, line: number, reading: GitReading): IgnorePattern {
  const isNegated = written.startsWith('!');
  const whole = isNegated ? written.slice(1) : written;
  const foldersOnly = whole.endsWith('/');
  const pattern = foldersOnly ? whole.slice(0, -1) : whole;
  const matchesPath = pattern.includes('/') ? pathMatcher(pattern, reading) : nameMatcher(pattern, reading);
  return {
    text: textOf(written),
    line,
    isNegated,
    needs: neededBy(pattern, reading),
    matches: (asked) => (asked.isFolder || !foldersOnly) && matchesPath(asked),
  };
}

function neededBy(pattern: string, { ignoresCase }: GitReading): NeededByte | null {
  const from = pattern.startsWith('/') ? 1 : 0;
  const needed = (where: NeededByte['at'], at: number): NeededByte => {
    const byte = pattern[at] ?? '';
    return { at: where, byte: ignoresCase ? foldBytes(byte) : byte };
  };
  if (from < pattern.length && !isSpecial(pattern.charCodeAt(from))) {
    return needed(pattern.includes('/') ? 'path' : 'name', from);
  }
  const isPlainAtEnd = !/[\\[\]*?]$|[\\[]/.test(pattern);
  return isPlainAtEnd && pattern.length > from ? needed('end', pattern.length - 1) : null;
}

type Matcher = (asked: AskedPath) => boolean;

/** A pattern without a slash applies to names, in any folder below. */
function nameMatcher(pattern: string, { ignoresCase }: GitReading): Matcher {
  const fold = ignoresCase ? foldBytes : same;
  const literal = fold(pattern);
  if (literalLength(pattern) === pattern.length) return ({ name }) => name === literal;
  if (pattern.startsWith('*') && literalLength(pattern.slice(1)) === pattern.length - 1) {
    const end = literal.slice(1);
    return ({ name }) => name.endsWith(end);
  }
  const options = { isPath: false, ignoresCase };
  return ({ name }) => wildmatch(pattern, name, options);
}

/**
 * A pattern with a slash applies to the path below its file's folder. Without wildcards it is compared, otherwise
 * matched.
 */
function pathMatcher(pattern: string, { ignoresCase, looksBack }: GitReading): Matcher {
  const path = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const length = literalLength(path);
  const prefix = (ignoresCase ? foldBytes : same)(path.slice(0, length));
  if (length === path.length) return (asked) => asked.path === prefix;
  const from = looksBack ? Math.max(0, length - 1) : length;
  const rest = path.slice(from);
  const options = { isPath: true, ignoresCase };
  return (asked) => asked.path.startsWith(prefix) && wildmatch(rest, asked.path.slice(from), options);
}

function literalLength(pattern: string): number {
  for (let at = 0; at < pattern.length; at += 1) if (isSpecial(pattern.charCodeAt(at))) return at;
  return pattern.length;
}

function same(bytes: string): string {
  return bytes;
}

/** Converts a path or name to the form used for matching. */
export function askedBytes(text: string, { ignoresCase }: GitReading): string {
  const bytes = bytesOf(text);
  return ignoresCase ? foldBytes(bytes) : bytes;
}
