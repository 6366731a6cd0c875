/** The data types that contain file names: VS Code's own first, which is exact if both are present. */
export const dropKinds = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Whether dropped or pasted data contains an image from outside VS Code. */
export function hasImage(data: DataTransfer | null): boolean {
  return [...(data?.items ?? [])].some(({ kind, type }) => kind === 'file' && type.startsWith('image/'));
}

/** The maximum number of URIs per drop. */
const maxUris = 50;

/** Returns the URIs in dropped data (RFC 2483: one per line, `#` begins a comment); the host checks whether they are files. */
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
