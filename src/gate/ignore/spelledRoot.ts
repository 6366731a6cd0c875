/**
 * The prefix of a folder's path that denotes `root`, in that path's spelling, or null if the folder is neither the root nor
 * below it. Both are absolute paths without a trailing slash.
 */
export function spelledRoot(folder: string, root: string, ignoresCase: boolean): string | null {
  const spelled = folder.slice(0, root.length);
  const isBelow = root === '/' || folder.length === root.length || folder[root.length] === '/';
  const isSame = ignoresCase ? spelled.toLowerCase() === root.toLowerCase() : spelled === root;
  return isBelow && isSame ? spelled : null;
}
