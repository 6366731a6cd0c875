/** The path of a file after `from` (the file or a folder above it) is renamed to `to`, or null if `from` is neither. */
export function movedPath(path: string, from: string, to: string): string | null {
  if (path === from) return to;
  const above = from.endsWith('/') ? from : `${from}/`;
  return path.startsWith(above) ? `${to.endsWith('/') ? to.slice(0, -1) : to}/${path.slice(above.length)}` : null;
}
