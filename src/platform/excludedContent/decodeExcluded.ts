import * as vscode from 'vscode';

/** The text of a file, in each encoding that it may be in. */
export interface Readings {
  readonly texts: readonly string[];
}

const utf16 = ['utf-16le', 'utf-16be'];
/** The encodings other than Unicode that are tried, the most frequent first. */
const legacy = [
  ...['windows-1252', 'windows-1251', 'windows-1250', 'shift_jis', 'gb18030', 'euc-kr', 'big5', 'euc-jp'],
  ...['windows-1253', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1254', 'koi8-r', 'ibm866'],
  ...['windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-5', 'macintosh', 'x-mac-cyrillic'],
];
const maxReadings = 12;

/** Characters that a text rarely has: control characters other than white space, backspace and the escape of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const oddCharacter = /[^\P{Cc}\b\t\n\f\r\v\u001b]|[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;
/** The maximum share of odd characters in a text: a NUL in a log does not make it binary. */
const maxOddShare = 0.02;
/** The length of the start of a file that is examined, which is enough to recognize text. */
const sample = 64 * 1024;

/**
 * Decodes an excluded file. A file that is not in Unicode has several readings, because nothing in it indicates its
 * encoding, and the content that is sent may have been read in any of them. `undecodable`: a text in none of the known
 * encodings.
 */
export async function decodeExcluded(bytes: Uint8Array, uri: vscode.Uri): Promise<Readings | 'binary' | 'undecodable'> {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 0 : first === 0xfe && second === 0xff ? 1 : -1;
  if (marked !== -1) {
    const text = decode(bytes, utf16[marked] ?? '');
    return text === null || oddShare(text) > maxOddShare ? 'undecodable' : { texts: [text] };
  }
  const text = decode(bytes, 'utf-8');
  if (text !== null && oddShare(text) <= maxOddShare) {
    const japanese = text.includes('\u001b$') ? decode(bytes, 'iso-2022-jp') : null;
    return { texts: japanese === null ? [text] : [text, japanese] };
  }
  if (bytes.subarray(0, sample).includes(0)) return unmarked(bytes);
  return text !== null || hasControls(bytes) ? 'binary' : otherReadings(bytes, uri);
}

/** Whether a file is certainly not text, by its first bytes. */
export function isBinaryStart(bytes: Uint8Array): boolean {
  // The start may end in the middle of a character.
  const start = new TextDecoder().decode(bytes, { stream: true });
  return bytes.includes(0) && oddShare(start) > maxOddShare && unmarked(bytes) === 'binary';
}

/** Decodes UTF-16 without a byte order mark. In the right byte order, a text has line feeds or spaces. */
function unmarked(bytes: Uint8Array): Readings | 'binary' {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const texts = utf16
    .map((encoding) => decode(even, encoding))
    .filter((text): text is string => text !== null && oddShare(text) <= 0.002)
    .map((text) => ({ text, share: asciiShare(text) }))
    .filter(({ share }) => share > 0.005)
    .sort((a, b) => b.share - a.share)
    .map(({ text }) => text);
  return texts.length === 0 ? 'binary' : { texts: texts.slice(0, 1) };
}

async function otherReadings(bytes: Uint8Array, uri: vscode.Uri): Promise<Readings | 'undecodable'> {
  // VS Code decodes the file with the encoding that the settings or its own detection give.
  const asSet = await Promise.resolve(vscode.workspace.decode(bytes, { uri })).then(undefined, () => null);
  const set = asSet === null || oddShare(asSet) > 0 ? [] : [asSet];
  const guessed = (hasBlanks(bytes) ? legacy : [])
    .map((encoding) => decode(bytes, encoding))
    .filter((text) => text !== null && isLikely(text));
  const texts = new Set([...set, ...guessed].filter((text) => text !== null));
  if (texts.size === 0) return 'undecodable';
  // The text is also decoded as UTF-8, which is how a terminal shows it.
  return { texts: [...[...texts].slice(0, maxReadings), new TextDecoder().decode(bytes)] };
}

/** Whether a file contains white space of ASCII, which has other byte values in EBCDIC. */
function hasBlanks(bytes: Uint8Array): boolean {
  return bytes.length < 200 || [9, 10, 32].some((blank) => bytes.includes(blank));
}

/** Returns null if the bytes are not valid in the encoding, or if this runtime does not support it. */
function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isLikely(text: string): boolean {
  const start = text.slice(0, sample);
  const nonAscii = start.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  const letters = start.match(/[^\P{L}\p{ASCII}]/gu)?.length ?? 0;
  return oddShare(start) === 0 && letters * 2 >= nonAscii;
}

function oddShare(text: string): number {
  const start = text.slice(0, sample);
  // The start may end in the middle of a character.
  const whole = text.length > sample ? start.replace(/[\ud800-\udbff]$/, '') : start;
  return whole === '' ? 0 : (whole.match(oddCharacter)?.length ?? 0) / whole.length;
}

function asciiShare(text: string): number {
  const start = text.slice(0, sample);
  return start === '' ? 0 : (start.match(/[\t\n\r -~]/g)?.length ?? 0) / start.length;
}

/** Whether too many bytes are control characters in each encoding that has ASCII. */
function hasControls(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, sample);
  const controls = start.filter((byte) => byte < 8 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return controls > start.length * maxOddShare;
}
