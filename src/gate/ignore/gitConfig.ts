/** The parts of git's configuration that affect ignore files. */
interface GitConfig {
  /** The values of `core.excludesFile`, unmodified; the last one applies. */
  readonly excludesFiles: readonly string[];
  readonly ignoresCase: boolean | null;
  /** The values of `core.worktree`, unmodified. */
  readonly workTrees: readonly string[];
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Parses a configuration file without git, for machines that do not have it. Ignores included files. */
export function readGitConfig(text: string): GitConfig {
  const excludesFiles: string[] = [];
  const workTrees: string[] = [];
  let ignoresCase: boolean | null = null;
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [whole = '', header, part] = /^\s*\[([^\]"]*)(?:("(?:[^"\\]|\\.)*")\s*)?\]/.exec(line) ?? [];
    if (header !== undefined) section = part === undefined ? header.trim().toLowerCase() : '';
    const rest = line.slice(whole.length);
    const [, key = '', value] = /^\s*([a-zA-Z][a-zA-Z0-9-]*)\s*(?:=([\s\S]*))?$/.exec(rest) ?? [];
    if (section !== 'core') continue;
    if (key.toLowerCase() === 'excludesfile' && value !== undefined) excludesFiles.push(unquoted(value.trimStart()));
    if (key.toLowerCase() === 'worktree' && value !== undefined) workTrees.push(unquoted(value.trimStart()));
    if (key.toLowerCase() === 'ignorecase') ignoresCase = value === undefined || isTrue(unquoted(value.trimStart()));
  }
  return { excludesFiles, ignoresCase, workTrees };
}

/** An entry of `git config -z --list --show-origin --show-scope`. */
interface ConfigEntry {
  /** The scope: `local`, `worktree`, `global`, … */
  readonly scope: string;
  /** The origin: `file:` and the path, for an entry of a file. */
  readonly origin: string;
  /** The name, in lower case except for the part between the first and the last dot. */
  readonly key: string;
  /** The value; null for a name without a value, which means true. */
  readonly value: string | null;
}

/** Parses the output of `git config -z --list --show-origin --show-scope`. */
export function readConfigList(text: string): readonly ConfigEntry[] {
  const words = text.split('\0');
  const entries: ConfigEntry[] = [];
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [scope = '', origin = '', entry = ''] = words.slice(at, at + 3);
    const end = entry.indexOf('\n');
    entries.push(
      end < 0
        ? { scope, origin, key: entry, value: null }
        : { scope, origin, key: entry.slice(0, end), value: entry.slice(end + 1) },
    );
  }
  return entries;
}

/** Parses the usual forms of a boolean. Returns null for any other form, which git may understand or not. */
export function booleanIn(value: string | null): boolean | null {
  if (value === null || /^(true|yes|on|1)$/i.test(value)) return true;
  return /^(false|no|off|0|)$/i.test(value) ? false : null;
}

/** Removes quotes, escapes and a trailing comment. */
function unquoted(written: string): string {
  let value = '';
  let isQuoted = false;
  let kept = 0;
  for (let at = 0; at < written.length; at += 1) {
    const letter = written[at] ?? '';
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === '\\') {
      at += 1;
      value += escapes[written[at] ?? ''] ?? written[at] ?? '';
    } else if (!isQuoted && (letter === '#' || letter === ';')) break;
    else value += letter;
    // Trailing white space belongs to the value if it is quoted.
    if (isQuoted || letter === '"' || !/\s/.test(letter)) kept = value.length;
  }
  return value.slice(0, kept);
}

function isTrue(value: string): boolean {
  return /^(true|yes|on|[+-]?0*[1-9]\d*)$/i.test(value);
}

/** Returns the folder that a `.git` file names, unmodified, or null. */
export function gitDirIn(text: string): string | null {
  return /^gitdir: (.+?)[\r\n]*$/.exec(text)?.[1] ?? null;
}
