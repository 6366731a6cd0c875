import * as vscode from 'vscode';
import type { Attachment } from '../../../../send/message/attachment.ts';
import type { CurrentFile } from './currentFile.ts';
import type { PendingAttachments } from './pendingAttachments.ts';

type Part = Pick<PendingAttachments, 'keys' | 'places' | 'content' | 'leaveOutFile' | 'read' | 'onDidChange'>;

/**
 * The attachments of the next question: the current file if the user has turned this on, then the user's attachments.
 */
export class NextAttachments implements Part {
  readonly #parts: readonly Part[];

  constructor(current: CurrentFile, attached: PendingAttachments) {
    this.#parts = [current, attached];
  }

  get keys(): readonly string[] {
    return this.#parts.flatMap(({ keys }) => keys);
  }

  get places(): readonly string[] {
    return this.#parts.flatMap(({ places }) => places);
  }

  get content(): readonly Attachment[] {
    return this.#parts.flatMap(({ content }) => content);
  }

  /** Leaves out a file of the next question. */
  leaveOutFile(uri: string): void {
    for (const part of this.#parts) part.leaveOutFile(uri);
  }

  /** Throws a ServiceError if one of them cannot be read. */
  async read(): Promise<readonly Attachment[]> {
    return (await Promise.all(this.#parts.map((part) => part.read()))).flat();
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return vscode.Disposable.from(...this.#parts.map((part) => part.onDidChange(listener)));
  }
}
