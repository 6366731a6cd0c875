/** What an error says about a request that has more text than the model reads. */
export interface ContextLimit {
  /** The most tokens that the model reads, if the error names them. */
  readonly tokens: number | undefined;
}

/** The facts of an error's body that tell such a request from others. */
interface ErrorFacts {
  /** Of the response, or of the error inside a 200 response; undefined if that has none. */
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly message: string;
  /** llama.cpp sends the number in a field of its own. */
  readonly size: number | null | undefined;
}

/** The codes that services use, without case and punctuation. */
const codes = new Set([
  'contextlengthexceeded',
  'contextwindowexceeded',
  'contextwindowexceedederror',
  'exceedcontextsizeerror',
  'modelmaxprompttokensexceeded',
  'tokenslimitreached',
  'prompttoolong',
  'inputtoolong',
]);

/** Services without a code say it in words, each with its own. */
const words: readonly RegExp[] = [
  /\bmaximum (?:context|prompt|input|sequence) length\b/i,
  /ContextWindowExceeded/,
  /\b(?:prompt|inputs?|messages|conversation|context)(?: \w+)? (?:is|are|was|were) too (?:long|large)\b/i,
  /\btoo many (?:input |prompt )?tokens\b/i,
  /\breduce (?:the (?:length|size) of )?(?:the|your) (?:messages|prompt|inputs?|conversation)\b/i,
  /\b(?:tokens|token (?:count|limit))\b[^.]{0,60}\bexceed/i,
  /\bexceed(?:s|ed|ing)?\b[^.]{0,60}\b(?:tokens|token (?:count|limit))\b/i,
  /\binputs?\W{1,3}tokens \+ \W?max_new_tokens\W{1,3}must be\b/i,
  /\binputs?\W{1,3}must have (?:less|fewer) than \d+ tokens\b/i,
  /\binput length \d+ exceeds\b/i,
  /\brange of input length should be\b/i,
];
/** Both have to be there. */
const context = /\bcontext[ _-]?(?:length|window|size|limit)\b/i;
const tooMuch = /\bexceed|\boverflow|\b(?:longer|larger|greater) than\b|\btoo (?:long|large|big|many)\b|\breduce\b/i;

/** Limits of another kind: how much in a time, and how long an answer may be. */
const rateLimits = /\brate[ _-]?limit|\bper[ _-](?:second|minute|hour|day|month)\b|\bTPM\b|\bquota\b/i;
const answerLimits = /\b(?:output|completion) tokens\b/i;

const number = String.raw`(\d[\d,]*)(?!\d)`;
/** Where a message names the limit; the first of them that matches counts. */
const places: readonly RegExp[] = [
  new RegExp(`> ?${number}`, 'g'),
  new RegExp(String.raw`${number}(?:[ -]tokens?)? (?:maximum\b|context (?:length|window|size|limit)\b)`, 'gi'),
  new RegExp(
    String.raw`\b(?:${[
      'context (?:length|window|size)',
      'maximum (?:prompt|input|allowed) length',
      'maximum number of (?:input )?tokens',
      'max(?:imum)? size',
      'at most',
      'must be <=',
      '(?:cannot|must not) exceed',
      '(?:less|fewer) than',
      'input length should be \\[\\d+,',
      'limit(?= ?[:=]| of\\b| is\\b)',
    ].join('|')})(?:(?!exceed)[^\d.]){0,32}${number}`,
    'gi',
  ),
];

/** The end of a message repeats it, and may be endless. */
const maxLength = 8192;
const smallest = 512;
const largest = 16_777_216;

/**
 * Recognizes that a request is longer than the model reads; null for every other error. Services have no common form for
 * it. A code is enough; words count only with the statuses of a refused request.
 */
export function contextLimitOf({ status, codes: given, message, size }: ErrorFacts): ContextLimit | null {
  if (status === 429) return null;
  const text = message.slice(0, maxLength);
  const isCode = given.some((code) => codes.has(code.toLowerCase().replaceAll(/[^a-z]/g, '')));
  const mayBeWords = status === undefined || status === 400 || status === 413 || status === 422;
  if (!isCode && !(mayBeWords && saysTooLong(text))) return null;
  return { tokens: [size ?? 0].find(isPlausible) ?? tokensIn(text) };
}

function saysTooLong(text: string): boolean {
  if (rateLimits.test(text)) return false;
  if (context.test(text)) return tooMuch.test(text) || words.some((each) => each.test(text));
  return !answerLimits.test(text) && words.some((each) => each.test(text));
}

function tokensIn(text: string): number | undefined {
  const named = places.flatMap((place) => [...text.matchAll(place)].map(([, digits = '']) => digits));
  return named.map((digits) => Number(digits.replaceAll(',', ''))).find(isPlausible);
}

function isPlausible(tokens: number): boolean {
  return Number.isInteger(tokens) && tokens >= smallest && tokens <= largest;
}
