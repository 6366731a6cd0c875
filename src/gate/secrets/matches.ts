/** The length in UTF-16 units of text that is searched before the search may pause. */
export const windowLength = 128 * 1024;

/** The length of text after the window in which a secret that begins in it is visible. A longer match extends the view. */
const reach = 20_000;

/** The maximum number of characters after a match that a pattern examines. */
const lookahead = 64;

/** The ends of the windows of a text. */
export function* windowEnds(text: string): Generator<number> {
  for (let end = windowLength; end < text.length; end += windowLength) yield end;
  yield text.length;
}

/**
 * Finds the matches of a global pattern window by window: the same matches as matchAll() on the whole text. Each call
 * continues after the previous one and yields the matches that begin before `to`.
 */
export function matcher(text: string, pattern: RegExp): (to: number) => Generator<RegExpExecArray> {
  let at = 0;
  const first = (to: number): RegExpExecArray | null => {
    let from = at;
    for (let end = to + reach; ; end = from + (end - from) * 2) {
      pattern.lastIndex = from;
      const match = pattern.exec(end < text.length ? text.slice(0, end) : text);
      if (match === null || match.index >= to) return null;
      // A match that reaches the end of the view may continue.
      if (end >= text.length || match.index + match[0].length + lookahead < end) return match;
      from = match.index;
    }
  };
  return function* (to) {
    for (let match = at < to ? first(to) : null; match !== null; match = at < to ? first(to) : null) {
      at = match.index + match[0].length;
      yield match;
    }
    at = Math.max(at, to);
  };
}
