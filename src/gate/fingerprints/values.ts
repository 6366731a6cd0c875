/** The value of an assignment, as written in a file. */
export interface Assigned {
  readonly name: string;
  readonly value: string;
}

/** The name of what may be a secret. */
export const secretName =
  /pass|pwd|secret|token|key|private|credential|auth|salt|sign|encrypt|crypt|dsn|webhook|pin$|cert/i;

/** The name of what is a secret also where many other values are, such as in a list or in the columns of a table. */
export const plainSecretName =
  /^(?!.*(?:name|user|ur[il]|hint|type|file|path|version|expir\w*)$).*(?:pass(?!ive|age|port)|pwd|secret|token|credential|(?:api|access|account|private)[-_ ]?key|pins?$)/i;

/** Matches a line that may have such a name. */
export const secretNameInLine = /pass|pwd|secret|token|credential|key|pin/i;

/** Matches placeholders, and words that are not secret for any name. */
const placeholder =
  /^(?:true|false|null|none|undefined|yes|no|on|off|\$.*|<.*>|%\{.*|\{\{.*|\{.*\}|%.*%|x+|\*+|\.+|change[-_ ]?me.*|your[-_ ].*|example.*|replace[-_ ]?me.*|todo.*|dummy.*|sample.*|test|placeholder.*|-{5}[A-Z ]+-{5})$/i;

/** Matches words with an optional number, which occur in many texts: `eu-central-1`, `my-app.staging`, `gpt-4`. */
const words =
  /^(?:\p{Lu}?[\p{Ll}\p{Lo}]{1,14}|\p{Lu}{1,14})(?:[-_./: ](?:\p{Lu}?[\p{Ll}\p{Lo}]{1,14}|\p{Lu}{1,14}))*[-_./: ]?v?\d{0,3}$/u;

/** Matches a date, with or without a time, and a version or an address such as `10.20.30.40`. */
const dateOrVersion = /^(?:\d{4}-\d\d-\d\d(?:[T ][\d:.,+Z-]*)?|v?\d{1,5}(?:\.\d{1,5})+(?:[-+:/][\w.]{0,20})?)$/;

/** Matches a host such as `db.internal.example.com:5432`, an address without a password, and a path. */
const place =
  /^(?:[a-z][a-z\d+.-]*:\/\/[^@]*|(?:[\w-]+\.)+[a-z][a-z_]+(?::\d+)?(?:\/\S*)?|[~.]{0,2}\/\S*|[\w.+-]+@[\w.-]+)$/i;

/** The minimum length of a value that is searched for. */
export const minValueLength = 6;

/** Whether a value is likely to be a secret, and not a word that occurs in many texts. */
export function isSecretLooking({ name, value }: Assigned): boolean {
  const letters = value.replace(/[^\p{L}\p{N}]/gu, '');
  if (letters.length < minValueLength || [placeholder, place, dateOrVersion].some((other) => other.test(value)))
    return false;
  if (/^[\d.,:_\s-]+$/.test(value)) return secretName.test(name) && letters.length >= 8;
  if (words.test(value)) {
    const isOneWord = !/[-_./: ]/.test(value);
    return secretName.test(name) && (isOneWord ? /\d/.test(value) && value.length >= 10 : value.length >= 16);
  }
  if (secretName.test(name)) return /\d|[^\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(value) || letters.length >= 12;
  return isRandom(letters) || isPassword(value);
}

/** Whether a value is a secret, or may be one by its name. */
export function isSecret(assigned: Assigned): boolean {
  const { name, value } = assigned;
  return isSecretLooking(assigned) || (secretName.test(name) && value !== '' && !placeholder.test(value));
}

/** Whether a word without a name is likely to be a password: letters, digits and other characters that alternate often. */
export function isPassword(word: string): boolean {
  if (!/\d/.test(word) || !/[a-z]/.test(word) || !/[A-Z]/.test(word) || /[\s\\/]|%[\dA-F]{2}/i.test(word)) return false;
  const letters = word.replace(/[^A-Za-z0-9]/g, '');
  const minLength = /[A-Za-z0-9][!#$%&*?@^~+]+[A-Za-z0-9]/.test(word) ? 8 : 16;
  return letters.length >= minLength && changesIn(letters) >= letters.length * 0.4;
}

/** Whether a word looks as if it were drawn at random: letters and digits that alternate often. */
export function isRandom(word: string): boolean {
  const changes = word.length < 12 ? 0 : changesIn(word);
  if (word.length < 12 || changes < word.length / 5) return false;
  return /\d/.test(word) || changes >= word.length / 3;
}

/** The number of places where a digit, a capital letter, or another character follows one of a different kind. */
function changesIn(word: string): number {
  let changes = 0;
  for (let at = 1; at < word.length; at += 1) {
    if (kindOf(word.charCodeAt(at)) !== kindOf(word.charCodeAt(at - 1))) changes += 1;
  }
  return changes;
}

/** Returns 0 for a digit, 1 for a capital letter, and 2 for any other character. */
function kindOf(unit: number): number {
  if (unit >= 48 && unit <= 57) return 0;
  return unit >= 65 && unit <= 90 ? 1 : 2;
}

/** Matches a digit, and a capital letter that begins no word. `DateTimeFormatOptions` has neither, but random words have. */
const ofRandom = /\d|[A-Z](?![a-z]{2})/;

/** The positions of the random-looking words of a text: keys, hashes, and the lines of private keys. */
export function* tokensIn(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (const { 0: word, index } of text.matchAll(/(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}/g)) {
    if (ofRandom.test(word) && isRandom(word.replace(/[^A-Za-z0-9]/g, '')))
      yield { start: index, end: index + word.length };
  }
}
