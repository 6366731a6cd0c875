/** What the search for excluded files computes, as plainly as it can be written: one character and one string at a time. */
export interface Plain {
  readonly units: string;
  readonly at: readonly number[];
  readonly words: readonly number[];
  readonly prefixes: readonly number[];
}

const letter = /[A-Za-z0-9\u0370-\u1fff\u2c00-\u2fff\u3040-\ufdff\ufe70-\ufeff\uff10-\uffef]/;
const escapes = [
  /\\+(?:(?<line>[nr])|u(?<u>[\dA-Fa-f]{4})|x(?<x>[\dA-Fa-f]{2})|(?:e|033)\[[\d;?]{0,19}[A-Za-z]|[tbfv0])?/y,
  /%(?:25)*(?<x>[\dA-Fa-f]{2})?/y,
  /&(?:amp;)*(?:quot;|lt;|gt;|apos;|nbsp;|#x(?<x>[\dA-Fa-f]{1,6});|#(?<decimal>\d{1,6});)?/y,
];

const terminalEscape = String.fromCharCode(27);
const color = /(?:\[[\d;?]{0,19}[A-Za-z])?/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function escapeAt(
  text: string,
  at: number,
): { readonly 0: string; readonly groups?: Record<string, string> | undefined } | undefined {
  if (text[at] === terminalEscape) return { 0: terminalEscape + (matchAt(color, text, at + 1)?.[0] ?? '') };
  return escapes.map((pattern) => matchAt(pattern, text, at)).find((match) => match !== null);
}

/** What normalize() returns. */
export function plainly(text: string, isPart: boolean): Plain {
  let units = '';
  const at: number[] = [];
  const words: number[] = [];
  const prefixes: number[] = [];
  let prefixEnd = 0;
  let isStart = !isPart;
  let isInWord = false;
  const put = (character: string, place: number): void => {
    if (!isInWord) words.push(at.length);
    units += character;
    at.push(place);
  };
  for (let from = 0; from < text.length; ) {
    if (isStart) {
      const parts = from < prefixEnd ? [] : prefixParts(text, from);
      const [first, last] = [parts[0], parts.at(-1)];
      if (first !== undefined && last !== undefined) {
        const number = /^\D.*?(?<number>:\d+|-\d+-)$/s.exec(text.slice(first.start, first.end))?.groups?.number;
        const path = number === undefined ? first.end : first.end - number.length + 1;
        prefixes.push(at.length, path, first.end, last.end);
        prefixEnd = last.end;
      }
      isStart = false;
      isInWord = false;
    }
    const character = text[from] ?? '';
    const escaped = escapeAt(text, from);
    if (escaped !== undefined) {
      const { line, u, x, decimal } = escaped.groups ?? {};
      const code = line === undefined ? Number.parseInt(u ?? x ?? decimal ?? '0', decimal === undefined ? 16 : 10) : 10;
      const decoded = code < 128 ? String.fromCharCode(code) : '';
      if (/[A-Za-z0-9]/.test(decoded)) put(decoded.toLowerCase(), from);
      isStart = /[\r\n]/.test(decoded);
      isInWord = false;
      from += escaped[0].length;
      const isColor = decoded === terminalEscape && escaped[0].startsWith('\\');
      if (isColor) from += matchAt(color, text, from)?.[0].length ?? 0;
      continue;
    }
    const isLetter = letter.test(character);
    if (isLetter) put(/[A-Z]/.test(character) ? character.toLowerCase() : character, from);
    isInWord = isLetter;
    isStart = /[\r\n]/.test(character);
    from += 1;
  }
  return { units, at, words, prefixes };
}

function prefixParts(text: string, from: number): readonly { readonly start: number; readonly end: number }[] {
  const parts: { start: number; end: number }[] = [];
  for (let at = from; parts.length < 4; ) {
    while (at < text.length && isDropped(text[at] ?? '')) at += 1;
    const number = matchAt(/\d{1,7}(?![A-Za-z0-9])/y, text, at);
    const end = number === null ? afterPath(text, at) : at + number[0].length;
    if (end === at) break;
    parts.push({ start: at, end });
    at = end;
  }
  return parts;
}

function isDropped(character: string): boolean {
  return character < '\x80' && character !== terminalEscape && !/[A-Za-z0-9\r\n\\%&]/.test(character);
}

function afterPath(text: string, from: number): number {
  if (/\d/.test(text[from] ?? '')) return from;
  let isPath = /[./]/.test(text[from - 1] ?? '');
  for (let at = from; at < from + 200; at += 1) {
    const rest = text.slice(at);
    const numbered = /^-\d{1,7}-/.exec(rest);
    if (isPath && numbered !== null) return at + numbered[0].length;
    const colon = /^:\d{1,7}(?=[:\s-])/.exec(rest);
    if (colon !== null) return at + colon[0].length;
    if (at === from + 1 && rest.startsWith(':\\')) continue;
    if (rest.startsWith(':')) return isPath && /^:[^/\0]/.test(rest) ? at + 1 : from;
    const bar = /^ *\|/.exec(rest);
    if (bar !== null) return at > from ? at + bar[0].length : from;
    if (/^[./\\]/.test(rest)) isPath = true;
    else if (!/^[\w@~+-]/.test(rest)) return from;
  }
  return from;
}

/** Where each gram of a text is in a file: the places of the text whose 16 units are in the file. */
export function plainHits(file: string, text: string, length: number): readonly number[] {
  const grams = new Set(
    Array.from({ length: Math.max(0, file.length - length + 1) }, (_, at) => file.slice(at, at + length)),
  );
  return Array.from(text, (_, at) => at).filter(
    (at) => grams.has(text.slice(at, at + length)) && at + length <= text.length,
  );
}

/** A run without the signs that a diff adds: its first line has one more digit than a multiple of four. */
export function withoutSigns(run: string, isLineStart: boolean): string {
  const [first = '', ...others] = run.split(/ *(?:\\r\\n|\\[rn]|\r\n|[\r\n])[ \t>|#*]*/);
  const isSigned = isLineStart && others.length > 0 && /^[+-]/.test(first) && first.length % 4 === 1;
  return isSigned ? [first, ...others].map((line) => line.replace(/^[+-]/, '')).join('') : run;
}

/** A run of digits of one kind, also in lines. */
export interface PlainRun {
  readonly digits: string;
  readonly index: number;
  readonly isHex: boolean;
}

/** The runs of a text: 24 digits and more. A line of 40 digits or more goes on in the next one, if that has digits of the same kind. */
export function plainRuns(text: string): readonly PlainRun[] {
  const runs: PlainRun[] = [];
  for (let at = 0; ; ) {
    const index = text.slice(at).search(/[\w+/-]{24}/) + at;
    if (index < at) return runs;
    const isHex = /^[\da-f]{24}/i.test(text.slice(index));
    const sign = isHex ? (/(?:^|\n)([+-])$/.exec(text.slice(0, index))?.[1] ?? '') : '';
    const line = isHex ? /^[\da-f]+/i : /^(?:(?![\da-f]{24})[\w+/-])+/i;
    const next = isHex ? /^[\da-f]+(?![\w+/-])/i : line;
    at = index + (line.exec(text.slice(index))?.[0].length ?? 0);
    for (let start = index; at - start >= 40; ) {
      const lineBreak = /^ *(?:\\r\\n|\\[rn]|\r\n|[\r\n])[ \t>|#*]{0,40}/.exec(text.slice(at))?.[0] ?? '';
      start = at + lineBreak.length;
      if (lineBreak !== '' && sign !== '' && text[start] === sign) start += 1;
      const more = lineBreak === '' ? '' : (next.exec(text.slice(start))?.[0] ?? '');
      if (more === '') break;
      at = start + more.length;
    }
    if (at - index >= 24) runs.push({ digits: text.slice(index, at), index, isHex });
  }
}

/** The text that the digits of a run stand for; null if it is none. */
export function plainDecoded(run: string, isHex: boolean): string | null {
  const digits = run.replace(/\\[rn]/g, '').replace(isHex ? /[^\da-f]/gi : /[^\w+/-]/g, '');
  const [probe, group] = isHex ? [96, 2] : [64, 4];
  const decode = (from: number, to?: number): string => {
    const part = digits.slice(from, to);
    return Buffer.from(part, isHex ? 'hex' : 'base64').toString('latin1');
  };
  for (let at = 0; at < digits.length; at += 1) {
    const isInGroup = at % 128 < group && (at < group || at - (at % 128) + probe <= digits.length);
    const isPart = at < 128 && at + 24 <= digits.length && /[+/_-][A-Za-f]/.test(digits.slice(at - 1, at + 1));
    const isPlace = isInGroup || (isPart && !isHex && at >= group);
    if (isPlace && isText(decode(at, at + probe))) return decode(at < 128 ? at : at - 128);
  }
  return null;
}

function isText(text: string): boolean {
  return (text.match(/[^\0\t-\r -~]/g)?.length ?? 0) * 10 <= text.length;
}
