/**
 * A language that nobody speaks: every text that was looked up is in brackets, longer than English and accented. What
 * has letters outside of brackets was written where no translation reaches it.
 */
const letters: Readonly<Record<string, string>> = {
  a: 'áá',
  c: 'ç',
  d: 'ð',
  e: 'éé',
  g: 'ĝ',
  i: 'íí',
  n: 'ñ',
  o: 'óó',
  s: 'š',
  u: 'úú',
  y: 'ý',
};

/** Placeholders stay as they are. */
export function pseudo(text: string): string {
  const words = text.replace(/\{\d+\}|[a-z]/g, (found) => letters[found] ?? found);
  return `⟦${words}⟧`;
}

/** What stands outside of all brackets, where it has letters. */
export function unwrapped(text: string): string | undefined {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '');
  }
  return /\p{L}/u.test(rest) ? rest : undefined;
}

/** Names that the page tells apart and never shows, and answers, whose text is the model's. */
const neverShown = new Set([
  ...['id', 'status', 'severity', 'verdict', 'conversationId', 'setting', 'answer', 'request', 'action'],
  ...['outcome', 'confirmation', 'period', 'from', 'to'],
]);

/** A state as the host would send it: all that a page shows of it comes in brackets, data as well as words. */
export function wrapped<T>(state: T, key = ''): T {
  if (typeof state === 'string') return (state === '' || neverShown.has(key) ? state : `⟦${state}⟧`) as T;
  if (Array.isArray(state)) return state.map((item) => wrapped(item, key)) as T;
  if (typeof state !== 'object' || state === null) return state;
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, wrapped(value, name)])) as T;
}

/** In the page: numbers and times in the reader's form are in brackets too. */
export const wrapFormats = `
  for (const { prototype } of [Intl.NumberFormat, Intl.DateTimeFormat]) {
    const { get } = Object.getOwnPropertyDescriptor(prototype, 'format');
    Object.defineProperty(prototype, 'format', {
      get() { const format = get.call(this); return (value) => '\\u27e6' + format(value) + '\\u27e7'; },
    });
    const { formatRange } = prototype;
    prototype.formatRange = function (...range) { return '\\u27e6' + formatRange.apply(this, range) + '\\u27e7'; };
  }
`;
