/** Longer queries match by their beginning; the names that are found are compared with all of it. */
const maxLetters = 40;

/**
 * A glob for all paths that could match a query as `score()` matches it: with its letters in order, upper or lower case, in
 * the name of a file or in the names above it. It finds more than that: what it finds is scored.
 */
export function nameGlob(query: string): string {
  const name = query.slice(query.lastIndexOf('/') + 1);
  const letters = [...name].slice(0, maxLetters).map(eitherCase).join('*');
  if (letters === '') return '**/*';
  return name === query ? `**/{*${letters}*,*${letters}*/**}` : `**/*${letters}*`;
}

/** A letter in both cases; any character for one that means something in a glob. */
function eitherCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  if (/^[\p{L}\p{N}]$/u.test(lower) && /^[\p{L}\p{N}]$/u.test(upper)) {
    return lower === upper ? lower : `[${lower}${upper}]`;
  }
  return /^[\w.-]$/.test(letter) ? letter : '?';
}

/** A glob that leaves out these folders, of paths below a workspace folder, besides those that are never listed. */
export function withoutFolders(folders: readonly string[]): string {
  // A glob has no form for other names that both of VS Code's searches read alike.
  const plain = folders.filter((path) => /^[\w./ -]+$/.test(path)).slice(0, maxFoldersLeftOut);
  return `{${['**/node_modules/**', '**/.git/**', ...plain.map((path) => `${path}/**`)].join(',')}}`;
}

const maxFoldersLeftOut = 100;
