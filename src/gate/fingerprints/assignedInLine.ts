import { append } from '../../util/append.ts';
import { type Assigned, isPassword, plainSecretName, secretNameInLine } from './values.ts';

/** The maximum number of UTF-16 units of a value within a line that has several. */
const maxPart = 300;

/** Adds the values of a line. */
type Reading = (line: string, found: Assigned[]) => void;

/** The ways to read a line, with a text without which there is nothing to read. */
const readings: readonly (readonly [needed: string, reading: Reading])[] = [
  ['', wholeLine],
  // A line of JSON can have several assignments.
  ['"', matched(/"([^"]{1,200})"\s*:\s*"((?:[^"\\]|\\.){1,4000})"/g)],
  ['://', addresses],
  // `-u user:password` and `{PLAIN}password`
  ['-u', matched(/(?<![\w-])(?:-u|--user|--proxy-user)[\s=]["']?[^\s:"']{1,100}:([^\s"']{1,300})/gi, 'password')],
  ['{', matched(/\{(?:plain|noop|clear|cleartext)\}(\S{1,300})/gi, 'password')],
  // .pgpass: host:port:database:user:password
  [':', matched(/^[^:\s]+:[^:\s]+:[^:\s]+:[^:\s]+:(.+)$/g, 'password')],
  ['', randomWords],
];

/** The ways to read a line with the name of a secret. */
const readingsOfSecrets: typeof readings = [
  ['', pairs],
  // `password value` and `--db-pass value`
  ['', matched(/(?:(?<![\w-])--([\w-]{1,60})|\b(password|passwd|token|secret))\s+(\S+)/gi, 'secrets')],
  // `<password>value</password>`
  ['</', matched(/<([\w:.-]{1,80})(?:\s[^<>]*)?>([^<>]+)<\//g, 'secrets')],
  // `key="password" value="value"`, `<entry key="password">value</entry>`, `"name": "password", "value": "value"`
  [
    '',
    matched(
      /\b(?:key|name)["']?\s?[:=]\s?["']([\w.-]{1,80})["'](?:\s?\/?>|,?\s?["']?value["']?\s?[:=]\s?["'])([^"'<>]{1,300})/gi,
      'secrets',
    ),
  ],
];

/** The values in a line, in all ways to read it. A value can come more than once. */
export function assignedInLine(line: string): readonly Assigned[] {
  const found: Assigned[] = [];
  for (const [needed, reading] of readings) if (line.includes(needed)) reading(line, found);
  if (!secretNameInLine.test(line)) return found;
  for (const [needed, reading] of readingsOfSecrets) if (line.includes(needed)) reading(line, found);
  return found;
}

/** Removes quotes, a comment, and a comma at the end from a value. */
export function valueIn(written: string): string {
  const text = written.trim();
  const quoted = /^(?:"""(.*?)"""|'''(.*?)'''|"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`)/s.exec(text);
  if (quoted !== null) return quoted.slice(1).find((one) => one !== undefined) ?? '';
  return text.replace(/(?<!\s)\s+(?:#|;|\/\/).*$/s, '').replace(/[,;]$/, '');
}

/** The parts of a list such as `"a", "b"`, without quotes. */
export function partsOf(list: string): readonly string[] {
  return Array.from(list.matchAll(/"((?:[^"\\]|\\.){0,300})"|'([^']{0,300})'|[^\s,[\]"']+/g), ([all, ...quoted]) => {
    return quoted.find((one) => one !== undefined) ?? all;
  });
}

/** Reads the last group of a pattern as the value, and one before it as its name, unless all are passwords. */
function matched(pattern: RegExp, only?: 'secrets' | 'password'): Reading {
  return (line, found) => {
    for (const [, ...groups] of line.matchAll(pattern)) {
      const value = (groups.pop() ?? '').trim();
      const name = only === 'password' ? only : (groups.find((group) => group !== undefined) ?? '');
      if (only !== 'secrets' || plainSecretName.test(name)) found.push({ name, value });
    }
  };
}

function wholeLine(line: string, found: Assigned[]): void {
  const equals = line.indexOf('=');
  // In XML, an attribute can hold the name of a secret: `<add key="password"`.
  if (equals > 0 && !/^\s*<.*\s(?:key|name)$/i.test(line.slice(0, equals))) {
    found.push({ name: line.slice(0, equals), value: valueIn(line.slice(equals + 1)) });
  }
  if (!line.includes(':')) return;
  const colon = /^\s*(?:-\s+)?("[^"]{1,200}"|'[^']{1,200}'|[\w.@/-]{1,200})\s*:\s*(.+)$/.exec(line);
  const name = (colon?.[1] ?? '').replace(/^["']|["']$/g, '');
  if (colon !== null) found.push({ name, value: valueIn(colon[2] ?? '') });
}

/** The end of a value without quotes depends on what separates the pairs. */
const ends = { list: /^[^\s"'`<>,\]})]+/, query: /^[^\s"'`<>&#]+/, other: /^[^\s"'`<>;]+/ };

/** Pairs anywhere in a line: `…;Password=value;`, `?user=a&password=value`, `{password: value}`, `"passwords": ["a", "b"]`. */
function pairs(line: string, found: Assigned[]): void {
  const names = /(?<![\w.-])([\w.-]{1,80})["']?\s*(?:=>|[:=])\s*(?=\S)/g;
  for (const { 0: whole, 1: name = '', index } of line.matchAll(names)) {
    if (!plainSecretName.test(name)) continue;
    const from = index + whole.length;
    const rest = line.slice(from);
    const [, list] = /^\[([^[\]]+)\]/.exec(rest) ?? [];
    if (list !== undefined) append(found, listed(name, partsOf(list)));
    else {
      const before = line.slice(Math.max(0, index - 9), index);
      const value = /^["'`]/.test(rest) ? valueIn(rest) : partIn(line.slice(from, from + maxPart), before);
      found.push({ name, value });
    }
  }
}

/** The value at the start of a text, by what is before its name. */
function partIn(text: string, before: string): string {
  const last = before.replace(/["'\s]{1,9}$/, '').at(-1) ?? ' ';
  const end = '?&'.includes(last) ? ends.query : '{,(['.includes(last) ? ends.list : ends.other;
  const [value = ''] = end.exec(text) ?? [];
  // The value goes on after a quote: it is code.
  if (/[([{]$/.test(value)) return '';
  return /[([{]/.test(value) ? value : value.replace(/[,;.)\]}]{1,9}$/, '');
}

/** Names of which each value in a list is likely to be a secret, even if it consists of words. */
const passwordName = /pass|pwd/i;
const wordsInList = /^\p{L}+\d{0,3}(?:[_./:@-]+(?:\p{L}+\d{0,3}|\d{1,3}))*$/u;

/** The values of a list with a name. Lists of other names than those of passwords can have words that are no secret. */
export function listed(name: string, values: readonly string[]): readonly Assigned[] {
  const isLikely = (value: string): boolean =>
    !/\s/.test(value) && (passwordName.test(name) || !wordsInList.test(value));
  return values.filter(isLikely).map((value) => ({ name, value }));
}

/** The passwords in addresses. */
function addresses(line: string, found: Assigned[]): void {
  for (const [word] of line.matchAll(/[^\s@]+@?/g)) {
    const [, password = ''] = word.endsWith('@') ? (/:\/\/[^/:]*:(.+)@/.exec(word) ?? []) : [];
    if (password !== '') found.push({ name: 'password', value: password });
  }
}

/** Words that look like a password by themselves, such as in a list of passwords. Longer ones are found as tokens (values.ts). */
function randomWords(line: string, found: Assigned[]): void {
  if (!/\d/.test(line)) return;
  for (const value of line.split(/[\s,;|"'`<>()[\]{}:=]+/)) {
    if (value.length < 8 || value.length >= 40 || /[\w+-]{20}/.test(value)) continue;
    if (isPassword(value)) found.push({ name: '', value });
  }
}
