import { Excerpt } from './excerpt.ts';
import { matcher, windowEnds } from './matches.ts';

/** Homoglyphs: letters of other scripts that look like Latin letters, each followed by the Latin letter. */
const homoglyphs =
  'аaАAвbВBсcСCԁdеeЕEһhНHіiІIјjЈJкkКKмmМMнhоoОOрpРPԛqѕsЅSтtТTԝwԜWхxХXуyУYҮYѵvгrαaΑAΒBεeΕEΗHιiΙIκkΚKΜMνvΝNοoΟOρpΡPτtΤTυuχxΧXγyΥYΖZıiɑaɡgſs';

const latin = new Map<string, string>(
  [...homoglyphs.matchAll(/(.)(.)/gu)].map(([, other = '', latinLetter = '']) => [other, latinLetter]),
);
const letters = [...latin.keys()].join('');

/** Full-width forms of ASCII characters. */
const wide = '\\uff01-\\uff5e';

/** Characters without a width, and characters that set the direction of the text. */
const invisible =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb';

/** A control sequence of a terminal (a color, a link, a cleared line): raw, or escaped as in source code and JSON. */
const control =
  '(?:(?:\\x1b|\\\\{1,4}(?:u001[bB]|x1[bB]|033|e))\\[|\\x9b)[\\d;:?]{0,32}[@-~]|\\x1b\\][^\\x07\\x1b\\x9c\\r\\n]{0,512}(?:\\x07|\\x1b\\\\|\\x9c)';

/** A line continuation within a word: `\` in a shell command, `=` in quoted-printable mail. */
const broken = '[\\\\=](?<=[\\w+/.-].)\\r?\\n(?=[\\w+/.-])';

/** Emphasis within a word, as in the results of a search, and a possible line break (`<wbr>`). */
const emphasis = '<(?<=[\\w+/.-]<)/?(?:wbr|b|i|u|em|mark|strong) ?/?>(?=[\\w+/.-])';

/** A letter, a digit, `-` or `_`, written as a Unicode escape or as an HTML character reference. */
const numbered =
  '\\\\{1,4}u00(?<unit>2[dD]|3\\d|[46][1-9a-fA-F]|5[\\daAfF]|7[\\daA])|&#(?:x(?<hex>2[dD]|3\\d|[46][1-9a-fA-F]|5[\\daAfF]|7[\\daA])|0?(?<decimal>45|4[89]|5[0-7]|6[5-9]|[78]\\d|90|95|9[7-9]|1[01]\\d|12[0-2]));';

/**
 * Patterns of text that is not what it looks like. A homoglyph matches only next to a Latin letter, unless the letter is rare.
 * The class [^\0-\x7f] comes first, because it rejects ASCII with one comparison.
 */
const deceptive = [
  new RegExp(`[^\\0-\\x7f](?:(?<=[${wide}${invisible}ԁһԛѕԝԜѵ\\udb40])|(?<=[${letters}])(?:\\w|(?<=\\w.)))`),
  new RegExp(`${control}|${broken}|${emphasis}|${numbered}`),
];
const replaced = new RegExp(`[${letters}${wide}]`, 'g');
/** The text to remove. Tag characters are invisible, too: the first half of their surrogate pairs is always the same. */
const removed = new RegExp(
  `${control}|${broken}|${emphasis}|${numbered}|[${invisible}]+|\\udb40[\\udc00-\\udfff]`,
  'g',
);

/**
 * The text as a reader sees it: without colors, emphasis, invisible characters, character codes and broken lines, with Latin
 * letters in place of homoglyphs. Returns null if that is the text itself. Yields null where the search may
 * pause.
 */
export function* plainTextOf(text: string): Generator<null, Excerpt | null> {
  if (!(yield* isDeceptive(text))) return null;
  const plain = new Excerpt();
  const matches = matcher(text, removed);
  let at = 0;
  for (const to of windowEnds(text)) {
    for (const { 0: found, index, groups = {} } of matches(to)) {
      plain.add(latinOf(text.slice(at, index)), at);
      at = index + found.length;
      plain.add(characterOf(groups), index, found.length);
    }
    if (at < to) plain.add(latinOf(text.slice(at, to)), at);
    at = Math.max(at, to);
    yield null;
  }
  return plain;
}

/** The character of a code; '' if there is no code. */
function characterOf({ unit, hex = unit, decimal }: Readonly<Record<string, string | undefined>>): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return Number.isNaN(code) ? '' : String.fromCharCode(code);
}

function* isDeceptive(text: string): Generator<null, boolean> {
  let from = 0;
  for (const to of windowEnds(text)) {
    // A match may begin in one window and end in the next one.
    const view = text.slice(from, to + maxMatchLength);
    if (deceptive.some((pattern) => pattern.test(view))) return true;
    from = to;
    yield null;
  }
  return false;
}

/** The maximum number of characters of a match. */
const maxMatchLength = 600;

/** Replaces homoglyphs and full-width forms with Latin letters. The length stays the same. */
function latinOf(text: string): string {
  return text.replace(replaced, (one) => latin.get(one) ?? String.fromCharCode(one.charCodeAt(0) - 0xfee0));
}
