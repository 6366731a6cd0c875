import { hiddenCharacters } from '../../../session/prompts/hiddenText.ts';

/** What the opening line of a fence says besides the language. */
export interface FenceInfo {
  readonly language: string;
  /** The file that the code is for; absent where the line names none, or not in one of the two ways. */
  readonly path?: string;
}

const longest = 400;

/**
 * Reads a fence's opening line, strictly. A file is named in one of two ways: `ts title="src/pay.ts"`, or as the one
 * other word, `ts src/pay.ts`, which has to have a slash or an ending. What a line of prose before the fence says is
 * never read: it may speak of any file.
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
 * A path below a workspace folder, with `/` between its names; null for anything else: absolute, with a drive or a
 * scheme, leading out, hidden characters, names that only some systems tell apart from another.
 */
export function safeParseAnswerPath(text: string): string | null {
  if (text === '' || text.length > longest || /[^\x20-\x7e\p{L}\p{N}\p{M}]|[\\:*?"<>|~$%`]/u.test(text)) return null;
  if (hiddenCharacters([text]).length > 0) return null;
  const names = text.replace(/^\.\//, '').split('/');
  const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/^ |[ .]$/.test(name);
  return names.every(isName) ? names.join('/') : null;
}

const guardedFolders = new Set(
  '.vscode .git .svc .svn .hg .idea .fleet .zed .devcontainer .github .gitlab .circleci .husky .githooks .cursor .claude .continue .direnv'.split(
    ' ',
  ),
);
const guardedNames =
  /^(.+\.code-workspace|\.devcontainer\.json|\.envrc|\.gitconfig|\.gitmodules|\.gitattributes|\.gitlab-ci\.ya?ml|\.?mcp\.json|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|\.svcignore|\.gitignore|\.pre-commit-config\.yaml|lefthook\.ya?ml|jenkinsfile|agents\.md|claude\.md|\.bashrc|\.profile)$/;

/**
 * Files that decide what runs on this machine without anybody starting it, what leaves it, or what assistants are told:
 * settings, tasks, hooks, pipelines. Asked of any path, whatever its case.
 */
export function isGuarded(path: string): boolean {
  const names = path.replaceAll('\\', '/').toLowerCase().split('/');
  return names.slice(0, -1).some((name) => guardedFolders.has(name)) || guardedNames.test(names.at(-1) ?? '');
}
