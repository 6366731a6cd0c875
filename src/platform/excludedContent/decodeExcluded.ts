import * as vscode from 'vscode';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { decode, likelyEncodings, oddCharacter } from './likelyEncodings.ts';

/** The text of a file, in each encoding that it may be in. */
export interface Readings {
  readonly texts: readonly string[];
  /** Whether parts of the file are in different encodings, so that each of the texts is needed. */
  readonly areAllNeeded?: boolean;
}

const utf16 = ['utf-16le', 'utf-16be'];
/** The maximum number of readings of a file that is not in Unicode. */
const maxReadings = 12;

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
    const text = decode(evenPart(bytes), utf16[marked] ?? '');
    return text === null || oddShare(text) > maxOddShare ? 'undecodable' : wideReadings(text, bytes);
  }
  const text = decode(bytes, 'utf-8');
  if (isPauseDue()) await pause();
  const isText = !hasControls(bytes);
  const hasNuls = bytes.subarray(0, sample).includes(0);
  const wide = hasNuls ? unmarked(bytes) : null;
  if (isPauseDue()) await pause();
  // In ASCII with NULs, some pairs of letters look like a letter in UTF-16, and others like ASCII.
  if (text !== null && isText && (wide === null || wide.share <= 0.8)) {
    const japanese = text.includes('\u001b$') ? decode(bytes, 'iso-2022-jp') : null;
    const plain = await separated(text);
    return { texts: japanese === null ? [plain] : [plain, japanese] };
  }
  if (wide !== null) return wideReadings(wide.text, bytes);
  if (text !== null || !isText) return 'binary';
  const readings = await otherReadings(bytes, uri);
  return readings === 'undecodable' && hasNuls ? 'binary' : readings;
}

/** Returns the likely number of readings of a file, by its first bytes: 0 if it is certainly not text. */
export function readingsAtStart(bytes: Uint8Array): number {
  // The start may end in the middle of a character.
  const start = separatedPart(new TextDecoder().decode(bytes, { stream: true }));
  const isText = oddShare(start) <= maxOddShare && !hasControls(bytes);
  if (bytes.includes(0)) return isText || unmarked(bytes) !== null ? 1 : 0;
  if (!start.includes('\ufffd')) return 1;
  return 1 + [...likelyEncodings(bytes)].filter((encoding) => encoding !== null).length;
}

function evenPart(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - (bytes.length % 2));
}

/** The text of bytes in UTF-16, and the share of ASCII in it. */
interface Wide {
  readonly text: string;
  readonly share: number;
}

/** Decodes UTF-16 without a byte order mark. In the right byte order, a text has line feeds or spaces. */
function unmarked(bytes: Uint8Array): Wide | null {
  const [best = null] = utf16
    .map((encoding) => decode(evenPart(bytes), encoding))
    .filter((text): text is string => text !== null && oddShare(text) <= 0.002)
    .map((text) => ({ text, share: asciiShare(text) }))
    .filter(({ share }) => share > 0.005)
    .sort((a, b) => b.share - a.share);
  return best;
}

/** The readings of a file in UTF-16. A program may have appended text in ASCII, which looks like other letters in UTF-16. */
async function wideReadings(text: string, bytes: Uint8Array): Promise<Readings> {
  const narrow = new TextDecoder().decode(bytes);
  if (!/[\t\n\r -~]{20}/.test(narrow)) return { texts: [text] };
  return { texts: [text, await separated(narrow)], areAllNeeded: true };
}

/** A text in which NULs end lines, as in `/proc/self/environ`, unless they belong to letters in UTF-16 or UTF-32. */
function separatedPart(text: string): string {
  return text.replace(/(?<=\0[^\0])\0+(?=[^\0]\0)/g, '').replace(/\0+/g, '\n');
}

async function separated(text: string): Promise<string> {
  if (!text.includes('\0')) return text;
  let all = '';
  for (let from = 0; from < text.length; from += sample) {
    if (isPauseDue()) await pause();
    all += separatedPart(text.slice(from, from + sample));
  }
  return all;
}

async function otherReadings(bytes: Uint8Array, uri: vscode.Uri): Promise<Readings | 'undecodable'> {
  // VS Code decodes the file with the encoding that the settings or its own detection give.
  const asSet = await Promise.resolve(vscode.workspace.decode(bytes, { uri })).then(undefined, () => null);
  const set = asSet === null ? null : await separated(asSet);
  const texts = new Set(set === null || oddShare(set) > 0 ? [] : [set]);
  for (const encoding of hasBlanks(bytes) ? likelyEncodings(bytes) : []) {
    if (isPauseDue()) await pause();
    const text = encoding === null || texts.size === maxReadings ? null : decode(bytes, encoding);
    if (text !== null) texts.add(await separated(text));
  }
  if (texts.size === 0) return 'undecodable';
  // The text is also decoded as UTF-8, which is how a terminal shows it.
  return { texts: [...texts, await separated(new TextDecoder().decode(bytes))] };
}

/** Whether a file contains white space of ASCII, which has other byte values in EBCDIC. */
function hasBlanks(bytes: Uint8Array): boolean {
  return bytes.length < 200 || [9, 10, 32].some((blank) => bytes.includes(blank));
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

/** Whether too many bytes are control characters in each encoding that has ASCII. NULs may separate texts: they do not count. */
function hasControls(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, sample).filter((byte) => byte !== 0);
  const controls = start.filter((byte) => byte < 8 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return controls > start.length * maxOddShare || (start.length === 0 && bytes.length > 0);
}
