import * as vscode from 'vscode';
import type { SizeLimits } from '../../../../gate/limits.ts';
import { showHint } from '../../../../platform/messages/hint.ts';
import type { Feature } from '../../../../policy/managed/managedPolicy.ts';
import type { AttachmentChip } from '../../../../protocol/attachments.ts';
import type { Card } from '../../../../protocol/card.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import type { Project } from '../../../../send/outgoing.ts';
import type { Session } from '../../../../session/session.ts';
import { Disposable } from '../../../../util/disposable.ts';
import {
  instructionNames,
  organizationInstructions,
  type ProjectFile,
  readInstructions,
  readInstructionsNear,
} from '../instructions.ts';
import { instructionsCard, instructionsChip, organizationChip } from './describeInstructions.ts';

const t = vscode.l10n.t;

/** The key for whether the user of this workspace was told that instructions are sent. */
const toldKey = 'svc.instructions.told';
/** Like toldKey, but for requests for code. */
const toldOfCodeKey = 'svc.instructions.toldOfCode';
/** The key for the files that the user left out: pairs of a conversation ID and a URI, the newest last. */
const leftOutKey = 'svc.instructions.leftOut';
const maxLeftOut = 200;

/** The ID of the message that tells the user about instructions. */
const instructionsMessageId = 'instructions';

interface ShownFile {
  readonly file: ProjectFile;
  readonly chip: AttachmentChip;
}

interface InstructionsParts {
  readonly session: Pick<Session, 'conversation' | 'onDidChange'>;
  readonly contextReader: {
    limits(): SizeLimits;
    allows(feature: Feature): boolean;
    onDidChange(listener: () => void): vscode.Disposable;
  };
  /** Returns the organization's instructions of the managed policy. */
  readonly ofOrganization: () => string | undefined;
  readonly state: vscode.Memento;
  /** The messages of the panel. */
  readonly messages: {
    show(id: string, card: Card): void;
    dismiss(id: string): void;
  };
}

/** The organization's and the project's instructions that are sent with questions, except files that the user has left out. */
export class ProjectInstructions extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #parts: InstructionsParts;
  /** The organization's instructions from the last read. The user cannot leave them out. */
  #ofOrganization: readonly Attachment[] = [];
  /** The files from the last read, with their chips. */
  #files: readonly ShownFile[] = [];
  #isRead = false;
  readonly #ids = new Map<string, string>();
  #watchers: readonly vscode.Disposable[] = [];
  #isShown = false;
  #isLooking = false;
  #isStale = false;

  constructor(parts: InstructionsParts) {
    super();
    this.#parts = parts;
    this._register({ dispose: () => this.#unwatch() });
  }

  /** Called when the panel is first shown: until then, the chips are not needed. */
  start(): void {
    const { workspace } = vscode;
    const { session, contextReader } = this.#parts;
    const look = (): void => void this.#look();
    const ifOurs = ({ uri }: vscode.TextDocument): void => {
      if (instructionNames.some((name) => uri.path.endsWith(`/${name}`))) look();
    };
    this.#isShown = true;
    this._register(workspace.onDidChangeWorkspaceFolders(() => this.#watch()));
    this._register(workspace.onDidGrantWorkspaceTrust(look));
    this._register(workspace.onDidChangeTextDocument(({ document }) => ifOurs(document)));
    this._register(workspace.onDidSaveTextDocument(ifOurs));
    this._register(workspace.onDidCloseTextDocument(ifOurs));
    this._register(contextReader.onDidChange(look));
    this._register(
      session.onDidChange(({ type }) => {
        if (type === 'conversation-changed') look();
      }),
    );
    this.#watch();
  }

  /** The chips of the shown conversation. */
  get chips(): readonly AttachmentChip[] {
    return [...this.#ofOrganization.map(organizationChip), ...this.#shown().map(({ chip }) => chip)];
  }

  /**
   * Whether the files have been read once. Until then, the next question may contain the instructions of any folder.
   */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The files whose instructions are sent, from the last read. */
  get sources(): Project['files'] {
    const sent = this.#shown().flatMap(({ file }) => attachmentOf(file));
    return sent.map(({ label, uri, folder }) => ({ label, uri, folder }));
  }

  /** The instructions for a question of this conversation, read now. */
  async read(conversationId: string): Promise<readonly Attachment[]> {
    const { ofOrganization, files } = await this.#readAll();
    const shown = this.#set(ofOrganization, files);
    return [...ofOrganization, ...this.#without(shown, conversationId).flatMap(({ file }) => attachmentOf(file))];
  }

  /**
   * The instructions for code in a file, or in a new document, read now. The first time in a workspace, the user is told of those
   * of the project.
   */
  async near(uri: vscode.Uri | null): Promise<readonly Attachment[]> {
    const ofOrganization = await this.#readOrganization();
    return [...ofOrganization, ...(uri === null ? [] : await this.#filesNear(uri))];
  }

  async #filesNear(uri: vscode.Uri): Promise<readonly Attachment[]> {
    const { contextReader, state } = this.#parts;
    if (!contextReader.allows('instructions')) return [];
    const files = await readInstructionsNear(uri, contextReader.limits().fileBytes);
    if (files.length > 0 && state.get(toldOfCodeKey) !== true) {
      void state.update(toldOfCodeKey, true);
      const labels = files.map(({ label }) => label).join(', ');
      showHint(t('Instructions of the project are sent with requests for code: {0}', labels));
    }
    return files.flatMap(attachmentOf);
  }

  /** Leaves a file out of the shown conversation. Returns false if the chip is not for an instructions file. */
  leaveOut(chipId: string): boolean {
    const found = this.#files.find(({ chip }) => chip.id === chipId);
    if (found !== undefined) this.#leaveOut([found]);
    return found !== undefined;
  }

  leaveOutAll(): void {
    this.#leaveOut(this.#files);
  }

  /** Leaves out the files with these URIs. */
  leaveOutFiles(uris: readonly string[]): void {
    this.#leaveOut(this.#files.filter(({ file }) => uris.includes(file.uri.toString())));
  }

  /** Deletes the stored choices of files that were left out in this workspace. */
  async forget(): Promise<void> {
    await this.#parts.state.update(leftOutKey, undefined);
    this.#changed.fire();
  }

  #leaveOut(files: readonly ShownFile[]): void {
    const { id } = this.#parts.session.conversation;
    const kept = [...this.#leftOut(), ...files.map(({ file }) => `${id} ${file.uri}`)].slice(-maxLeftOut);
    void this.#parts.state.update(leftOutKey, kept);
    this.#parts.messages.dismiss(instructionsMessageId);
    this.#changed.fire();
  }

  #leftOut(): readonly string[] {
    const stored = this.#parts.state.get<unknown>(leftOutKey);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  }

  #shown(): readonly ShownFile[] {
    return this.#without(this.#files, this.#parts.session.conversation.id);
  }

  #without(files: readonly ShownFile[], conversationId: string): readonly ShownFile[] {
    const leftOut = new Set(this.#leftOut());
    return files.filter(({ file }) => !leftOut.has(`${conversationId} ${file.uri}`));
  }

  async #readAll() {
    const { contextReader } = this.#parts;
    const ofOrganization = await this.#readOrganization();
    const mayRead = contextReader.allows('instructions');
    return { ofOrganization, files: mayRead ? await readInstructions(contextReader.limits().fileBytes) : [] };
  }

  #readOrganization(): Promise<readonly Attachment[]> {
    return organizationInstructions(this.#parts.ofOrganization());
  }

  /** Reads the files for their chips. A change during a read causes another read. */
  async #look(): Promise<void> {
    this.#isStale = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const { ofOrganization, files } = await this.#readAll();
        if (this._isDisposed) return;
        this.#set(ofOrganization, files);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  #set(ofOrganization: readonly Attachment[], files: readonly ProjectFile[]): readonly ShownFile[] {
    const before = JSON.stringify(this.chips);
    const now = files.map((file) => ({ file, chip: instructionsChip(file, this.#idOf(file)) }));
    const isFirst = !this.#isRead;
    this.#ofOrganization = ofOrganization;
    this.#files = now;
    this.#isRead = true;
    this.#tell();
    if (isFirst || JSON.stringify(this.chips) !== before) this.#changed.fire();
    return now;
  }

  /** Shows a message in the panel, the first time in a workspace, that instructions are sent. */
  #tell(): void {
    const { state, messages } = this.#parts;
    const sentFiles = this.#shown().filter(({ file }) => 'attachment' in file);
    if (!this.#isShown || sentFiles.length === 0 || state.get(toldKey) === true) return;
    void state.update(toldKey, true);
    messages.show(instructionsMessageId, instructionsCard(sentFiles.map(({ file }) => file.label)));
  }

  #idOf({ uri }: ProjectFile): string {
    const key = uri.toString();
    const id = this.#ids.get(key) ?? `instructions-${this.#ids.size}`;
    this.#ids.set(key, id);
    return id;
  }

  #watch(): void {
    this.#unwatch();
    const ignoreFiles = ['.svcignore', '.gitignore'];
    const names = [...instructionNames, '.github', ...ignoreFiles, ...ignoreFiles.map((name) => `.github/${name}`)];
    this.#watchers = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(folder, `{${names.join(',')}}`),
      );
      const look = (): void => void this.#look();
      return [watcher, watcher.onDidCreate(look), watcher.onDidChange(look), watcher.onDidDelete(look)];
    });
    void this.#look();
  }

  #unwatch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = [];
  }
}

function attachmentOf(file: ProjectFile): readonly Attachment[] {
  return 'attachment' in file ? [file.attachment] : [];
}
