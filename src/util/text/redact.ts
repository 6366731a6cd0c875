/** Values that must not occur in a text that is sent from this machine. */
export interface Private {
  /** Keys and similar values. */
  readonly secrets: readonly string[];
  /** The user's home folder, '' if there is none. */
  readonly home: string;
  /** The user's name on this machine, '' if it is unknown. */
  readonly user: string;
}

/** Generic account names that are ordinary words in a report. */
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
 * The last pass over a text whose parts were all selected explicitly: replaces the home folder with ~, and removes the
 * user's name and the names in other users' home folders.
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
    // Keys are never compiled to patterns: the error of an invalid pattern would quote the key.
    const keyless = secrets.reduce(
      (result, secret) => (secret === '' ? result : result.replaceAll(secret, '<key>')),
      text,
    );
    return replacements.reduce((result, [pattern, by]) => result.replace(pattern, by), keyless);
  };
}

/** Windows ignores case in paths and names, so the pattern ignores it on every system. */
function literally(text: string, after = '', before = ''): RegExp {
  return new RegExp(before + text.replace(/[/\\^$.*+?()[\]{}|]/g, '\\$&') + after, 'giu');
}
