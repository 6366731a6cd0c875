import { sha256Hex } from '../../util/sha256.ts';

/**
 * The name of a workspace's folder of conversations: a digest of its folders' URIs, so that the name reveals nothing,
 * and the same folders share conversations regardless of their order, the window or the workspace file.
 */
export function workspaceKey(folderUris: readonly string[]): string {
  const uris = [...new Set(folderUris.map(normalized))].sort();
  if (uris.length === 0) return 'no-workspace';
  return sha256Hex(JSON.stringify(uris)).slice(0, 32);
}

/** Normalizes `file:///C%3A/One/` to `file:///c:/One`: VS Code and other programs spell the same folder differently. */
function normalized(uri: string): string {
  let text = uri.trim();
  try {
    text = decodeURIComponent(text);
  } catch {
    // A % that encodes nothing is kept unchanged.
  }
  return text
    .normalize('NFC')
    .replace(/\/+$/, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, (origin) => origin.toLowerCase())
    .replace(/^(file:\/\/[^/]*\/)([a-z]:)/i, (_, head: string, drive: string) => head + drive.toLowerCase());
}
