import type { Dice } from '../../tools/dice.ts';

/** How the lines of a file come to the gate. */
export type Route = (lines: readonly string[], dice: Dice) => string;

const each =
  (change: (line: string, index: number, dice: Dice) => string, end = '\n'): Route =>
  (lines, dice) =>
    lines.map((line, index) => change(line, index, dice)).join(end);

const whole =
  (change: (text: string) => string): Route =>
  (lines) =>
    change(lines.join('\n'));

const wrapped = (text: string, width: number): string =>
  text.match(new RegExp(`[\\s\\S]{1,${width}}`, 'g'))?.join('\n') ?? '';
const html = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[one] ?? one,
  );
const units = (text: string, change: (unit: number) => string): string =>
  Array.from(text, (one) => change(one.charCodeAt(0))).join('');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const shuffled = (lines: readonly string[], dice: Dice): readonly string[] =>
  lines
    .map((line) => [dice.below(1_000_000), line] as const)
    .sort(([a], [b]) => a - b)
    .map(([, line]) => line);

/** The assignments of a file as rows of a table: name and value are columns. */
const rows =
  (row: (name: string, value: string, index: number) => string): Route =>
  (lines) =>
    lines
      .map((line, index) => {
        const [, name, value = ''] = /^(\w+)="?(.*?)"?$/.exec(line) ?? [];
        return name === undefined ? line : row(name, value, index);
      })
      .join('\n');

/** How the values of a file with credentials come in tables. */
export const valueRoutes: Readonly<Record<string, Route>> = {
  psql: rows((name, value, index) => ` ${index + 1} | ${name} | ${value} | t`),
  'psql, two columns': rows((name, value) => ` ${name.padEnd(24)} | ${value}`),
  'psql, the value first': rows((name, value) => ` ${value} | ${name}`),
  mysql: rows((name, value) => `| ${name} | ${value} |`),
  Markdown: rows((name, value, index) => `| ${index + 1} | ${name} | ${value} | yes |`),
  'Markdown, two columns': rows((name, value) => `|${name}|${value}|`),
  CSV: rows((name, value, index) => `${index + 1},${name},${value},true`),
  'CSV in quotes': rows((name, value) => `"${name}","${value}"`),
  tabs: rows((name, value, index) => `${index + 1}\t${name}\t${value}`),
  'values alone': rows((_, value) => value),
  'values after line numbers': rows((_, value, index) => `${index + 1}: ${value}`),
  'values in JSON': rows((name, value) => `{"${name}": ${JSON.stringify(value)}}`),
};

/** Each way that a text takes through tools, terminals, logs and formats. */
export const routes: Readonly<Record<string, Route>> = {
  'as it is': each((line) => line),
  'line numbers': each((line, index) => `${index + 1}: ${line}`),
  'line numbers and a bar': each((line, index) => `${String(index + 7).padStart(4)} | ${line}`),
  'line numbers of ours': each((line, index) => `${index + 95}| ${line}`),
  'cat -n': each((line, index) => `${String(index + 1).padStart(6)}\t${line}`),
  'line numbers and an arrow': each((line, index) => `${String(index + 98).padStart(6)}→${line}`),
  'grep -n': each((line, index) => `${index + 3}:${line}`),
  'grep -rn': each((line, index) => `config/prod/.env:${index + 3}:${line}`),
  'grep -r': each((line) => `./config/.env.local:${line}`),
  'grep -C': each((line, index) => `config/.env-${index + 3}-${line}`),
  'diff, added': (lines) => `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`,
  'diff, removed': each((line) => `-${line}`),
  'diff, context': each((line) => ` ${line}`),
  quoted: each((line) => `> ${line}`),
  'quoted twice': each((line) => `> > ${line}`),
  'comment #': each((line) => `# ${line}`),
  'comment //': each((line) => `    // ${line}`),
  'comment *': each((line) => ` * ${line}`),
  'JSON string': whole((text) => JSON.stringify({ ok: true, content: text })),
  'JSON string twice': whole((text) => JSON.stringify(JSON.stringify({ content: text }))),
  'JSON array of lines': (lines) => JSON.stringify(lines, null, 2),
  'JSON objects of lines': (lines) => JSON.stringify(lines.map((text, line) => ({ line, text }))),
  'YAML block': each((line) => `      ${line}`),
  'tabs before': each((line) => `\t\t${line}`),
  trimmed: each((line) => line.trim()),
  CRLF: each((line) => line, '\r\n'),
  'one line, spaces': each((line) => line, ' '),
  'one line, semicolons': each((line) => line, '; '),
  'blank lines between': each((line) => line, '\n\n'),
  'spaces at the ends': each((line) => `${line}    `),
  reordered: (lines, dice) => shuffled(lines, dice).join('\n'),
  reversed: (lines) => [...lines].reverse().join('\n'),
  'lines in quotes': each((line) => `'${line}',`),
  'code fence': (lines) => `\`\`\`ini\n${lines.join('\n')}\n\`\`\``,
  bullets: each((line) => `- ${line}`),
  'numbered list': each((line, index) => `${index + 1}. ${line}`),
  'table of Markdown': each((line, index) => `| ${index + 1} | \`${line}\` |`),
  HTML: whole(html),
  'HTML, in a table': each((line, index) => `<td>${index + 1}</td><td>${html(line)}</td>`),
  'HTML, all numbers': whole((text) => units(text, (unit) => `&#${unit};`)),
  'percent-encoded': whole(encodeURIComponent),
  'percent-encoded twice': whole((text) => encodeURIComponent(encodeURIComponent(text))),
  'form-encoded': whole((text) => new URLSearchParams({ text }).toString()),
  base64: whole((text) => Buffer.from(text).toString('base64')),
  'base64, wrapped': whole((text) => wrapped(Buffer.from(text).toString('base64'), 76)),
  'base64, wrapped, in a diff': whole((text) =>
    wrapped(Buffer.from(text).toString('base64'), 76).replace(/^/gm, text.length % 2 === 0 ? '+' : '-'),
  ),
  base64url: whole((text) => Buffer.from(text).toString('base64url')),
  'base64 of UTF-16': whole((text) => Buffer.from(text, 'utf16le').toString('base64')),
  'base64url in a path': whole(
    (text) => `GET https://h.example/api/v1/upload/${Buffer.from(text).toString('base64url')}`,
  ),
  hexadecimal: whole(hex),
  'hexadecimal after 0x': whole((text) => `(0x${hex(text).toUpperCase()}, '\\x${hex(text)}')`),
  'hexadecimal in a path': whole((text) => `PUT /kv/blob_${hex(text)}`),
  'hexadecimal in settings': whole((text) => `DATA=${hex(text)}\nNEXT=1`),
  'hexadecimal, wrapped, before a prompt': whole((text) => `$ xxd -p .env\n${wrapped(hex(text), 60)}\nroot@host:~# `),
  'hexadecimal, wrapped, in a diff': whole((text) => wrapped(hex(text), 60).replace(/^/gm, '+')),
  '\\x41': whole((text) => units(text, (unit) => `\\x${unit.toString(16).padStart(2, '0')}`)),
  '\\u0041': whole((text) => units(text, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`)),
  'colors of a terminal': each((line) => `\x1b[32m${line.replace('=', '\x1b[0m=\x1b[1;33m')}\x1b[0m`),
  'docker compose logs': each((line) => `app-1  | ${line}`),
};
