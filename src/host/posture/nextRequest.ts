import * as vscode from 'vscode';
import type { Outgoing } from '../../session/dispatch/outgoing.ts';
import type { Session } from '../../session/session.ts';
import { Disposable } from '../../util/disposable.ts';
import type { CommandAbout } from '../attachments/commandAbout.ts';
import type { PendingAttachments } from '../attachments/pendingAttachments.ts';
import type { ProjectInstructions } from '../attachments/projectInstructions.ts';

/** What determines the posture of a request that does not exist yet. */
export type RequestAbout = Pick<Outgoing, 'action' | 'modelKey' | 'askedModel' | 'folders'>;

export interface NextRequestParts {
  readonly session: Pick<Session, 'folders' | 'askedModel' | 'onDidChange'>;
  readonly attachments: Pick<PendingAttachments, 'places' | 'onDidChange'>;
  readonly instructions: Pick<ProjectInstructions, 'places' | 'onDidChange'>;
  /** What a slash command would add to the request. */
  readonly commandAbout: (name: string) => Promise<CommandAbout>;
}

/**
 * Tracks what the panel's next request would contain, as far as it is known; the shown posture is that of this request.
 */
export class NextRequest extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #parts: NextRequestParts | undefined;
  /** The command after the `/` at the start of the composer's text; empty if there is none. */
  #typed = '';
  #command: CommandAbout = {};
  #told = JSON.stringify(this.about);

  get about(): RequestAbout {
    const { session, attachments, instructions } = this.#parts ?? {};
    const { places = [], action = 'chat', command: _, ...asked } = this.#command;
    const project = action === 'chat' ? (instructions?.places ?? []) : [];
    const content = [...(session?.folders ?? []), ...project, ...(attachments?.places ?? []), ...places];
    // A command's model comes first, as in outgoingFor().
    const askedModel = asked.askedModel ?? session?.askedModel;
    const folders = [...new Set(content)];
    return { action, modelKey: 'svc.model.chat', folders, ...(askedModel === undefined ? {} : { askedModel }) };
  }

  /** The slash command at the start of the composer's text. */
  get command(): CommandAbout['command'] {
    return this.#command.command;
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

  /** What a command adds depends on the attachments and the active editor. */
  async #look(): Promise<void> {
    const name = this.#typed;
    const command = name === '' ? {} : await this.#parts?.commandAbout(name);
    if (this.#typed !== name) return;
    this.#command = command ?? {};
    this.#tell();
  }

  #tell(): void {
    const now = JSON.stringify(this.about);
    if (now === this.#told) return;
    this.#told = now;
    this.#changed.fire();
  }
}
