import * as vscode from 'vscode';
import type { Outgoing } from '../../session/dispatch/outgoing.ts';
import type { Session } from '../../session/session.ts';
import { Disposable } from '../../util/disposable.ts';
import type { CommandAbout } from '../attachments/commandAbout.ts';
import type { PendingAttachments } from '../attachments/pendingAttachments.ts';

/** What decides about a request before there is one. */
export type RequestAbout = Pick<Outgoing, 'action' | 'modelKey' | 'askedModel' | 'folders'>;

export interface NextRequestParts {
  readonly session: Pick<Session, 'folders' | 'onDidChange'>;
  readonly attachments: Pick<PendingAttachments, 'places' | 'onDidChange'>;
  /** What a slash command would bring along. */
  readonly commandAbout: (name: string) => Promise<CommandAbout>;
}

/** What the panel's next request carries, as far as it is known before it is asked: the posture is that of this request. */
export class NextRequest extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #parts: NextRequestParts | undefined;
  /** Behind the `/` at the start of the composer's text; empty where there is none. */
  #typed = '';
  #command: CommandAbout = {};
  #told = JSON.stringify(this.about);

  get about(): RequestAbout {
    const { session, attachments } = this.#parts ?? {};
    const { places = [], ...command } = this.#command;
    const folders = [...new Set([...(session?.folders ?? []), ...(attachments?.places ?? []), ...places])];
    return { action: 'chat', modelKey: 'svc.model.chat', folders, ...command };
  }

  /** The rest of the house is there: from now on there is something to carry. */
  connect(parts: NextRequestParts): void {
    this.#parts = parts;
    this._register(
      parts.session.onDidChange(({ type }) => {
        if (type !== 'delta') this.#tell();
      }),
    );
    this._register(parts.attachments.onDidChange(() => void this.#look()));
    this._register(vscode.window.onDidChangeActiveTextEditor(() => void this.#look()));
  }

  /** The composer's text begins with this command now. */
  async type(name: string): Promise<void> {
    this.#typed = name;
    await this.#look();
  }

  /** What a command brings along depends on what is attached and which editor is in front. */
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
