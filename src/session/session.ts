import { randomUUID } from 'node:crypto';
import { isLive } from '../protocol/turnStatus.ts';
import { Emitter } from '../util/event.ts';
import type { Attachment } from './conversation/attachment.ts';
import { cutBefore, showTurn } from './conversation/branches.ts';
import {
  type Conversation,
  foldersOf,
  originOf,
  replaceTurn,
  type Turn,
  type TurnAction,
  type TurnCommand,
  turnsSent,
} from './conversation/conversation.ts';
import { messagesFor } from './conversation/messagesFor.ts';
import type { ConfirmationChoice, Preview } from './dispatch/confirmation.ts';
import type { Dispatch } from './dispatch/dispatch.ts';
import type { Outgoing } from './dispatch/outgoing.ts';
import { actionOf } from './prompts/prompts.ts';
import { noTools, type Toolbox, type ToolboxSource } from './tools/toolbox.ts';
import type { ToolDecision } from './tools/toolStep.ts';
import { TurnRun } from './turnRun.ts';
import { withoutConfirmation, withoutOpenSteps, withoutRetry } from './turnSteps.ts';

export type SessionEvent =
  /** Another conversation or branch is shown. */
  | { readonly type: 'conversation-changed' }
  /** The final state of a conversation that is no longer shown. */
  | { readonly type: 'conversation-left'; readonly conversation: Conversation }
  | { readonly type: 'turn-added'; readonly turn: Turn }
  | { readonly type: 'turn-changed'; readonly turn: Turn }
  | { readonly type: 'delta'; readonly turnId: string; readonly text: string }
  | { readonly type: 'busy-changed'; readonly busy: boolean };

export interface Question {
  readonly action: TurnAction;
  readonly prompt: string;
  readonly command?: TurnCommand;
  readonly attachments: readonly Attachment[];
}

/** A live conversation with at most one request running. Both the view and the commands use it. */
export class Session {
  readonly #dispatch: Dispatch;
  readonly #tools: ToolboxSource;
  /** Names of the tools that the user has allowed, for each conversation of this window. */
  readonly #granted = new Map<string, Set<string>>();
  readonly #changed = new Emitter<SessionEvent>();
  #conversation: Conversation = emptyConversation();
  #running: TurnRun | null = null;

  readonly onDidChange = this.#changed.event;

  constructor(dispatch: Dispatch, tools: ToolboxSource = noTools) {
    this.#dispatch = dispatch;
    this.#tools = tools;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** The sources of the content that the next request of this conversation carries: see Outgoing.folders. */
  get folders(): readonly string[] {
    const { turns } = this.#conversation;
    return foldersOf(turns.filter((turn) => turn.answer !== '' || isLive(turn)));
  }

  /** Adds a turn and runs its request to the end. Returns the final turn; never rejects. */
  async ask(question: Question): Promise<Turn> {
    const turn = this.#append(question);
    this.#changed.fire({ type: 'turn-added', turn });
    return this.#run(turn, false);
  }

  /** Replaces the question of a turn: the old turn and its successors stay, as a branch beside the new one. */
  async edit(turnId: string, question: Question): Promise<Turn | undefined> {
    if (this.#turn(turnId) === undefined || this.isBusy) return undefined;
    this.#conversation = cutBefore(this.#conversation, turnId);
    const turn = this.#append(question);
    this.#changed.fire({ type: 'conversation-changed' });
    return this.#run(turn, false);
  }

  /** Shows the branch of a turn. Not while a request runs: its turn would be hidden. */
  showBranch(turnId: string): void {
    if (this.isBusy) return;
    this.#conversation = showTurn(this.#conversation, turnId);
    this.#changed.fire({ type: 'conversation-changed' });
  }

  /** Asks the same again; the new answer replaces the old one. */
  async retry(turnId: string): Promise<Turn | undefined> {
    const turn = this.#turn(turnId);
    if (turn === undefined || this.isBusy) return turn;
    const {
      id,
      parent = null,
      askedAt,
      action,
      prompt,
      command,
      attachments,
      secrets,
      asIsFor,
      origin,
      isZeroRetention,
    } = turn;
    const chosen = {
      ...(command === undefined ? {} : { command }),
      ...(secrets === undefined ? {} : { secrets }),
      ...(asIsFor === undefined ? {} : { asIsFor }),
      ...(origin === undefined ? {} : { origin }),
      ...(isZeroRetention === undefined ? {} : { isZeroRetention }),
    };
    const asked = { id, parent, askedAt, action, prompt, attachments, ...chosen };
    const afresh: Turn = { ...asked, status: 'waiting', answer: '', model: null };
    this.#conversation = replaceTurn(this.#conversation, afresh);
    // Not a turn-changed: that never removes text that a view already shows.
    this.#changed.fire({ type: 'conversation-changed' });
    return this.#run(afresh, false);
  }

  /** Asks for the rest of an interrupted answer. */
  async continue(turnId: string): Promise<Turn | undefined> {
    const turn = this.#turn(turnId);
    if (turn === undefined || this.isBusy) return turn;
    const { error: _, finishReason: __, ...kept } = turn;
    return this.#run({ ...kept, status: 'waiting' }, true);
  }

  /** Cancels the running request; what has arrived stays. */
  stop(): void {
    this.#running?.stop();
  }

  retryNow(turnId: string): void {
    if (this.#running?.turnId === turnId) this.#running.retryNow();
  }

  /** The user's decision on a turn that waits for it. */
  decide(turnId: string, choice: ConfirmationChoice): void {
    if (this.#running?.turnId === turnId) this.#running.decide(choice);
  }

  /** The user's decision on a tool call that waits for it. */
  decideTool(turnId: string, stepId: string, decision: ToolDecision): void {
    if (this.#running?.turnId === turnId) this.#running.decideTool(stepId, decision);
  }

  /** What would leave if `question` were asked now. Throws the errors that asking would have; sends nothing. */
  async preview(question: Question): Promise<Preview> {
    const turn = newTurn(question, null);
    return this.#dispatch.preview(this.#outgoing(turn, false, await this.#toolbox(turn)));
  }

  newConversation(): void {
    this.open(emptyConversation());
  }

  /** Shows another conversation; stops a running request. */
  open(conversation: Conversation): void {
    this.stop();
    const left = this.#conversation;
    this.#conversation = conversation;
    if (left.turns.length > 0) this.#changed.fire({ type: 'conversation-left', conversation: withoutRunning(left) });
    this.#changed.fire({ type: 'conversation-changed' });
  }

  /** Renames or pins the shown conversation. */
  describe(change: Pick<Conversation, 'title' | 'isPinned'>): void {
    const { title: _, isPinned: __, ...kept } = this.#conversation;
    this.#conversation = { ...kept, ...change };
  }

  dispose(): void {
    this.stop();
    this.#changed.dispose();
  }

  #append(question: Question): Turn {
    const { turns } = this.#conversation;
    const turn = newTurn(question, turns.at(-1)?.id ?? null);
    this.#conversation = { ...this.#conversation, turns: [...turns, turn] };
    return turn;
  }

  #turn(id: string): Turn | undefined {
    return this.#conversation.turns.find((turn) => turn.id === id);
  }

  async #run(start: Turn, continues: boolean): Promise<Turn> {
    // One request at a time: before this point, the user has agreed to stop a running one.
    this.stop();
    const run = new TurnRun(start, continues, {
      dispatch: this.#dispatch,
      toolbox: (turn) => this.#toolbox(turn),
      granted: this.#grantedNow(),
      outgoing: (...about) => this.#outgoing(...about),
      put: (turn) => this.#put(turn),
      keep: (turn) => this.#keep(turn),
      added: (turnId, text) => {
        if (this.#turn(turnId) !== undefined) this.#changed.fire({ type: 'delta', turnId, text });
      },
    });
    this.#running = run;
    this.#changed.fire({ type: 'busy-changed', busy: true });
    const turn = await run.toEnd();
    if (this.#running === run) {
      this.#running = null;
      this.#changed.fire({ type: 'busy-changed', busy: false });
    }
    return turn;
  }

  #keep(turn: Turn): void {
    this.#conversation = replaceTurn(this.#conversation, turn);
  }

  #put(turn: Turn): void {
    this.#keep(turn);
    // A turn of a conversation that is no longer shown changes nothing visible.
    if (this.#turn(turn.id) !== undefined) this.#changed.fire({ type: 'turn-changed', turn });
  }

  #grantedNow(): Set<string> {
    const { id } = this.#conversation;
    const granted = this.#granted.get(id) ?? new Set();
    this.#granted.set(id, granted);
    return granted;
  }

  #toolbox(turn: Turn): Promise<Toolbox | null> {
    return this.#tools(this.#outgoing(turn, false, null));
  }

  #outgoing(turn: Turn, continues: boolean, toolbox: Toolbox | null): Outgoing {
    const sent = turnsSent(this.#conversation, turn);
    const offer = toolbox === null || toolbox.isDeclined ? {} : { offer: toolbox.offer };
    const { name, model } = turn.command ?? {};
    const cameFrom = originOf(this.#conversation, turn);
    return {
      action: actionOf(turn),
      messages: messagesFor(sent, continues, 'offer' in offer),
      modelKey: 'svc.model.chat',
      folders: foldersOf(sent),
      ...offer,
      ...(cameFrom === undefined ? {} : { cameFrom }),
      ...(name === undefined || model === undefined ? {} : { askedModel: { model, prompt: name } }),
    };
  }
}

/** Stops turns that were running: they will receive nothing more. */
function withoutRunning(conversation: Conversation): Conversation {
  const turns = conversation.turns.map((turn) =>
    isLive(turn) ? { ...withoutConfirmation(withoutRetry(withoutOpenSteps(turn))), status: 'stopped' as const } : turn,
  );
  return { ...conversation, turns };
}

function emptyConversation(): Conversation {
  return { id: randomUUID(), createdAt: Date.now(), turns: [] };
}

function newTurn(question: Question, parent: string | null): Turn {
  return { ...question, id: randomUUID(), parent, askedAt: Date.now(), status: 'waiting', answer: '', model: null };
}
