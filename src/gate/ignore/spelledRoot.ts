/**
 * The part of a folder's path that is `root`, spelled as in that path; null where the folder is neither the root nor below
 * it. Absolute paths without a slash at their end.
 */
export function spelledRoot(folder: string, root: string, ignoresCase: boolean): string | null {
  const spelled = folder.slice(0, root.length);
  const isBelow = root === '/' || folder.length === root.length || folder[root.length] === '/';
  const isSame = ignoresCase ? spelled.toLowerCase() === root.toLowerCase() : spelled === root;
  return isBelow && isSame ? spelled : null;
}
