import { hiddenCharacters } from '../../../../session/prompts/hiddenText.ts';
import { foldCase } from '../../../../util/foldCase.ts';
import { anyNamePattern } from '../../../../util/namePattern.ts';
import { guardedFiles } from './guardedFiles.ts';

const maxLength = 400;

/**
 * Returns a path below a workspace folder, with `/` between its names. Returns null for anything else: absolute paths,
 * drives, schemes, paths that lead outside, hidden characters, and names that only some systems distinguish.
 */
export function safeParseAnswerPath(text: string): string | null {
  if (text === '' || text.length > maxLength || /[^\x20-\x7e\p{L}\p{N}\p{M}]|[\\:*?"<>|~%`]/u.test(text)) return null;
  // Names of routes contain a dollar sign, but not in the form of a shell variable.
  if (/(?:^|\/)\$[A-Z_{(]/.test(text)) return null;
  if (hiddenCharacters([text]).length > 0) return null;
  const names = text.replace(/^\.\//, '').split('/');
  const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/^ |[ .]$/.test(name);
  return names.every(isName) ? names.join('/') : null;
}

const guarded = anyNamePattern(Object.values(guardedFiles).flat());

/**
 * Whether a file controls what runs on this machine without the user starting it, what is sent from it, or the
 * instructions of assistants. Takes any path and ignores case.
 */
export function isGuarded(path: string): boolean {
  return guarded.test(foldCase(path.replaceAll('\\', '/')));
}
