/** The maximum number of letters of a query in the glob. The names that are found are compared with the whole query. */
const maxLetters = 40;

/**
 * A glob for all paths that could match a query as `score()` matches it: with its letters in order, upper or lower
 * case, in the name of a file or in the names above it. It may find more paths, which are then scored.
 */
export function nameGlob(query: string): string {
  const name = query.slice(query.lastIndexOf('/') + 1);
  const letters = [...name].slice(0, maxLetters).map(eitherCase).join('*');
  if (letters === '') return '**/*';
  return name === query ? `**/{*${letters}*,*${letters}*/**}` : `**/*${letters}*`;
}

/** Returns a glob for a letter in both cases, or for any character if the letter has a special meaning in a glob. */
function eitherCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  if (/^[\p{L}\p{N}]$/u.test(lower) && /^[\p{L}\p{N}]$/u.test(upper)) {
    return lower === upper ? lower : `[${lower}${upper}]`;
  }
  return /^[\w.-]$/.test(letter) ? letter : '?';
}

/** A glob that excludes these folders, relative to a workspace folder, in addition to those that are never listed. */
export function withoutFolders(folders: readonly string[]): string {
  // A glob cannot express other names in a form that both of VS Code's searches read alike.
  const plain = folders.filter((path) => /^[\w./ -]+$/.test(path)).slice(0, maxFoldersLeftOut);
  return `{${['**/node_modules/**', '**/.git/**', ...plain.map((path) => `${path}/**`)].join(',')}}`;
}

const maxFoldersLeftOut = 100;
