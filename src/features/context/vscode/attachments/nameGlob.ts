import { asName } from './match.ts';

/** The maximum number of letters of a query in the glob. The names that are found are compared with the whole query. */
const maxLetters = 40;

/**
 * A glob for all paths that could match a query as `score()` matches it: with its letters in order, upper or lower
 * case, in the name of a file or in the names above it. It may find more paths, which are then scored.
 */
export function nameGlob(typed: string): string {
  const query = asName(typed);
  const name = query.slice(query.lastIndexOf('/') + 1);
  const letters = [...name].slice(0, maxLetters).map(eitherCase).join('*');
  if (letters === '') return '**/*';
  return name === query ? `**/{*${letters}*,*${letters}*/**}` : `**/*${letters}*`;
}

/** Returns a glob for a letter in both cases, or for any character if the letter has a special meaning in a glob. */
function eitherCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  if (/^[\p{L}\p{N}]$/u.test(lower) && /^[\p{L}\p{N}]$/u.test(upper)) {
    // The mark of the letter may follow it in the name.
    const forms = new Set([lower, upper, plainOf(lower), plainOf(upper)]);
    return forms.size === 1 ? lower : `[${[...forms].join('')}]`;
  }
  return /^[\w.-]$/.test(letter) ? letter : '?';
}

/** Returns a letter without its marks. */
function plainOf(letter: string): string {
  return letter.normalize('NFD').charAt(0);
}

/** A glob that excludes these folders, relative to a workspace folder, in addition to those that are never listed. */
export function withoutFolders(folders: readonly string[]): string {
  // A glob cannot express other names in a form that both of VS Code's searches read alike.
  const plain = folders.filter((path) => /^[\w./ -]+$/.test(path)).slice(0, maxFoldersLeftOut);
  return `{${['**/node_modules/**', '**/.git/**', ...plain.map((path) => `${path}/**`)].join(',')}}`;
}

const maxFoldersLeftOut = 100;
