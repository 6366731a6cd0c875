import { isSeenInContext } from '../../util/text/joiners.ts';

/** A character in code that a reader sees differently than the compiler, or a reference that a reader may overlook. */
export interface HiddenText {
  /** The line number, counted from 0. */
  readonly line: number;
  readonly character: number;
  /** The length in UTF-16 units. */
  readonly length: number;
  readonly kind: 'control' | 'bidirectional' | 'invisible' | 'tag' | 'remote-schema';
  /** The code point, such as `U+202E`, or the address of a schema. */
  readonly what: string;
}

/** The maximum number of findings; more would add no information. */
const maxFindings = 500;

type Kind = Exclude<HiddenText['kind'], 'remote-schema'>;

/**
 * Ranges of code points that are hidden, each with its specific kind. Every other format character, and every one that fonts do
 * not render, is treated as invisible, unless its context makes it visible.
 */
const hidden: readonly (readonly [first: number, last: number, kind: Kind])[] = [
  // C0 and C1 except tab, and the separators that only some readers treat as line breaks.
  [0x00, 0x08, 'control'],
  [0x0a, 0x1f, 'control'],
  [0x7f, 0x9f, 'control'],
  [0x2028, 0x2029, 'control'],
  // Lone surrogates.
  [0xd800, 0xdfff, 'control'],
  // Characters that reorder text on the screen, but not for the compiler (Trojan Source, CVE-2021-42574).
  [0x061c, 0x061c, 'bidirectional'],
  [0x200e, 0x200f, 'bidirectional'],
  [0x202a, 0x202e, 'bidirectional'],
  [0x2066, 0x2069, 'bidirectional'],
  // Tag characters and the variation selectors beyond emoji: they can carry whole messages invisibly.
  [0xe0000, 0xe007f, 'tag'],
  [0xe0100, 0xe01ef, 'tag'],
  // Joiners, selectors, and fillers that look like spaces.
  [0x034f, 0x034f, 'invisible'],
  [0x115f, 0x1160, 'invisible'],
  [0x17b4, 0x17b5, 'invisible'],
  [0x180b, 0x180f, 'invisible'],
  [0x2065, 0x2065, 'invisible'],
  [0x2800, 0x2800, 'invisible'],
  [0x3164, 0x3164, 'invisible'],
  [0xfe00, 0xfe0f, 'invisible'],
  [0xffa0, 0xffa0, 'invisible'],
];

const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

function kindOf(each: string): Kind | undefined {
  const code = each.codePointAt(0) ?? 0;
  return (
    hidden.find(([first, last]) => first <= code && code <= last)?.[2] ?? (unseen.test(each) ? 'invisible' : undefined)
  );
}

const classOfHidden = hidden.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('');
const anyHidden = new RegExp(`[\\p{Cf}\\p{Default_Ignorable_Code_Point}${classOfHidden}]`, 'gu');

/** Hidden characters in some lines; `from` is the number of the first line. */
export function hiddenCharacters(lines: readonly string[], from = 0): readonly HiddenText[] {
  const found: HiddenText[] = [];
  for (const [index, text] of lines.entries()) {
    for (const { 0: each, index: character } of text.matchAll(anyHidden)) {
      const kind = isSeenInContext(text, character, each) ? undefined : kindOf(each);
      if (kind === undefined) continue;
      found.push({ line: from + index, character, length: each.length, kind, what: codePoint(each) });
      if (found.length >= maxFindings) return found;
    }
  }
  return found;
}

/** The text with each hidden character as `[U+202E]`, line breaks included. */
export function withHiddenShown(text: string): string {
  return text.replace(anyHidden, (each: string, at: number) =>
    isSeenInContext(text, at, each) ? each : `[${codePoint(each)}]`,
  );
}

function codePoint(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A key as long as `$schema` with each character escaped, and the beginning of its value. */
const stringPair = /"((?:[^"\\]|\\.){1,48})"\s{0,1000}:\s{0,1000}"((?:[^"\\]|\\.){0,2000})"?/g;

/**
 * Finds remote schemas in JSON: an editor requests their addresses repeatedly, and so reveals which files are open.
 * Keys and addresses may be written with escapes. `from` and `to` are the lines of the text that count.
 */
export function remoteSchemas(lines: readonly string[], from = 0, to = lines.length): readonly HiddenText[] {
  const found: HiddenText[] = [];
  // The value may be on a different line than its key.
  const text = lines.join('\n');
  let line = 0;
  let lineStart = 0;
  for (const match of text.matchAll(stringPair)) {
    const [whole, key = '', value = ''] = match;
    const address = unescaped(value);
    if (unescaped(key) !== '$schema' || !/^\s*([a-z][a-z0-9+.-]*:)?\/\//i.test(address)) continue;
    for (
      let next = text.indexOf('\n', lineStart);
      next !== -1 && next < match.index;
      next = text.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = next + 1;
    }
    const last = line + (whole.match(/\n/g)?.length ?? 0);
    if (last < from || line >= to) continue;
    const length = whole.split('\n')[0]?.length ?? 0;
    found.push({
      line,
      character: match.index - lineStart,
      length,
      kind: 'remote-schema',
      what: address.trim().slice(0, 200),
    });
    if (found.length >= maxFindings) break;
  }
  return found;
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
