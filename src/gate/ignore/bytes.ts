/**
 * Git compares names byte by byte, so `?` matches one byte, not one character. A byte string has one character per byte,
 * with its value: patterns have git's meaning only in such strings.
 */
export function bytesOf(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Decodes a byte string; invalid UTF-8 becomes the replacement character. */
export function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Folds the case of ASCII only, as git does: `É` and `é` are different letters on every system. */
export function foldBytes(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function isUpper(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

export function isLower(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

export function toLower(byte: number): number {
  return isUpper(byte) ? byte + 0x20 : byte;
}

export function toUpper(byte: number): number {
  return isLower(byte) ? byte - 0x20 : byte;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isAlpha = (byte: number): boolean => isUpper(byte) || isLower(byte);
const isGraph = (byte: number): boolean => byte > 0x20 && byte < 0x7f;

/** The classes of `[[:name:]]`. Git's white space has no vertical tab and no form feed. */
const classes: Readonly<Record<string, (byte: number) => boolean>> = {
  alnum: (byte) => isAlpha(byte) || isDigit(byte),
  alpha: isAlpha,
  blank: (byte) => byte === 0x20 || byte === 0x09,
  cntrl: (byte) => byte < 0x20 || byte === 0x7f,
  digit: isDigit,
  graph: isGraph,
  lower: isLower,
  print: (byte) => isGraph(byte) || byte === 0x20,
  punct: (byte) => isGraph(byte) && !isAlpha(byte) && !isDigit(byte),
  space: (byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d,
  upper: isUpper,
  xdigit: (byte) => isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66),
};

/** Whether a byte is in a class; null for a class that git does not know. */
export function hasClass(name: string, byte: number, ignoresCase: boolean): boolean | null {
  const is = Object.hasOwn(classes, name) ? classes[name] : undefined;
  if (is === undefined) return null;
  return is(byte) || (name === 'upper' && ignoresCase && isLower(byte));
}
