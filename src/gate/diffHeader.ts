/** A version of a file: its path with `/`, and its mode in git's notation, such as `100644`. */
export interface FileVersion {
  readonly path: string;
  readonly mode: string;
}

/** Returns the first lines of a file's diff in git's format; null stands for a missing version. */
export function diffHeader(before: FileVersion | null, after: FileVersion | null): string {
  const one = before ?? after;
  const other = after ?? before;
  if (one === null || other === null) return '';
  const lines = [`diff --git ${quoted(`a/${one.path}`)} ${quoted(`b/${other.path}`)}`];
  if (before === null) lines.push(`new file mode ${other.mode}`);
  else if (after === null) lines.push(`deleted file mode ${one.mode}`);
  else if (one.mode !== other.mode) lines.push(`old mode ${one.mode}`, `new mode ${other.mode}`);
  if (one.path !== other.path) lines.push(`rename from ${quoted(one.path)}`, `rename to ${quoted(other.path)}`);
  return `${lines.join('\n')}\n`;
}

/** Returns the two lines before the hunks; git omits them for an empty, moved or newly executable file. */
export function hunkHeader(before: FileVersion | null, after: FileVersion | null): string {
  const name = (side: string, version: FileVersion | null): string =>
    version === null ? '/dev/null' : named(`${side}/${version.path}`);
  return `--- ${name('a', before)}\n+++ ${name('b', after)}\n`;
}

/** Adds a tab after a name with spaces, because diff parsers would interpret the rest as a date. */
function named(path: string): string {
  const name = quoted(path);
  return name === path && path.includes(' ') ? `${name}\t` : name;
}

/** Quotes a name with quotes, backslashes or control characters, as git does with `core.quotePath` off. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names may have them.
  const special = /["\\\u0000-\u001f\u007f]/g;
  if (!special.test(path)) return path;
  const octal = (one: string): string => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${path.replace(special, (one) => escapes.get(one) ?? octal(one))}"`;
}

const escapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\v', '\\v'],
  ['\u0007', '\\a'],
]);
