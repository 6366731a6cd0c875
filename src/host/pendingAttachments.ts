import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { AttachmentChip } from '../protocol/messages.ts';
import type { Attachment } from '../session/conversation.ts';
import { Disposable } from '../util/disposable.ts';
import { ServiceError } from '../util/errors.ts';
import { attachRange } from './attachCode.ts';
import { describeBytes } from './describeNumber.ts';
import { whyExcluded } from './exclusions.ts';

const t = vscode.l10n.t;

interface Pending {
  readonly id: string;
  readonly uri: vscode.Uri;
  /** Part of the file; absent for all of it. */
  readonly range?: vscode.Range;
  readonly chip: AttachmentChip;
}

/** What goes along with the next question: where it is, not what it says. It is read when the question is sent. */
export class PendingAttachments extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #pending: readonly Pending[] = [];

  get chips(): readonly AttachmentChip[] {
    return this.#pending.map(({ chip }) => chip);
  }

  /** Throws a ServiceError where the file cannot be read as text. */
  async add(uri: vscode.Uri, range?: vscode.Range): Promise<void> {
    const attachment = await read(uri, range);
    const id = randomUUID();
    const excluded = await whyExcluded(attachment);
    const chip = {
      id,
      label: attachment.label,
      size: describeBytes(Buffer.byteLength(attachment.text)),
      ...(excluded === null ? {} : { warning: t('This may not leave: it is excluded by {0}.', excluded) }),
    };
    const others = this.#pending.filter((other) => other.chip.label !== chip.label);
    this.#set([...others, { id, uri, chip, ...(range === undefined ? {} : { range }) }]);
  }

  remove(id: string): void {
    this.#set(this.#pending.filter((pending) => pending.id !== id));
  }

  /** Reads all of them as they are now. They stay until clear(): a question that is not sent keeps them. */
  read(): Promise<readonly Attachment[]> {
    return Promise.all(this.#pending.map(({ uri, range }) => read(uri, range)));
  }

  clear(): void {
    this.#set([]);
  }

  #set(pending: readonly Pending[]): void {
    this.#pending = pending;
    this.#changed.fire();
  }
}

async function read(uri: vscode.Uri, range?: vscode.Range): Promise<Attachment> {
  try {
    return attachRange(await vscode.workspace.openTextDocument(uri), range);
  } catch {
    throw new ServiceError('gate', 'A file cannot be read as text.', {
      code: 'not-text',
      file: vscode.workspace.asRelativePath(uri),
    });
  }
}
