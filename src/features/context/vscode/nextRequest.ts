import * as vscode from 'vscode';
import type { RequestAbout } from '../../../platform/settings/requestContextReader.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import type { Session } from '../../../session/session.ts';
import { Disposable } from '../../../util/disposable.ts';
import type { CommandAbout } from './attachments/commandAbout.ts';
import type { PendingAttachments } from './attachments/pendingAttachments.ts';
import type { ProjectInstructions } from './attachments/projectInstructions.ts';

interface NextRequestParts {
  readonly session: Pick<Session, 'folders' | 'askedModel' | 'onDidChange'>;
  readonly attachments: Pick<PendingAttachments, 'places' | 'content' | 'onDidChange'>;
  readonly instructions: Pick<ProjectInstructions, 'sources' | 'onDidChange'>;
  /** Returns what a slash command would add to the request. */
  readonly commandAbout: (name: string) => Promise<CommandAbout>;
  /** Returns the code or diff that the command would use if nothing is attached. */
  readonly commandContent: (name: string) => Promise<readonly Attachment[]>;
}

/**
 * Tracks what the panel's next request would contain, as far as it is known. The shown posture is that of this request.
 */
export class NextRequest extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #parts: NextRequestParts | undefined;
  /** The command after the `/` at the start of the composer's text; empty if there is none. */
  #typed = '';
  #command: CommandAbout = {};
  #content: readonly Attachment[] = [];
  /** The number of the last look, because an earlier look may end later. */
  #lookCount = 0;
  #lastState = this.#state;

  get about(): RequestAbout {
    const { session, attachments, instructions } = this.#parts ?? {};
    const { places = [], action = 'chat', command: _, ...asked } = this.#command;
    const files = instructions?.sources ?? [];
    const others = [...new Set([...(session?.folders ?? []), ...places])];
    const foldersWithout = [...new Set([...others, ...(attachments?.places ?? [])])];
    const attached = (attachments?.content ?? []).map(({ label, uri, folder, covers = [] }) => ({
      label,
      uri,
      folder,
      covers,
    }));
    // A command's model comes first, as in outgoingFor().
    const askedModel = asked.askedModel ?? session?.askedModel;
    return {
      action,
      modelKey: 'svc.model.chat',
      folders: [...new Set([...foldersWithout, ...files.map(({ folder, uri }) => folder ?? uri)])],
      project: { files, foldersWithout },
      attached: { files: attached, foldersWithout: others },
      ...(askedModel === undefined ? {} : { askedModel }),
    };
  }

  /** The slash command at the start of the composer's text. */
  get command(): CommandAbout['command'] {
    return this.#command.command;
  }

  /** The content that this command takes from the editor or from git. */
  get content(): readonly Attachment[] {
    return this.#content;
  }

  /** Called when the other parts of the extension exist. */
  connect(parts: NextRequestParts): void {
    this.#parts = parts;
    this._register(
      parts.session.onDidChange(({ type }) => {
        if (type !== 'delta') this.#tell();
      }),
    );
    this._register(parts.attachments.onDidChange(() => void this.#look()));
    this._register(parts.instructions.onDidChange(() => this.#tell()));
    this._register(vscode.window.onDidChangeActiveTextEditor(() => void this.#look()));
  }

  /** Called when the command at the start of the composer's text changes. */
  async type(name: string): Promise<void> {
    this.#typed = name;
    await this.#look();
  }

  /** Determines what a command adds. It depends on the attachments and the active editor. */
  async #look(): Promise<void> {
    this.#lookCount += 1;
    const look = this.#lookCount;
    const name = this.#typed;
    const command = name === '' ? {} : await this.#parts?.commandAbout(name);
    if (this.#lookCount !== look) return;
    this.#command = command ?? {};
    this.#tell();
    const content = name === '' ? [] : await this.#parts?.commandContent(name);
    if (this.#lookCount !== look) return;
    this.#content = content ?? [];
    this.#tell();
  }

  get #state(): string {
    return JSON.stringify([this.about, this.#content.map(({ label, text }) => [label, text.length])]);
  }

  #tell(): void {
    const now = this.#state;
    if (now === this.#lastState) return;
    this.#lastState = now;
    this.#changed.fire();
  }
}
