/** The encodings other than Unicode that are tried, the most frequent first. */
const legacy = [
  ...['windows-1252', 'windows-1251', 'windows-1250', 'shift_jis', 'gb18030', 'euc-kr', 'big5', 'euc-jp'],
  ...['windows-1253', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1254', 'koi8-u', 'koi8-r', 'ibm866'],
  ...['windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-5', 'iso-8859-6', 'macintosh', 'x-mac-cyrillic'],
];

/** Characters that a text rarely has: control characters other than white space, backspace and the escape of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
export const oddCharacter = /[^\P{Cc}\b\t\n\f\r\v\u001b]|[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;

/** The length in bytes of the part of a file by which an encoding is likely or not. */
const sample = 16 * 1024;

/**
 * The encodings in which the text of a file looks like words, and null for each other one, where a caller may pause. Only
 * the part from the first byte beyond ASCII is examined.
 */
export function* likelyEncodings(bytes: Uint8Array): Generator<string | null> {
  const from = Math.max(0, bytes.findIndex((byte) => byte > 127) - 1);
  const part = bytes.subarray(from, from + sample).map((byte) => (byte === 0 ? 10 : byte));
  for (const encoding of legacy) {
    // The part may end in the middle of a character.
    const text = decode(part, encoding, part.length === sample);
    yield text !== null && isLikely(text) ? encoding : null;
  }
}

/** Returns null if the bytes are not valid in the encoding, or if this runtime does not support it. */
export function decode(bytes: Uint8Array, encoding: string, isPart = false): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isPart });
  } catch {
    return null;
  }
}

/** Whether most characters beyond ASCII are letters, and stand where words of their script have them. */
function isLikely(text: string): boolean {
  if (text.search(oddCharacter) !== -1) return false;
  const letters = countOf(text, /(?!\p{ASCII})[\p{L}\p{M}]/gu);
  if (letters * 2 < countOf(text, /[^\p{ASCII}]/gu)) return false;
  const runs = countOf(text, /[^\P{L}\p{ASCII}]+/gu);
  const isForeign = countOf(text, /[^\P{L}\p{Script=Latin}\p{Script=Common}]/gu) * 2 > letters;
  // A letter of another script is seldom inside a word of Latin ones.
  if (isForeign) return countOf(text, /(?<=[A-Za-z])[^\P{L}\p{ASCII}]+(?=[A-Za-z])/gu) * 2 <= runs;
  // Words of Latin letters have some that are ASCII.
  return countOf(text, /(?<=[A-Za-z])[^\P{L}\p{ASCII}]|[^\P{L}\p{ASCII}](?=[A-Za-z])/gu) * 4 >= letters - runs;
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
