import { posix } from 'node:path';
import * as vscode from 'vscode';
import { linesOf } from '../../../../platform/sources/attach.ts';
import { whyFileExcluded } from '../../../../platform/sources/ignored/exclusions.ts';
import type { AttachmentChip } from '../../../../protocol/attachments.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import type { Session } from '../../../../session/session.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { isServiceError } from '../../../../util/errors.ts';
import type { Logger } from '../../../../util/logger.ts';
import { currentFileSource, type Front, frontNow } from '../currentFile.ts';
import type { ContextSource } from '../source.ts';
import { PendingAttachments, type PendingParts } from './pendingAttachments.ts';

const t = vscode.l10n.t;

/** The delay in milliseconds before the chip follows a change of the editor; longer while the user types. */
const restMs = { editor: 150, text: 500 };
const chipId = 'current-file';

interface Shown {
  readonly source: ContextSource;
  /** The name that the chip shows, such as `pay.ts:3-12`. */
  readonly name: string;
  /** The reason why the file is not sent. */
  readonly warning?: string;
}

interface CurrentFileParts extends PendingParts {
  readonly session: Pick<Session, 'conversation' | 'onDidChange'>;
  /** The user's attachments. A file that is one of them is not sent twice. */
  readonly attached: Pick<PendingAttachments, 'keys' | 'add' | 'onDidChange'>;
  /** Fires when the rules that decide whether a file may be sent have changed. */
  readonly onDidChangeRules: (listener: () => void) => vscode.Disposable;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * The active file, or its selection. It is offered, and is sent only in conversations for which the user has turned
 * this on in this window. The chip shows exactly what is sent.
 */
export class CurrentFile extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #parts: CurrentFileParts;
  /** Contains the file of the chip while it is sent. */
  readonly #followed: PendingAttachments;
  /** The IDs of the conversations in which the current file is sent. */
  readonly #following = new Set<string>();
  #shown: Shown | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStale = false;

  constructor(parts: CurrentFileParts) {
    super();
    this.#parts = parts;
    this.#followed = this._register(new PendingAttachments(parts));
    this._register({ dispose: () => clearTimeout(this.#timer) });
  }

  /** Called when the panel is first shown: until then, the active file is not needed. */
  start(): void {
    const { window, workspace } = vscode;
    const { session, attached, onDidChangeRules } = this.#parts;
    const soon = (): void => this.#soon(restMs.editor);
    this._register(window.onDidChangeActiveTextEditor(soon));
    this._register(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor) soon();
      }),
    );
    this._register(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#isFollowing && document === window.activeTextEditor?.document) this.#soon(restMs.text);
      }),
    );
    this._register(attached.onDidChange(() => this.#changed.fire()));
    this._register(this.#followed.onDidChange(() => this.#changed.fire()));
    this._register(onDidChangeRules(soon));
    this._register(
      session.onDidChange(({ type }) => {
        if (type === 'conversation-changed') void this.look();
      }),
    );
    void this.look();
  }

  /** It is undefined if no code is active, or if the user has attached the file. */
  get chip(): AttachmentChip | undefined {
    const shown = this.#shown;
    if (shown === undefined || this.#isAttached(shown)) return undefined;
    const { name, source, warning } = shown;
    if (warning !== undefined) {
      const about = { id: chipId, icon: source.icon, size: t('not sent'), warning };
      return { ...about, label: name, ...(this.#isFollowing ? {} : { offer: name }) };
    }
    const [sent] = this.#followed.chips;
    if (!this.#isFollowing) {
      const offer = t(
        '{0} is not sent. Click to include the current file in the questions of this conversation.',
        name,
      );
      return { id: chipId, icon: source.icon, label: name, size: '', offer };
    }
    if (sent === undefined) return undefined;
    return { ...sent, id: chipId, size: `${sent.size} · ${t('follows the editor')}` };
  }

  /** Like PendingAttachments.keys, for the file that is sent. */
  get keys(): readonly string[] {
    return this.#isSent ? this.#followed.keys : [];
  }

  get places(): readonly string[] {
    return this.#isSent ? this.#followed.places : [];
  }

  get content(): readonly Attachment[] {
    return this.#isSent ? this.#followed.content : [];
  }

  /** Reads the file of the chip. Throws a ServiceError if it cannot be read. */
  async read(): Promise<readonly Attachment[]> {
    return this.#isSent ? this.#followed.read() : [];
  }

  /** Sends the current file with the questions of this conversation. */
  async follow(): Promise<void> {
    this.#following.add(this.#parts.session.conversation.id);
    await this.look();
  }

  /** Stops sending the current file. Returns false if the chip is another one. */
  leaveOut(id: string): boolean {
    if (id !== chipId) return false;
    this.#following.delete(this.#parts.session.conversation.id);
    this.#followed.clear();
    return true;
  }

  /** Leaves out the current file if it has this URI. */
  leaveOutFile(uri: string): void {
    if (this.content.some((each) => each.uri === uri)) this.leaveOut(chipId);
  }

  /** Turns the current file into an attachment, so that it stays the same while a question waits. */
  async pin(): Promise<void> {
    if (this.#isSent && this.#shown !== undefined) await this.#parts.attached.add(this.#shown.source);
  }

  /** Reads the active file now. */
  look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isStale = true;
    this.#looking ??= this.#lookAgain().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  get #isFollowing(): boolean {
    return this.#following.has(this.#parts.session.conversation.id);
  }

  get #isSent(): boolean {
    const shown = this.#shown;
    return this.#isFollowing && shown !== undefined && shown.warning === undefined && !this.#isAttached(shown);
  }

  #isAttached({ source }: Shown): boolean {
    return this.#parts.attached.keys.includes(source.key);
  }

  #soon(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), ms);
  }

  /** Reads until nothing changes: a change during a read causes another read. */
  async #lookAgain(): Promise<void> {
    while (this.#isStale && !this._isDisposed) {
      this.#isStale = false;
      const front = frontNow();
      // The chip keeps showing the previous code.
      if (front === 'other') continue;
      this.#shown = front === undefined ? undefined : await this.#see(front);
      if (this.#shown === undefined || this.#shown.warning !== undefined) this.#followed.clear();
      this.#changed.fire();
    }
  }

  async #see(front: Front): Promise<Shown> {
    const { uri, range } = front;
    const source = currentFileSource(front);
    const name = `${posix.basename(uri.path)}${range === undefined ? '' : `:${linesOf(range)}`}`;
    const rule = await whyFileExcluded(uri.toString());
    if (rule !== null) return { source, name, warning: t('Excluded by {0}. It is not sent.', rule) };
    if (!this.#isFollowing) return { source, name };
    try {
      await this.#followed.replace(source);
      return { source, name };
    } catch (error) {
      if (!isServiceError(error)) this.#parts.logger.warn('The current file could not be read.');
      return { source, name, warning: t('It cannot be read as text. It is not sent.') };
    }
  }
}
