import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import * as vscode from 'vscode';

/** Opening a pipe must not wait for a writer, nor a terminal become ours. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
/** Read at once of a file that has grown. Bytes. */
const further = 64 * 1024;

/**
 * Rejects for what is no file: reading a pipe or a device may never end, and opening one can have an effect. Follows links.
 */
export async function requireFile(uri: vscode.Uri): Promise<void> {
  const isFile =
    uri.scheme === 'file'
      ? (await ofThisMachine(uri, () => stat(uri.fsPath))).isFile()
      : ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  if (!isFile) throw vscode.FileSystemError.Unavailable(uri);
}

/**
 * The bytes of a file: the only way in which files of a workspace are read. null if it has more than `most` bytes. Rejects
 * with a FileSystemError if it cannot be read, or is a folder, a pipe, a device or a socket.
 */
export async function readBytes(uri: vscode.Uri, most: number): Promise<Uint8Array | null> {
  await requireFile(uri);
  if (uri.scheme === 'file') return ofThisMachine(uri, () => readHere(uri, most));
  if ((await vscode.workspace.fs.stat(uri)).size > most) return null;
  const bytes = await vscode.workspace.fs.readFile(uri);
  return bytes.length > most ? null : bytes;
}

async function readHere(uri: vscode.Uri, most: number): Promise<Uint8Array | null> {
  const file = await open(uri.fsPath, flags);
  try {
    const found = await file.stat();
    // It may have been replaced since.
    if (!found.isFile()) throw vscode.FileSystemError.Unavailable(uri);
    if (found.size > most) return null;
    const parts: Buffer[] = [];
    for (let size = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(size === 0 ? found.size + 1 : further));
      if (bytesRead === 0) return Buffer.concat(parts);
      size += bytesRead;
      if (size > most) return null;
      parts.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Rejects with VS Code's errors in place of those of Node. */
async function ofThisMachine<T>(uri: vscode.Uri, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') throw vscode.FileSystemError.FileNotFound(uri);
    if (code === 'EACCES' || code === 'EPERM') throw vscode.FileSystemError.NoPermissions(uri);
    throw error instanceof vscode.FileSystemError ? error : vscode.FileSystemError.Unavailable(uri);
  }
}
