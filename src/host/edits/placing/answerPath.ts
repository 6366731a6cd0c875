import { hiddenCharacters } from '../../../session/prompts/hiddenText.ts';
import { anyNamePattern } from '../../../util/namePattern.ts';
import { guardedFiles } from './guardedFiles.ts';

/** The contents of a fence's opening line. */
interface FenceInfo {
  readonly language: string;
  /** The file the code is for; absent where the line names none, or in another form than the two supported. */
  readonly path?: string;
}

const longest = 400;

/**
 * Parses a fence's opening line, strictly. A file is named as `ts title="src/pay.ts"`, or as the only other word, `ts
 * src/pay.ts`, which must contain a slash or an extension. Prose before the fence is never parsed: it may mention any
 * file.
 */
export function readFenceInfo(info: string): FenceInfo {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(info) ?? [];
  const language = word.replace(/^\{?\.?(?:language-)?/, '').replace(/[,}]$/, '');
  const titled = /^title=(?:"([^"]+)"|'([^']+)'|(\S+))$/.exec(rest);
  const named = titled?.[1] ?? titled?.[2] ?? titled?.[3] ?? (/^[^\s=]*([/]|\.\w)[^\s=]*$/.test(rest) ? rest : '');
  const path = safeParseAnswerPath(named);
  return path === null ? { language } : { language, path };
}

/**
 * Returns a path below a workspace folder, with `/` between its names. Returns null for anything else: absolute paths,
 * drives, schemes, paths that lead outside, hidden characters, and names that only some systems distinguish.
 */
export function safeParseAnswerPath(text: string): string | null {
  if (text === '' || text.length > longest || /[^\x20-\x7e\p{L}\p{N}\p{M}]|[\\:*?"<>|~$%`]/u.test(text)) return null;
  if (hiddenCharacters([text]).length > 0) return null;
  const names = text.replace(/^\.\//, '').split('/');
  const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/^ |[ .]$/.test(name);
  return names.every(isName) ? names.join('/') : null;
}

const guarded = anyNamePattern(Object.values(guardedFiles).flat());

/**
 * Returns whether a file controls what runs on this machine without the user starting it, what is sent from it, or the
 * instructions of assistants. Takes any path and ignores case.
 */
export function isGuarded(path: string): boolean {
  return guarded.test(path.replaceAll('\\', '/').toLowerCase());
}
