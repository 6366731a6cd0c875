import { patternRule, type SecretRule } from '../span.ts';
import { isOtherCode } from './privateKey.ts';

/** A value that is a variable or a template: `$NAME`, `${…}`, `$(…)`, `%NAME%`, `{{…}}`, `<…>`. */
const variable = /^(?:\$[A-Za-z_]\w*|\$env:\w+|\$\{.*\}?|\$\(.*\)?|%[A-Za-z_]\w*%|\{\{.*|<.*>)$/i;

export function isVariable(value: string): boolean {
  return variable.test(value);
}

/** The word before `key` in a name that denotes a secret. */
const ofKeys =
  'api|app|access|account|auth|client|private|master|shared|service|signing|encryption|license|storage|admin|subscription|session|cookie|csrf|hmac|hash|cipher|deploy|unseal|root';

/** A short word counts at the end of a name, or as the whole name if a sign for an assignment follows. */
const isEnd = '(?![\\w.-])';
const isAssigned = '(?=["\']?\\s{0,8}[:=])';

/**
 * The end of a name that denotes a secret, with an optional short suffix (`tokenValue`, `API_KEY_2`). It begins with few
 * different letters, and examines the text before them last, which is faster.
 */
const name = `(?:${[
  `p(?:ass(?:w(?:or)?[dt]|phrase|(?<=[_.-]pass)${isEnd}|(?<![\\w-]pass)${isAssigned})|w(?:d|(?<=[_.-]pw)${isEnd}|(?<![\\w-]pw)${isAssigned}))`,
  `s(?:ecret|alt(?<=[_.-]salt)${isEnd}|chl(?:ü|ue)ssel(?<=(?:api|zugriffs|zugangs)[_-]?schl(?:ü|ue)ssel))`,
  'token',
  'credentials?',
  'authorization',
  `k(?:ennwort|ey(?<=(?:${ofKeys})[_.-]?key))`,
].join('|')})[\\w.-]{0,30}`;

/** The optional type of a variable. */
const type = '(?::?\\s{1,4}(?:string|str|char\\s?\\*))?';

/** The end of a quoted or emphasized name. */
const nameEnd = '\\\\{0,7}["\'`\\]*]{0,3}\\s{0,40}';

/** The text that announces a value: a sign, also encoded in an address, a word, a tag, or the name of a field for values. */
const separator = [
  '[:?.+|]{0,3}=>?',
  '\\?\\?',
  '\\|\\|',
  '\\{[^{}"]{0,80}default\\s{0,8}=',
  // A colon: in YAML with a block, an anchor or a type; in Markdown with the end of an emphasis.
  ':(?:\\*{1,2}|\\s{0,4}(?:[|>][-+\\d]{0,2}|[&!][\\w!-]{1,30})(?=\\s))?',
  '(?:%22)?%3[ad](?:%22|%20|\\+)?',
  '[,;|]',
  '>',
  // A sign for an assignment in text; the argument of a call that sets it; the next cell of a table.
  '(?:[-–—]{1,2}>?|[→⇒]|<-)(?=\\s)',
  '\\((?<=(?:passw(?:or)?[dt]|secret)\\()(?=["\'`])',
  '</\\w{1,4}>\\s{0,40}<(?:td|dd|code|span)>',
  // In JSON that is read leaf by leaf, a line break follows the name of a field.
  '(?:/?>|,)?\\s{0,40}(?:<value>|\\\\{0,7}["\']?(?:value|default)(?:\\\\{0,7}["\']?\\s{0,4}[:=]|(?=\\n)))',
  '\\s(?:(?:is|ist|lautet|was|war)(?::|\\s))?',
].join('|');

/**
 * The text between the name and the value (or the first value of a list) in code, configuration and markup, also in JSON
 * within JSON.
 */
const between = `${nameEnd}(?:${separator})(?:\\s|\\\\[nrt]|\\\\(?=\\r?\\n)|\\[|-(?=\\s)){0,40}`;

/**
 * A value in quotes up to the next quote; without quotes, up to the end of the value, atomically, so that backtracking never
 * matches part of a call.
 */
const value =
  '(?<secret>(?<=["\'`])[^\\s"\'`]{11,255}[^\\s"\'`\\\\](?=\\\\{0,7}["\'`])|(?=(?<run>(?:[^\\s"\'`<>(){}\\[\\],;|&\\\\$\\x1b]|\\$(?![{(])|&(?:amp|lt|gt);){12,1024}))\\k<run>)(?![(\\[{.])';

/** One quote or three, plain or in markup, a CDATA section of XML, or a color code of the terminal. */
const opening =
  '(?:(?:"""|\'\'\')\\s{0,40}|<!\\[CDATA\\[|[brf]{0,2}\\\\{0,7}["\'`]|&(?:quot|apos|#3[49]);|\\x1b\\[[\\d;]{0,20}m)?';

const namedSecret = new RegExp(`${name}${type}${between}${opening}(?:(?:bearer|basic|token) )?${value}`, 'gi');

/** A sentence that states a password: only the value needs to look like a password. */
const passwordSentence =
  /(?:passwor[dt]|kennwort|passphrase|passwd|\bpwd)(?:[ \t]{1,4}[^\s:;.,=<>(){}"'`]{1,20}){0,5}[ \t]{1,4}(?:is|ist|lautet|was|war)(?:[ \t]{1,4}(?:now|jetzt|nun|set[ \t]to))?:?[ \t]{1,4}["'`„“‚‘»«*]{0,3}(?<secret>[^\s"'`„“”‚‘’»«*<>(){}]{5,200}[^\s"'`„“”‚‘’»«*<>(){},.;:?])(?![\w([{])/gi;

/** Values that look random and whose names denote a secret. */
export const namedSecrets: readonly SecretRule[] = [
  patternRule('generic-secret', namedSecret, isNamed),
  patternRule('said-password', passwordSentence, (secret) => isChosen(secret) && !isVariable(secret)),
];

function isNamed(secret: string, text: string, from: number, start: number): boolean {
  return isRandom(secret) && !isVariable(secret) && !isInBase64(text, from, start);
}

/**
 * Whether a name that ends a line, with the value in the next one, is part of the base64 of a certificate or a picture: one
 * certificate in a hundred has `pwd` near the end of a line. A text may begin within such a line.
 */
function isInBase64(text: string, from: number, start: number): boolean {
  // Only the text up to the value: a search to the end of the text, for each match, would take quadratic time.
  const length = text.slice(from, start).indexOf('\n');
  if (length === -1) return false;
  const end = from + length;
  if (text.slice(end, start).trim() !== '') return false;
  const line = text.slice(Math.max(0, from - 128), end).trimEnd();
  if (/[A-Za-z\d+/=]{40}$/.test(line)) return true;
  return from < 128 && /^[A-Za-z\d+/=]+$/.test(line) && (isRandom(line) || isOtherCode(text, start));
}

/** Common parts of code values that also contain digits: words, versions, escapes, addresses. */
const ordinary =
  /\\x[\da-f]{2}|\d{1,20}(?:\.\d{1,20})+|[a-z]{1,20}:\/\/\S*|x509|pkcs\d*|saml\d?|(?:sha|aes|rsa|hmac|base|crc|oauth|http|chacha|poly|(?<![a-z\d])(?:ed|int|utf|v))-?\d+|v\d{1,2}(?![a-z\d])|(?:access|account|algorithm|auth|bearer|cache|check|client|common|config|credential|crypto|data|decode|default|dummy|encode|endpoint|error|example|field|file|format|header|http|index|invalid|json|key|length|login|mock|name|null|object|package|param|password|path|placeholder|policy|private|public|random|refresh|request|response|sample|schema|secret|server|service|session|state|string|test|token|type|user|value|version|world|your)/gi;

/** Whether a text may be a password that someone chose: letters with digits that are not part of a technical word. */
export function isChosen(value: string): boolean {
  const rest = value.replace(ordinary, ' ');
  return /[a-z]/i.test(rest) && /\d/.test(rest) && !/^\d+[-a-z]*$|[/\\()[\]{}]/i.test(value) && value.length >= 6;
}

/** Whether letters, digits and signs alternate more than in any word, name or number. */
export function isRandom(value: string): boolean {
  const rest = value.replace(ordinary, ' ');
  const count = (pattern: RegExp): number => rest.match(pattern)?.length ?? 0;
  const letters = count(/[A-Za-z]/g);
  const others = count(/[\d!%@^~$]/g);
  const turns = count(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g);
  const changes = count(/[\d!%@^~$](?=[A-Za-z])|[A-Za-z](?=[\d!%@^~$])|[A-Z](?=[a-z])/g);
  return (
    letters + others >= 12 &&
    letters >= 2 &&
    (others >= 2 || (others === 1 && turns >= rest.length * 0.4)) &&
    changes >= Math.max(4, rest.length / 8) &&
    new Set(rest).size >= 8
  );
}
