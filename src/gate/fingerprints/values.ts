/** The value of an assignment, as written in a file. */
interface Assigned {
  readonly name: string;
  readonly value: string;
}

/** The maximum length of a line with an assignment; a longer line is prose or data. */
const maxLineLength = 4_000;
/** The number of UTF-16 units of lines that are read between two chances to pause. */
const unitsAtOnce = 8_192;
const lineEnd = /\r\n|\r|\n/g;

/** The lines of a text. Yields null where it may pause. */
function* linesIn(text: string): Generator<string | null> {
  for (let start = 0, paused = 0; start < text.length; ) {
    lineEnd.lastIndex = start;
    const end = lineEnd.exec(text);
    const line = text.slice(start, end?.index);
    start = end === null ? text.length : end.index + end[0].length;
    yield line;
    if (start - paused < unitsAtOnce) continue;
    paused = start;
    yield null;
  }
}

/**
 * The values of `KEY=value`, `key: value`, `"key": "value"`, `password value` and of addresses with a password, in a file that
 * holds credentials. One line can be read in more than one way: all readings are used. Yields null where it may pause.
 */
export function* assignedIn(text: string): Generator<Assigned | null> {
  for (const line of linesIn(text)) {
    if (line === null) yield null;
    else if (line.length <= maxLineLength) yield* assignedInLine(line);
  }
}

/** Like assignedIn(), as one list. */
export function* allAssignedIn(text: string): Generator<null, readonly Assigned[]> {
  const all: Assigned[] = [];
  for (const assigned of assignedIn(text)) {
    if (assigned === null) yield null;
    else all.push(assigned);
  }
  return all;
}

function* assignedInLine(line: string): Generator<Assigned> {
  yield* assignments(line);
  for (const [word] of line.matchAll(/[^\s@]+@?/g)) {
    const [, password = ''] = word.endsWith('@') ? (/:\/\/[^/:]*:(.+)@/.exec(word) ?? []) : [];
    if (password !== '') yield { name: 'password', value: password };
  }
  for (const [, name = '', value = ''] of line.matchAll(/\b(password|passwd|token|secret)\s+(\S+)/gi)) {
    yield { name, value };
  }
  // .pgpass: host:port:database:user:password
  const [, password = ''] = /^[^:\s]+:[^:\s]+:[^:\s]+:[^:\s]+:(.+)$/.exec(line) ?? [];
  if (password !== '') yield { name: 'password', value: password };
}

function* assignments(line: string): Generator<Assigned> {
  const equals = line.indexOf('=');
  if (equals > 0) yield { name: line.slice(0, equals), value: valueIn(line.slice(equals + 1)) };
  const colon = /^\s*(?:-\s+)?("[^"]{1,200}"|'[^']{1,200}'|[\w.@/-]{1,200})\s*:\s*(.+)$/.exec(line);
  if (colon !== null) yield { name: colon[1] ?? '', value: valueIn(colon[2] ?? '') };
  // A line of JSON can have several assignments.
  for (const [, name = '', value = ''] of line.matchAll(/"([^"]{1,200})"\s*:\s*"([^"]{1,4000})"/g)) {
    yield { name, value };
  }
}

/** Removes quotes, a comment, and a comma at the end from a value. */
function valueIn(written: string): string {
  const text = written.trim();
  const quote = text[0] ?? '';
  if ('"\'`'.includes(quote) && quote !== '') {
    const end = text.indexOf(quote, 1);
    if (end > 0) return text.slice(1, end);
  }
  return text.replace(/(?<!\s)\s+#.*$/s, '').replace(/[,;]$/, '');
}

const secretName = /pass|pwd|secret|token|key|private|credential|auth|salt|sign|encrypt|crypt|dsn|webhook|pin$|cert/i;

/** Matches placeholders, and words that are not secret for any name. */
const placeholder =
  /^(?:true|false|null|none|undefined|yes|no|on|off|\$.*|<.*>|\{\{.*|%.*%|x+|\*+|\.+|change[-_ ]?me.*|your[-_ ].*|example.*|replace[-_ ]?me.*|todo.*|dummy.*|sample.*|test|placeholder.*)$/i;

/** Matches words with an optional number, which occur in many texts: `eu-central-1`, `my-app.staging`, `gpt-4`. */
const words = /^(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,14})(?:[-_./: ](?:[A-Z]?[a-z]{1,14}|[A-Z]{1,14}))*[-_./: ]?v?\d{0,3}$/;

/** Matches a host such as `db.internal.example.com:5432`, an address without a password, and a path. */
const place =
  /^(?:[a-z][a-z\d+.-]*:\/\/[^@]*|(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:\/\S*)?|[~.]{0,2}\/\S*|[\w.+-]+@[\w.-]+)$/i;

/** The minimum length of a value that is searched for. */
export const minValueLength = 6;

/** Whether a value is likely to be a secret, and not a word that occurs in many texts. */
export function isSecretLooking({ name, value }: Assigned): boolean {
  const letters = value.replace(/[^A-Za-z0-9]/g, '');
  if (letters.length < minValueLength || placeholder.test(value) || place.test(value)) return false;
  if (/^[\d.,:_\s-]+$/.test(value)) return secretName.test(name) && letters.length >= 8;
  if (words.test(value)) {
    const isOneWord = !/[-_./: ]/.test(value);
    return secretName.test(name) && (isOneWord ? /\d/.test(value) && value.length >= 10 : value.length >= 16);
  }
  if (secretName.test(name)) return /\d|[^A-Za-z0-9]|[a-z][A-Z]/.test(value) || letters.length >= 12;
  return isRandom(letters);
}

const comment = /^(?:#|;|\/\/)/;

/**
 * Whether a short file with credentials may hold a secret that is too short to be recognized: it has text other than
 * assignments, or the name of a secret. `PORT=3000` has neither. Yields null where it may pause.
 */
export function* mayHaveSecret(text: string): Generator<null, boolean> {
  for (const line of linesIn(text)) {
    if (line === null) {
      yield null;
      continue;
    }
    const words = line.trim();
    if (!/[\p{L}\d]/u.test(words)) continue;
    if (comment.test(words)) {
      if (secretName.test(words)) return true;
      continue;
    }
    const all = words.length > maxLineLength ? [] : [...assignedInLine(words)];
    if (all.length === 0 || all.some(isSecret)) return true;
  }
  return false;
}

function isSecret(assigned: Assigned): boolean {
  const { name, value } = assigned;
  return isSecretLooking(assigned) || (secretName.test(name) && value !== '' && !placeholder.test(value));
}

/** Whether a word looks as if it were drawn at random: letters and digits that alternate often. */
export function isRandom(word: string): boolean {
  let digits = 0;
  let changes = 0;
  for (let at = 0; at < word.length; at += 1) {
    const kind = kindOf(word.charCodeAt(at));
    if (kind === 0) digits += 1;
    if (at > 0 && kind !== kindOf(word.charCodeAt(at - 1))) changes += 1;
  }
  if (word.length < 12 || changes < word.length / 5) return false;
  return digits > 0 || changes >= word.length / 3;
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
