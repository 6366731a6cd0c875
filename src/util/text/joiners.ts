const zeroWidthNonJoiner = '\u200c';
const zeroWidthJoiner = '\u200d';
const emojiSelector = '\ufe0f';

const pictured = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
/** The flags of England, Scotland and Wales: the only flags of tag characters that fonts show. */
const taggedFlags = ['gbeng', 'gbsct', 'gbwls'].map(
  (region) =>
    `\u{1f3f4}${[...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`,
);
const maxFlagLength = Math.max(...taggedFlags.map(({ length }) => length));

/** Signs that join the letters around them, in the scripts of India and its neighbors. */
const virama = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca]/;
const indic = '[\\p{L}\\p{M}]';
const endsWithVirama = new RegExp(`${indic}${virama.source}$`, 'u');
const bengaliRa = /[\u09b0\u09f0]$/;
/** A letter that joins the next one, with its marks. Letters such as \u0627 and \u0631 do not, so a joiner has no effect. */
const joinsNext =
  /(?![\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0621\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef])\p{Script=Arabic}\p{Mn}*$/u;
const arabicLetter = /^\p{Mn}*(?=\p{L})\p{Script=Arabic}/u;

/**
 * Whether a character without width changes what a reader sees, because of the text around it: a joiner or a selector in an
 * emoji, a tag in a flag, and a joiner of Persian, Hindi and related languages if it changes the form of letters (UAX 31,
 * rules A1, A2 and B). `each` is the character at the offset.
 */
export function isSeenInContext(text: string, at: number, each: string): boolean {
  if (each === emojiSelector) return /[\p{Extended_Pictographic}\d#*]$/u.test(before(text, at, 2));
  if (each === zeroWidthJoiner) return isInEmoji(text, at) || isAfterVirama(text, at) || isBengaliRa(text, at);
  if (each === zeroWidthNonJoiner) {
    const next = text.slice(at + 1, at + 4);
    return (
      (isAfterVirama(text, at) && /^\p{L}/u.test(next)) ||
      (joinsNext.test(before(text, at, 4)) && arabicLetter.test(next))
    );
  }
  return isInTaggedFlag(text, at, each);
}

function isInEmoji(text: string, at: number): boolean {
  const last = [...before(text, at, 2)].at(-1) ?? '';
  return pictured.test(last) && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3));
}

function isAfterVirama(text: string, at: number): boolean {
  return endsWithVirama.test(before(text, at, 3));
}

/** Whether the joiner is between Bengali ra and the virama, so that ra stays a letter before ya. */
function isBengaliRa(text: string, at: number): boolean {
  return bengaliRa.test(before(text, at, 1)) && text[at + 1] === '\u09cd';
}

function isInTaggedFlag(text: string, at: number, each: string): boolean {
  const code = each.codePointAt(0) ?? 0;
  if (code < 0xe0000 || code > 0xe007f) return false;
  const from = Math.max(0, at - maxFlagLength);
  const around = text.slice(from, at + maxFlagLength);
  return taggedFlags.some((flag) => {
    const start = around.lastIndexOf(flag, at - from);
    return start !== -1 && start + flag.length > at - from;
  });
}

function before(text: string, at: number, length: number): string {
  return text.slice(Math.max(0, at - length), at);
}
