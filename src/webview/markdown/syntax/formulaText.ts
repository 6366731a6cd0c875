/** The opening delimiter of a formula in Markdown. */
export type Opener = '$' | '$$' | '\\(' | '\\[';

/** The maximum number of characters of a formula; a longer one stays text. */
export const formulaLimit = 8 * 1024;

/** TeX that prose, prices and shell variables do not have: a command, an exponent, an index in braces. */
const tex = /\\[A-Za-z,;:!{}|\\]|\^|_\{|\}_/;

/** Words that connect other words in a sentence, and are not runs of letters that a formula would have. */
const commonWord =
  /(?<![\p{L}\p{N}_])(?:an|and|are|as|at|be|but|by|can|for|has|if|in|is|it|its|not|of|on|or|per|the|to|vs|was|we|with|you|der|die|das|ein|et|le|la|les|ou|oder|und|el|los)(?![\p{L}\p{N}_])/giu;

/** A run of letters; in a formula, it would be a product of four or more variables. */
const longWord = /[A-Za-z]*[a-z][A-Za-z]*/g;

/** Words in a script that formulas do not use. Greek letters are ordinary in formulas. */
const foreignWord =
  /(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Cyrillic}|\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Thai}|\p{Script=Devanagari}){2,}/u;

/** Words that a formula marks as text, and its commands: neither shows that the text is prose. */
const written = /\\(?:text|mathrm|operatorname|mbox)[a-z]*\*?\s*\{[^{}]*\}|\\(?:begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+/g;

/** Whether a text has TeX that does not occur in other text. */
export function hasTex(text: string): boolean {
  return tex.test(text);
}

/**
 * Whether the text between an opener and its end is a formula. A parser may mistake the text between two prices or shell
 * variables for a formula, because of the dollar signs; brackets with a backslash are also Markdown for brackets.
 */
export function isFormula(content: string, opener: Opener): boolean {
  const text = content.trim();
  if (!/[\p{L}\p{N}]/u.test(text) || text.length > formulaLimit) return false;
  if (hasTex(text)) return !(opener === '$' && isSentence(text.replace(written, ' ')));
  switch (opener) {
    case '$':
      return !text.startsWith('{') && !isWordy(text);
    case '$$':
      return !isWordy(text);
    case '\\(':
      return /[0-9=+*/<>|_&(-]/.test(text) ? !isWordy(text) : !isWordy(text) && !/[a-z]{3,}/.test(text);
    case '\\[':
      return /[=+<>_&(]/.test(text) && !isWordy(text);
  }
}

/** Whether text without TeX has words. */
function isWordy(text: string): boolean {
  const words = text.match(longWord) ?? [];
  if (words.some((word) => word.length > 3)) return true;
  if (text.search(commonWord) !== -1 && /\s/.test(text)) return true;
  return foreignWord.test(text) && !text.includes('=');
}

/** Whether text has so many words that its TeX does not indicate a formula: `5 in C:\temp and 10`. */
function isSentence(text: string): boolean {
  return new Set(text.toLowerCase().match(commonWord)).size > 1;
}
