import * as vscode from 'vscode';

/** The text of a file, in each encoding that it may be in. */
export interface Readings {
  readonly texts: readonly string[];
}

const wide = ['utf-16le', 'utf-16be'];
/** The encodings of files that are not in Unicode, the most frequent first. */
const others = [
  ...['windows-1252', 'windows-1251', 'windows-1250', 'shift_jis', 'gb18030', 'euc-kr', 'big5', 'euc-jp'],
  ...['windows-1253', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1254', 'koi8-r', 'ibm866'],
  ...['windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-5', 'macintosh', 'x-mac-cyrillic'],
];
const mostReadings = 12;

/** Characters that a text rarely has: control characters without white space, backspace and the escape of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const odd = /[^\P{Cc}\b\t\n\f\r\v\u001b]|[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;
/** A text may have this share of odd characters: a NUL in a log does not make it binary. */
const mostOdd = 0.02;
/** Enough to tell. */
const sample = 64 * 1024;

/**
 * Several readings for a file that is not in Unicode: nothing in it says which is right, and what is sent may have been
 * read in any of them. `undecodable`: a text in none of the encodings that are known here.
 */
export async function decodeExcluded(bytes: Uint8Array, uri: vscode.Uri): Promise<Readings | 'binary' | 'undecodable'> {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 0 : first === 0xfe && second === 0xff ? 1 : -1;
  if (marked !== -1) {
    const text = decoded(bytes, wide[marked] ?? '');
    return text === null || oddShare(text) > mostOdd ? 'undecodable' : { texts: [text] };
  }
  const text = decoded(bytes, 'utf-8');
  if (text !== null && oddShare(text) <= mostOdd) {
    const japanese = text.includes('\u001b$') ? decoded(bytes, 'iso-2022-jp') : null;
    return { texts: japanese === null ? [text] : [text, japanese] };
  }
  if (bytes.subarray(0, sample).includes(0)) return unmarked(bytes);
  return text !== null || hasControls(bytes) ? 'binary' : otherReadings(bytes, uri);
}

/** Whether a file is certainly no text, by its first bytes. */
export function isBinaryStart(bytes: Uint8Array): boolean {
  // A cut may be in the middle of a character.
  const start = new TextDecoder().decode(bytes, { stream: true });
  return bytes.includes(0) && oddShare(start) > mostOdd && unmarked(bytes) === 'binary';
}

/** UTF-16 without a byte order mark: in the right order, a text has line feeds or spaces. */
function unmarked(bytes: Uint8Array): Readings | 'binary' {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const texts = wide
    .map((encoding) => decoded(even, encoding))
    .filter((text): text is string => text !== null && oddShare(text) <= 0.002)
    .map((text) => ({ text, share: asciiShare(text) }))
    .filter(({ share }) => share > 0.005)
    .sort((a, b) => b.share - a.share)
    .map(({ text }) => text);
  return texts.length === 0 ? 'binary' : { texts: texts.slice(0, 1) };
}

async function otherReadings(bytes: Uint8Array, uri: vscode.Uri): Promise<Readings | 'undecodable'> {
  // As the settings say, and as VS Code guesses.
  const asSet = await Promise.resolve(vscode.workspace.decode(bytes, { uri })).then(undefined, () => null);
  const set = asSet === null || oddShare(asSet) > 0 ? [] : [asSet];
  const guessed = (hasBlanks(bytes) ? others : [])
    .map((encoding) => decoded(bytes, encoding))
    .filter((text) => text !== null && isLikely(text));
  const texts = new Set([...set, ...guessed].filter((text) => text !== null));
  if (texts.size === 0) return 'undecodable';
  // A terminal shows it as if it were UTF-8.
  return { texts: [...[...texts].slice(0, mostReadings), new TextDecoder().decode(bytes)] };
}

/** The blanks of EBCDIC are other bytes than those of the encodings that have ASCII. */
function hasBlanks(bytes: Uint8Array): boolean {
  return bytes.length < 200 || [9, 10, 32].some((blank) => bytes.includes(blank));
}

/** null if the bytes are not valid, or if the encoding is not known here. */
function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isLikely(text: string): boolean {
  const start = text.slice(0, sample);
  const foreign = start.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  const letters = start.match(/[^\P{L}\p{ASCII}]/gu)?.length ?? 0;
  return oddShare(start) === 0 && letters * 2 >= foreign;
}

function oddShare(text: string): number {
  const start = text.slice(0, sample);
  // A cut may be in the middle of a character.
  const whole = text.length > sample ? start.replace(/[\ud800-\udbff]$/, '') : start;
  return whole === '' ? 0 : (whole.match(odd)?.length ?? 0) / whole.length;
}

function asciiShare(text: string): number {
  const start = text.slice(0, sample);
  return start === '' ? 0 : (start.match(/[\t\n\r -~]/g)?.length ?? 0) / start.length;
}

/** Whether too many bytes are control characters in each encoding that has ASCII. */
function hasControls(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, sample);
  const controls = start.filter((byte) => byte < 8 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return controls > start.length * mostOdd;
}
