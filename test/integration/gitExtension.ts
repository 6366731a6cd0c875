/**
 * Whether an error was thrown by VS Code's Git extension, and no other code is in its stack. For example, EPIPE: the extension
 * writes to a `git check-ignore` that has ended, because its repository was removed.
 */
export function isOfGitExtension({ stack = '' }: Error): boolean {
  const files = stack.split('\n').filter((line) => /^\s+at .*[\\/]/.test(line) && !line.includes('node:'));
  return files.length > 0 && files.every((line) => /[\\/]extensions[\\/]git[\\/]dist[\\/]/.test(line));
}
