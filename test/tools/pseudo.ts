/**
 * A pseudo language: every text that was looked up is in brackets, longer than English and accented. Letters outside of
 * brackets belong to a text that is not translated.
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

/** Placeholders are unchanged. */
export function pseudo(text: string): string {
  const words = text.replace(/\{\d+\}|[a-z]/g, (found) => letters[found] ?? found);
  return `⟦${words}⟧`;
}

/** The text outside of all brackets, if it contains letters. */
export function unwrapped(text: string): string | undefined {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '');
  }
  return /\p{L}/u.test(rest) ? rest : undefined;
}

/** Identifiers that the page compares and never shows, and answers, whose text is the model's. */
const neverShown = new Set([
  ...['id', 'status', 'severity', 'verdict', 'conversationId', 'setting', 'answer', 'request', 'action'],
  ...['outcome', 'confirmation', 'period', 'from', 'to', 'state', 'kind'],
]);

/** A state like that of the host, with everything that a page shows in brackets, data and texts. */
export function wrapped<T>(state: T, key = ''): T {
  if (typeof state === 'string') return (state === '' || neverShown.has(key) ? state : `⟦${state}⟧`) as T;
  if (Array.isArray(state)) return state.map((item) => wrapped(item, key)) as T;
  if (typeof state !== 'object' || state === null) return state;
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, wrapped(value, name)])) as T;
}

/** In the page: localized numbers and times are in brackets too. */
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
