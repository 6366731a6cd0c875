import type * as vscode from 'vscode';
import type { FileState } from '../../gate/ignore/ignoreDisk.ts';
import { Disk } from '../sources/disk.ts';
import { readBytes } from '../sources/readBytes.ts';

/** Why the content of an excluded file is not known. */
export type Unrecognized = 'binary' | 'tooLarge' | 'unreadable' | 'noRoom';

/** Larger files are not recognized by their content. Bytes. */
export const maxBytes = 1024 * 1024;
/** The same for a file that git ignores: larger ones are usually generated. */
export const maxIgnoredBytes = 32 * 1024;

/** null if the file no longer exists; undefined if it cannot be examined. */
export async function stateOf(uri: vscode.Uri): Promise<FileState | null | undefined> {
  return new Disk(uri).stat(uri.path).catch(() => undefined);
}

/** Reads the text of a file from the disk. */
export async function readExcluded(
  uri: vscode.Uri,
  most = maxBytes,
): Promise<{ readonly text: string } | Unrecognized> {
  try {
    const bytes = await readBytes(uri, most);
    return bytes === null ? 'tooLarge' : textOf(bytes);
  } catch {
    return 'unreadable';
  }
}

function textOf(bytes: Uint8Array): { readonly text: string } | 'binary' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
  // The same test as git's.
  if (bytes.subarray(0, 8_000).includes(0)) return 'binary';
  return { text: new TextDecoder().decode(bytes) };
}
