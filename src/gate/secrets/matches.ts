/** How much of a text is looked at before the search may pause, in UTF-16 units. */
export const windowLength = 128 * 1024;

/** How far behind the window a secret that begins in it is seen. A match that reaches this end is seen as far as it goes. */
const reach = 20_000;

/** How far behind a match a pattern looks. */
const lookahead = 64;

/** The ends of the windows of a text. */
export function* windowEnds(text: string): Generator<number> {
  for (let end = windowLength; end < text.length; end += windowLength) yield end;
  yield text.length;
}

/**
 * The matches of a pattern, window by window: what matchAll() finds in the whole text. Each call goes on where the one
 * before stopped and yields those that begin before `to`. The pattern is global.
 */
export function matcher(text: string, pattern: RegExp): (to: number) => Generator<RegExpExecArray> {
  let at = 0;
  const first = (to: number): RegExpExecArray | null => {
    let from = at;
    for (let end = to + reach; ; end = from + (end - from) * 2) {
      pattern.lastIndex = from;
      const match = pattern.exec(end < text.length ? text.slice(0, end) : text);
      if (match === null || match.index >= to) return null;
      // What goes as far as can be seen may go on.
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
