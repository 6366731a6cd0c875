import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { AttachmentChip } from '../protocol/messages.ts';
import type { Attachment } from '../session/conversation.ts';
import { Disposable } from '../util/disposable.ts';
import type { ContextRead, ContextSource } from './context/source.ts';
import { describeBytes } from './describeReview.ts';
import { whyExcluded } from './exclusions.ts';

const t = vscode.l10n.t;

interface Pending {
  readonly id: string;
  readonly source: ContextSource;
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

  /** Throws a ServiceError where there is nothing that could be read. */
  async add(source: ContextSource): Promise<void> {
    const added = await look(randomUUID(), source);
    this.#set([...this.#pending.filter((other) => other.source.key !== source.key), added.pending]);
  }

  remove(id: string): void {
    this.#set(this.#pending.filter((pending) => pending.id !== id));
  }

  /** Reads all of them as they are now. They stay until clear(): a question that is not sent keeps them. */
  async read(): Promise<readonly Attachment[]> {
    const looked = await Promise.all(this.#pending.map(({ id, source }) => look(id, source)));
    return looked.flatMap(({ read }) => read.attachments);
  }

  clear(): void {
    this.#set([]);
  }

  #set(pending: readonly Pending[]): void {
    this.#pending = pending;
    this.#changed.fire();
  }
}

/** Reads a source, and says what its chip says. */
async function look(
  id: string,
  source: ContextSource,
): Promise<{ readonly pending: Pending; readonly read: ContextRead }> {
  const read = await source.read();
  const { attachments, note } = read;
  const bytes = attachments.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const reasons = await Promise.all(attachments.map(whyExcluded));
  const excluded = reasons.find((reason) => reason !== null);
  const [only, ...others] = attachments;
  const chip: AttachmentChip = {
    id,
    label: only === undefined || others.length > 0 ? source.label : only.label,
    icon: source.icon,
    size: [describeBytes(bytes), note].filter((part) => part !== undefined).join(' · '),
    ...(note === undefined ? {} : { note }),
    ...(excluded == null ? {} : { warning: t('This may not leave: it is excluded by {0}.', excluded) }),
  };
  return { pending: { id, source, chip }, read };
}
