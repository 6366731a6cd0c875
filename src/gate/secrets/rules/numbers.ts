import { matcher, windowEnds } from '../matches.ts';
import { patternRule, type SecretRule } from '../span.ts';

/**
 * Escaped line breaks, encoded characters and terminal colors end in a letter or digit, and still end the previous word. A dash
 * or dot does not end it, encoded or not.
 */
const escapes = String.raw`(?:\\[bfnrtBFNRT]|(?:\\[uU]00|\\[xX]|%)(?!2[DEde])[0-9a-fA-F]{2}|\\[uU](?!00)[0-9a-fA-F]{4}|\[[\d;]{1,16}[mM])`;

/**
 * Finds numbers at the start of a word, and after an escape. These are two searches, because the digits of an escape may look
 * like part of a number: `%20` before a card.
 */
function numberRule(rule: string, number: string, accept?: (secret: string) => boolean): SecretRule {
  const inText = patternRule(rule, new RegExp(String.raw`(?<![\w.-])${number}`, 'g'), accept);
  const afterEscape = patternRule(rule, new RegExp(`${escapes}(?<secret>${number})`, 'g'), accept);
  return {
    names: [rule],
    *find(text) {
      yield* inText.find(text);
      yield* afterEscape.find(text);
    },
  };
}

/** 13 to 19 digits with common separators, not part of a longer word or number. */
const card = String.raw`(?:\d{14,19}|\d{4}(?<gap>[ -])\d{4}\k<gap>\d{4}\k<gap>\d{4}(?:\k<gap>\d{3})?|\d{4}(?<dash>[ -])\d{6}\k<dash>\d{4,5})(?![\w-]|\.\d)`;

/** The card numbers in use: ISO/IEC 7812 prefixes with their lengths. */
const issuers: readonly RegExp[] = [
  /^4\d{15}(\d{3})?$/, // Visa
  /^5[1-5]\d{14}$/, // Mastercard
  /^2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^3(0[0-5]|[689]\d)\d{11}$/, // Diners Club
  /^(6011|65\d\d|64[4-9]\d)\d{12,15}$/, // Discover
  /^35(2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^62\d{14,17}$/, // UnionPay
];

export const paymentCard: SecretRule = numberRule('payment-card', card, (text) => {
  const digits = text.replace(/\D/g, '');
  return issuers.some((issuer) => issuer.test(digits)) && hasLuhn(digits);
});

function hasLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = digit * (1 + (index % 2));
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** A social security number. Area 000, 666 and from 900 up, group 00 and serial 0000 were never issued. */
export const socialSecurityNumber: SecretRule = numberRule(
  'us-ssn',
  // A number with spaces matches only outside of a row of more numbers.
  String.raw`(?:(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)|(?<!\d )(?!000|666|9)\d{3} (?!00)\d{2} (?!0000)\d{4}(?![\w-]|\.\d| \d))`,
);

/** A social security number without dashes, which matches only if the text names it. */
export const namedSocialSecurityNumber: SecretRule = patternRule(
  'us-ssn',
  new RegExp(
    String.raw`(?=s)(?:(?<![A-Za-z])|(?<=${escapes}))(?:ssn|social[ _-]?security(?:[ _-]?(?:number|no))?)(?:\W|${escapes}){1,8}(?<secret>(?!000|666|9)\d{3} ?(?!00)\d{2} ?(?!0000)\d{4})(?!\w)`,
    'gi',
  ),
);

/** The length of an IBAN in each country of the registry (ISO 13616). */
const ibanLengths = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FO FI GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ ES MD PK RO SA SE SK TN VG',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'BI DJ FR GR IT MC MR SM',
    28: 'AL AZ BY CY DO GT HU LB NI PL SV',
    29: 'BR EG PS QA UA',
    30: 'JO KW MU YE',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, countries]) => countries.split(' ').map((country) => [country, Number(length)] as const)),
);

// The possible start of an IBAN. The rest is not part of the match, because it would include the start of the next one.
const candidate = new RegExp(
  String.raw`(?=[A-Z]{2}\d)(?:(?<![A-Za-z0-9])|(?<=${escapes}))[A-Z]{2}\d{2}(?= ?[A-Z0-9]{2})`,
  'g',
);

export const iban: SecretRule = {
  names: ['iban'],
  *find(text) {
    const candidates = matcher(text, candidate);
    for (const to of windowEnds(text)) {
      for (const { index: start } of candidates(to)) {
        const length = ibanLengths.get(text.slice(start, start + 2));
        const end = length === undefined ? -1 : endOf(text, start, length);
        if (end < 0 || isLetterOrDigit(text.charCodeAt(end)) || !hasMod97(text, start, end)) continue;
        yield { rule: 'iban', start, end };
      }
      yield null;
    }
  },
};

const countryAndCheck = 4;
const space = 32;

/** The weight of a character: a digit has its value, A has 10, B has 11; any other character is -1. */
function weightOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 65 && code <= 90 ? code - 55 : -1;
}

function isLetterOrDigit(code: number): boolean {
  return weightOf(code) >= 0 || (code >= 97 && code <= 122);
}

/** The position after `length` letters and digits from `start`, ignoring single spaces, or -1 if there are fewer. */
function endOf(text: string, start: number, length: number): number {
  let index = start;
  for (let seen = 0; seen < length; index += 1) {
    const code = text.charCodeAt(index);
    if (weightOf(code) >= 0) seen += 1;
    else if (code !== space || text.charCodeAt(index - 1) === space) return -1;
  }
  return index;
}

/** Whether the check digits of ISO 7064 are right; the first four characters count last. */
function hasMod97(text: string, start: number, end: number): boolean {
  return restOf(text, start, start + countryAndCheck, restOf(text, start + countryAndCheck, end, 0)) === 1;
}

function restOf(text: string, start: number, end: number, before: number): number {
  let rest = before;
  for (let index = start; index < end; index += 1) {
    const weight = weightOf(text.charCodeAt(index));
    if (weight >= 0) rest = (rest * (weight > 9 ? 100 : 10) + weight) % 97;
  }
  return rest;
}
