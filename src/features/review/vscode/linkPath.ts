import { posix } from 'node:path';

/**
 * A link to a line of a file, as VS Code's Markdown preview follows it on a page that is no file itself: a path from the
 * first folder of the workspace. Both paths are those of URIs.
 */
export function linkPath(firstFolder: string, file: string, line: number): string {
  const names = posix.relative(firstFolder, file).split('/');
  return `/${names.map((name) => encodeURIComponent(name.toWellFormed())).join('/')}#L${line}`;
}
