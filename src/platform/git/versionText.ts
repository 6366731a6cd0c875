import * as vscode from 'vscode';
import { readBytes } from '../files/readBytes.ts';
import { blobSizes, readBlobs } from './blobs.ts';
import type { Change, Version } from './changes.ts';
import type { GitPlace } from './run.ts';

/** The reason why a version has no text. */
export type NoText = 'binary' | 'too-large' | 'unreadable' | 'link';

type VersionText = { readonly text: string } | { readonly reason: NoText };

/** The maximum size of a version in bytes. Larger files are not hand-written source. */
const maxVersion = 1024 * 1024;
/** The maximum number of lines of a version, because comparing files with more lines would block the editor. */
const maxLines = 100_000;

/** Reads whole versions of files. */
export class VersionReader {
  readonly #place: GitPlace;
  readonly #sizes: ReadonlyMap<string, number | null>;

  private constructor(place: GitPlace, sizes: ReadonlyMap<string, number | null>) {
    this.#place = place;
    this.#sizes = sizes;
  }

  /** Creates a reader for the git versions of these changes. */
  static async of(place: GitPlace, changes: readonly Change[]): Promise<VersionReader> {
    const oids = changes
      .flatMap(({ before, after }) => [before?.oid, after?.oid])
      .filter((oid) => typeof oid === 'string');
    return new VersionReader(place, await blobSizes(place, oids));
  }

  /** Reads a version. The text of a version that does not exist is empty. */
  async read(version: Version | null, uri: vscode.Uri): Promise<VersionText> {
    if (version === null) return { text: '' };
    const bytes = version.oid === null ? await readFile(uri) : await this.#blob(version.oid);
    if (typeof bytes === 'string') return { reason: bytes };
    // Git uses the same test for binary files.
    if (bytes.subarray(0, 8_000).includes(0)) return { reason: 'binary' };
    try {
      const text = await vscode.workspace.decode(bytes, { uri });
      return hasMoreLines(text, maxLines) ? { reason: 'too-large' } : { text };
    } catch {
      return { reason: 'binary' };
    }
  }

  async #blob(oid: string): Promise<Buffer | NoText> {
    const size = this.#sizes.get(oid) ?? null;
    if (size === null) return 'unreadable';
    if (size > maxVersion) return 'too-large';
    const [bytes] = await readBlobs(this.#place, [oid]);
    return bytes ?? 'unreadable';
  }
}

function hasMoreLines(text: string, limit: number): boolean {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && count <= limit; at = text.indexOf('\n', at + 1)) count += 1;
  return count > limit;
}

/** Reads the saved file, as git would, not the editor's buffer. Does not follow a link that replaced the file. */
async function readFile(uri: vscode.Uri): Promise<Uint8Array | NoText> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
    if (type !== vscode.FileType.File) return 'unreadable';
    return (await readBytes(uri, maxVersion)) ?? 'too-large';
  } catch {
    return 'unreadable';
  }
}
