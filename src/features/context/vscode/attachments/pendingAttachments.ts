import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Attached, checkAttached, type OverBudget, type SizeLimits } from '../../../../gate/limits.ts';
import type { SecretScanner } from '../../../../gate/secrets/secretScanner.ts';
import { describeBytes } from '../../../../platform/messages/describeNumber.ts';
import { whyExcluded } from '../../../../platform/sources/ignored/exclusions.ts';
import type { AttachmentChip } from '../../../../protocol/attachments.ts';
import { type Attachment, mayBeFragment, placesOf } from '../../../../send/message/attachment.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { ServiceError } from '../../../../util/errors.ts';
import type { ContextRead, ContextSource } from '../source.ts';

const t = vscode.l10n.t;

interface Pending {
  readonly id: string;
  readonly source: ContextSource;
  readonly size: Attached;
  /** The content at the last read; empty if it must not be sent. */
  readonly content: readonly Attachment[];
  readonly note: string | undefined;
  /** The origins of the content, like Outgoing.folders. */
  readonly places: readonly string[];
  /** The rule that excludes the attachment. */
  readonly excluded: string | undefined;
  /** The number of secrets in the attachment. */
  readonly secrets: number;
}

export interface PendingParts {
  readonly limits: () => SizeLimits;
  readonly scanner: () => Promise<Pick<SecretScanner, 'scanText'>>;
}

/** The attachments of the next question, as references. They are read when the question is sent. */
export class PendingAttachments extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #limits: () => SizeLimits;
  readonly #scanner: PendingParts['scanner'];
  #pending: readonly Pending[] = [];
  /** The attachments whose chips show unsaved changes. */
  #unsaved = '';

  constructor({ limits, scanner }: PendingParts) {
    super();
    this.#limits = limits;
    this.#scanner = scanner;
    // VS Code fires these events even if only the saved state changes and the text does not.
    this._register(vscode.workspace.onDidChangeTextDocument(() => this.#lookUnsaved()));
    this._register(vscode.workspace.onDidSaveTextDocument(() => this.#lookUnsaved()));
    this._register(vscode.workspace.onDidCloseTextDocument(() => this.#lookUnsaved()));
  }

  get chips(): readonly AttachmentChip[] {
    const { fileBytes } = this.#limits();
    return this.#pending.map((pending) => chipOf(pending, fileBytes));
  }

  /** The origins of the attachments, from the last read. */
  get places(): readonly string[] {
    return this.#pending.flatMap(({ places }) => places);
  }

  /** The keys of the sources of the attachments. */
  get keys(): readonly string[] {
    return this.#pending.map(({ source }) => source.key);
  }

  /**
   * The content of the attachments at the last read, without what must not be sent. It is used for its size; what is
   * sent is read again.
   */
  get content(): readonly Attachment[] {
    return this.#pending.flatMap(({ content }) => content);
  }

  /** The reason why the attachments cannot be sent, from the last read; empty if they can. */
  get problem(): string {
    const excess = this.#overBudget();
    if (excess === null) return '';
    const { fileBytes } = this.#limits();
    const names = excess.remove.join(', ');
    return excess.bytes > excess.limit
      ? t('{0} attached; the limit is {1}. Remove {2}', describeBytes(excess.bytes), describeBytes(excess.limit), names)
      : t('The limit for a file is {0}. Remove {1}', describeBytes(fileBytes), names);
  }

  /** Throws a ServiceError if there is nothing to read. */
  async add(source: ContextSource): Promise<void> {
    const { pending } = await this.#look(randomUUID(), source);
    this.#set([...this.#pending.filter((other) => other.source.key !== source.key), pending]);
  }

  /** Replaces all attachments. Throws a ServiceError if there is nothing to read. */
  async replace(source: ContextSource): Promise<void> {
    const { pending } = await this.#look(randomUUID(), source);
    this.#set([pending]);
  }

  remove(id: string): void {
    this.#set(this.#pending.filter((pending) => pending.id !== id));
  }

  /** Removes the attachments whose sources have these keys. */
  removeKeys(keys: readonly string[]): void {
    const kept = this.#pending.filter(({ source }) => !keys.includes(source.key));
    if (kept.length < this.#pending.length) this.#set(kept);
  }

  /** Reads one attachment now; null if there is none with this id. Throws a ServiceError if it cannot be read. */
  async readOne(id: string): Promise<ContextRead | null> {
    const found = this.#pending.find((pending) => pending.id === id);
    return found === undefined ? null : found.source.read();
  }

  /** Removes the attachments with content of this file. */
  leaveOutFile(uri: string): void {
    this.#set(this.#pending.filter(({ content }) => !content.some((each) => each.uri === uri)));
  }

  /**
   * Reads all attachments now. They stay until clear(), so that a question that is not sent keeps them. Throws a
   * ServiceError if one cannot be read, or if they are too large together.
   */
  async read(): Promise<readonly Attachment[]> {
    const looked = await Promise.all(this.#pending.map(({ id, source }) => this.#look(id, source)));
    const now = new Map(looked.map(({ pending }) => [pending.id, pending]));
    // Attachments removed during the read stay removed.
    if (looked.length > 0) this.#set(this.#pending.map((pending) => now.get(pending.id) ?? pending));
    const excess = this.#overBudget();
    if (excess !== null) {
      throw new ServiceError('gate', 'Too much is attached.', {
        code: 'over-budget',
        file: excess.remove.join(', '),
        reason: this.problem,
      });
    }
    return looked.flatMap(({ read }) => read.attachments);
  }

  /** Moves all attachments to the end of another list, which keeps one attachment per source. */
  moveTo(other: PendingAttachments): void {
    const moved = this.#pending;
    if (moved.length === 0) return;
    const keys = new Set(moved.map(({ source }) => source.key));
    this.#set([]);
    other.#set([...other.#pending.filter(({ source }) => !keys.has(source.key)), ...moved]);
  }

  clear(): void {
    this.#set([]);
  }

  /** Reads a source and measures its content. */
  async #look(id: string, source: ContextSource): Promise<{ readonly pending: Pending; readonly read: ContextRead }> {
    const read = await source.read();
    const { attachments, note } = read;
    const reasons = await Promise.all(attachments.map(whyExcluded));
    const [only, ...others] = attachments;
    const label = only === undefined || others.length > 0 ? source.label : only.label;
    const size = { label, files: attachments.map(({ text }) => Buffer.byteLength(text)) };
    const excluded = reasons.find((reason) => reason !== null) ?? undefined;
    const isWithinLimits = excluded === undefined && checkAttached([size], this.#limits()) === null;
    const secrets = isWithinLimits ? await this.#secretsIn(attachments) : 0;
    const content = excluded === undefined ? attachments : [];
    return { pending: { id, source, size, content, note, places: placesOf(attachments), excluded, secrets }, read };
  }

  async #secretsIn(attachments: readonly Attachment[]): Promise<number> {
    const scanner = await this.#scanner();
    let count = 0;
    for (const attachment of attachments) {
      const options = { isFragment: mayBeFragment(attachment), known: attachment.marks ?? [] };
      count += (await scanner.scanText(attachment.text, options)).length;
    }
    return count;
  }

  #overBudget(): OverBudget | null {
    const sizes = this.#pending.map(({ size }) => size);
    return checkAttached(sizes, this.#limits());
  }

  #lookUnsaved(): void {
    if (this.#unsavedKeys() !== this.#unsaved) this.#set(this.#pending);
  }

  #unsavedKeys(): string {
    const unsaved = this.#pending.filter(({ source }) => source.isUnsaved?.() === true);
    return unsaved.map(({ id }) => id).join(' ');
  }

  #set(pending: readonly Pending[]): void {
    this.#pending = pending;
    this.#unsaved = this.#unsavedKeys();
    this.#changed.fire();
  }
}

function chipOf(pending: Pending, fileBytes: number): AttachmentChip {
  const { id, source, size, excluded, secrets } = pending;
  const unsaved = source.isUnsaved?.() === true ? t('unsaved') : undefined;
  const note = [pending.note, unsaved].filter((part) => part !== undefined).join(' · ') || undefined;
  const bytes = size.files.reduce((sum, one) => sum + one, 0);
  const found = secrets === 0 ? undefined : t('secrets: {0}', secrets);
  const warning = warningOf(pending, fileBytes);
  return {
    id,
    label: size.label,
    icon: source.icon,
    size: [excluded === undefined ? describeBytes(bytes) : t('excluded'), note, found]
      .filter((part) => part !== undefined)
      .join(' · '),
    ...(note === undefined ? {} : { note }),
    ...(warning === undefined ? {} : { warning }),
    ...(source.isDecisions === undefined ? {} : { isDecisions: true }),
  };
}

function warningOf({ size, excluded, secrets }: Pending, fileBytes: number): string | undefined {
  if (excluded !== undefined) return t('Excluded by {0}. It is not sent.', excluded);
  if (size.files.some((one) => one > fileBytes)) {
    return t('The limit for a file is {0}. Attach a selection instead.', describeBytes(fileBytes));
  }
  if (secrets === 0) return undefined;
  return secrets === 1
    ? t('1 secret found. Svc Coder asks before it sends the secret, and masks it by default.')
    : t('{0} secrets found. Svc Coder asks before it sends secrets, and masks them by default.', secrets);
}
