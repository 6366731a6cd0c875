/** What must not stand in a text that leaves this machine. */
export interface Private {
  /** Keys and the like. */
  readonly secrets: readonly string[];
  /** The user's home folder, '' where there is none. */
  readonly home: string;
  /** The user's name on this machine, '' where it is not known. */
  readonly user: string;
}

/** Accounts that are no person, and whose names are words of a report. */
const nobody = new Set([
  'root',
  'user',
  'admin',
  'administrator',
  'node',
  'vscode',
  'coder',
  'codespace',
  'runner',
  'svc',
]);

/**
 * The last pass over a text of which all parts were chosen one by one: the home folder becomes ~, other people's homes
 * lose their name, and so does the user.
 */
export function redactor({ secrets, home, user }: Private): (text: string) => string {
  const replacements: [RegExp, string][] = [
    ...(home.length > 1 ? [[literally(home, '(?![\\w.-])'), '~'] satisfies [RegExp, string]] : []),
    [/([\\/])(Users|home)\1(?!~)[^\\/\s"'|`]+/gi, '$1$2$1…'],
  ];
  if (user.length > 1 && !nobody.has(user.toLowerCase())) {
    replacements.push([literally(user, '(?![\\p{L}\\p{N}_])', '(?<![\\p{L}\\p{N}_])'), '<user>']);
  }
  return (text) => {
    // No pattern is made of a key: the error of a pattern that does not parse would quote it.
    const keyless = secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '<key>')), text);
    return replacements.reduce((left, [pattern, by]) => left.replace(pattern, by), keyless);
  };
}

/** Windows takes paths and names in any case, so every system is treated so. */
function literally(text: string, after = '', before = ''): RegExp {
  return new RegExp(before + text.replace(/[/\\^$.*+?()[\]{}|]/g, '\\$&') + after, 'giu');
}
