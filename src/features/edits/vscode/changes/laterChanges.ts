import type { ChangeDecision, ChangesView, ShownChanges } from '../../../../protocol/changesView.ts';
import type { Conversation } from '../../../../session/conversation/conversation.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { Emitter } from '../../../../util/event.ts';
import { Lazy } from '../../../../util/lazy.ts';
import type { ProposedFiles } from '../../../tools/vscode/own/tool.ts';
import type { Changes } from './changes.ts';
import { endedChanges } from './endedChanges.ts';
import type { Decisions, PanelChanges } from './panelChanges.ts';

/** The proposed changes of a window, which are loaded when the model may propose some for the first time. */
export class LaterChanges extends Disposable implements PanelChanges {
  readonly #changed = this._register(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #loading: Lazy<void>;
  readonly #conversation: () => Conversation;
  #changes: Changes | undefined;

  constructor(conversation: () => Conversation, load: () => Promise<Changes>) {
    super();
    this.#conversation = conversation;
    this.#loading = new Lazy(async () => {
      this.#changes = this._register(await load());
      this._register(this.#changes.onDidChange(() => this.#changed.fire()));
    });
  }

  /** Loads what proposedIn() needs. */
  start(): Promise<void> {
    return this.#loading.get();
  }

  /** Returns the files of a conversation with the changes that are proposed for them; undefined before start(). */
  proposedIn(conversationId: string): ProposedFiles | undefined {
    return this.#changes?.proposedIn(conversationId);
  }

  async proposeAll(turnId: string, ask: (question: string) => unknown): Promise<void> {
    await this.start();
    await this.#changes?.proposeAll(turnId, ask);
  }

  view(): ChangesView | undefined {
    return this.#changes === undefined ? endedChanges(this.#conversation()) : this.#changes.view();
  }

  async open(id: string): Promise<void> {
    await this.#changes?.open(id);
  }

  async decide(id: string, version: number, decision: ChangeDecision): Promise<void> {
    await this.#changes?.decide(id, version, decision);
  }

  async carryOver(id: string, version: number): Promise<void> {
    await this.#changes?.carryOver(id, version);
  }

  async decideAll(decision: ChangeDecision, shown?: ShownChanges): Promise<void> {
    await this.#changes?.decideAll(decision, shown);
  }

  async undo(shown?: ShownChanges): Promise<boolean> {
    return (await this.#changes?.undo(shown)) ?? false;
  }

  close(): void {
    this.#changes?.close();
  }

  decisions(): Decisions | undefined {
    return this.#changes?.decisions();
  }

  told(): void {
    this.#changes?.told();
  }
}
