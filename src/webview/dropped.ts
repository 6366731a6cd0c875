/** The kinds of data that name files: VS Code's own first, which is exact where both are there. */
export const dropKinds = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** No more than this many at a time. */
const maxUris = 50;

/** The URIs in what was dropped (RFC 2483: one a line, `#` begins a comment); whether they name files, the host asks. */
export function urisIn(read: (kind: string) => string): readonly string[] {
  for (const kind of dropKinds) {
    const lines = read(kind)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
    if (lines.length > 0) return [...new Set(lines)].slice(0, maxUris);
  }
  return [];
}
