import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import * as vscode from 'vscode';

/**
 * With these flags, opening a pipe does not wait for a writer, and a terminal does not become the controlling terminal.
 * Windows has neither flag.
 */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
/** The number of bytes in each further read, if a file has grown. */
const furtherBytes = 64 * 1024;

/**
 * Rejects if a URI is not that of a file: reading a pipe or a device may never end, and opening it can have side effects.
 * Follows links.
 */
export async function requireFile(uri: vscode.Uri): Promise<void> {
  const isFile =
    uri.scheme === 'file'
      ? (await ofThisMachine(uri, () => stat(uri.fsPath))).isFile()
      : ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  if (!isFile) throw vscode.FileSystemError.Unavailable(uri);
}

/**
 * Reads a file. All files of a workspace are read with this function. Returns null if the file has more than `maxBytes`
 * bytes. Rejects with a FileSystemError if it cannot be read, or is a folder, a pipe, a device or a socket.
 */
export async function readBytes(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array | null> {
  await requireFile(uri);
  if (uri.scheme === 'file') return ofThisMachine(uri, () => readHere(uri, maxBytes));
  if ((await vscode.workspace.fs.stat(uri)).size > maxBytes) return null;
  const bytes = await vscode.workspace.fs.readFile(uri);
  return bytes.length > maxBytes ? null : bytes;
}

/** Reads up to `length` bytes of the start of a file. Returns null if the file system cannot read a part of a file. */
export async function readStart(uri: vscode.Uri, length: number): Promise<Uint8Array | null> {
  if (uri.scheme !== 'file') return null;
  await requireFile(uri);
  return ofThisMachine(uri, () =>
    opened(uri, async (file) => {
      const bytes = Buffer.alloc(length);
      let size = 0;
      for (let read = -1; read !== 0 && size < length; size += read) {
        read = (await file.read(bytes, size, length - size)).bytesRead;
      }
      return bytes.subarray(0, size);
    }),
  );
}

function readHere(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array | null> {
  return opened(uri, async (file, sizeBefore) => {
    if (sizeBefore > maxBytes) return null;
    const parts: Buffer[] = [];
    for (let size = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(size === 0 ? sizeBefore + 1 : furtherBytes));
      if (bytesRead === 0) return Buffer.concat(parts);
      size += bytesRead;
      if (size > maxBytes) return null;
      parts.push(buffer.subarray(0, bytesRead));
    }
  });
}

type OpenFile = Awaited<ReturnType<typeof open>>;

async function opened<T>(uri: vscode.Uri, read: (file: OpenFile, size: number) => Promise<T>): Promise<T> {
  const file = await open(uri.fsPath, flags);
  try {
    const found = await file.stat();
    // The file may have been replaced since the first check.
    if (!found.isFile()) throw vscode.FileSystemError.Unavailable(uri);
    return await read(file, found.size);
  } finally {
    await file.close();
  }
}

/** Calls `read` and converts Node's errors to VS Code's. */
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
