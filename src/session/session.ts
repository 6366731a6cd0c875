import type { AskedModel } from '../policy/requestOptions.ts';
import type { Mode } from '../protocol/mode.ts';
import { isLive } from '../protocol/turnStatus.ts';
import type { Measured } from '../send/budget/measured.ts';
import type { ConfirmationChoice, Preview } from '../send/confirmation.ts';
import type { Dispatch } from '../send/dispatch.ts';
import type { Attachment } from '../send/message/attachment.ts';
import type { Outgoing } from '../send/outgoing.ts';
import { filesOf } from '../util/errors.ts';
import { Emitter } from '../util/event.ts';
import { cutBefore, showTurn } from './conversation/branches.ts';
import {
  askedModelOf,
  type Conversation,
  emptyConversation,
  foldersOf,
  replaceTurn,
  turnsBefore,
  withMode,
  withModel,
} from './conversation/conversation.ts';
import { type OutdatedSource, withOutdated } from './conversation/earlierFiles.ts';
import { outgoingFor, type TurnInPlace } from './conversation/outgoingFor.ts';
import { errorOf, hasAnswer, newTurn, type Question, type Turn, unasked } from './conversation/turn.ts';
import { actionOf } from './prompts/prompts.ts';
import type { SessionEvent } from './sessionEvent.ts';
import { SummaryRun } from './summaryRun.ts';
import { noTools, type ToolboxSource } from './tools/toolbox.ts';
import type { ToolDecision } from './tools/toolStep.ts';
import { TurnRun } from './turnRun.ts';
import type { TurnChange, TurnStart } from './turnStart.ts';
import { stoppedIn } from './turnSteps.ts';

/** Reads the project's instructions that are sent with the questions of a conversation. */
type InstructionsSource = (conversationId: string) => Promise<readonly Attachment[]>;

/** A live conversation with at most one request running. Both the view and the commands use it. */
export class Session {
  readonly #dispatch: Dispatch;
  readonly #tools: ToolboxSource;
  readonly #instructions: InstructionsSource;
  readonly #outdated: OutdatedSource;
  /** Whether the settings and the policy allow a mode now. */
  readonly #allowsMode: (mode: Mode) => boolean;
  /** The last choice of a mode in this window, which a new conversation takes. */
  #lastMode: Mode = 'ask';
  /** Names of the tools that the user has allowed, for each conversation of this window. */
  readonly #granted = new Map<string, Set<string>>();
  readonly #changed = new Emitter<SessionEvent>();
  /** The ids of conversations whose oldest turns may be left out. */
  readonly #leavesOutTurns = new Set<string>();
  #conversation: Conversation = emptyConversation();
  #running: TurnRun | null = null;

  readonly onDidChange = this.#changed.event;

  constructor(
    dispatch: Dispatch,
    tools = noTools,
    instructions: InstructionsSource = async () => [],
    outdated: OutdatedSource = async () => [],
    allowsMode: (mode: Mode) => boolean = () => true,
  ) {
    this.#dispatch = dispatch;
    this.#tools = tools;
    this.#instructions = instructions;
    this.#outdated = outdated;
    this.#allowsMode = allowsMode;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** The sources of the content that the next request of this conversation contains: see Outgoing.folders. */
  get folders(): readonly string[] {
    const { turns } = this.#conversation;
    return foldersOf(turns.filter((turn) => hasAnswer(turn) || isLive(turn.state)));
  }

  /** Adds a turn and runs its request to the end. Returns the final turn; never rejects. */
  async ask(question: Question): Promise<Turn> {
    const turn = this.#append(question);
    this.#changed.fire({ type: 'turn-added', turn });
    return this.#run(turn);
  }

  /** Replaces the question of a turn: the old turn and its successors stay, as a branch beside the new one. */
  async edit(turnId: string, question: Question): Promise<Turn | undefined> {
    const old = this.#turn(turnId);
    if (old === undefined || this.isBusy) return undefined;
    this.#conversation = cutBefore(this.#conversation, turnId);
    const turn = this.#append(question);
    this.#changed.fire({ type: 'conversation-changed' });
    return this.#run(turn, { isAgain: old.question.prompt === turn.question.prompt });
  }

  /** Shows the branch of a turn. Does nothing while a request runs, because its turn would be hidden. */
  showBranch(turnId: string): void {
    if (this.isBusy) return;
    this.#conversation = showTurn(this.#conversation, turnId);
    this.#changed.fire({ type: 'conversation-changed' });
  }

  /** Asks a question again; the new answer replaces the old one. */
  async retry(turnId: string): Promise<Turn | undefined> {
    const turn = this.#turn(turnId);
    return turn === undefined || this.isBusy ? turn : this.#again(turn, { isAgain: true });
  }

  #again(turn: Turn, how: Run = {}): Promise<Turn | undefined> {
    const start = unasked(turn, this.#modeOf(turn.question));
    this.#conversation = replaceTurn(this.#conversation, start);
    // A `turn-changed` is not enough: it never removes text that a view already shows.
    this.#changed.fire({ type: 'conversation-changed' });
    return this.#run(start, how);
  }

  /** Asks the question again without the files that the request was refused for, or without the named one. */
  async removeFile(turnId: string, uri?: string): Promise<Turn | undefined> {
    const turn = this.#turn(turnId);
    if (turn === undefined || this.isBusy) return turn;
    const error = errorOf(turn);
    const named = error === undefined ? [] : filesOf(error);
    const attachments = turn.question.attachments.filter((each) =>
      uri === undefined ? !named.includes(each.label) : each.uri !== uri,
    );
    return this.#again({ ...turn, question: { ...turn.question, attachments } });
  }

  /** Asks the question again, and from now on leaves out the oldest turns if the conversation is too long. */
  async leaveOutTurns(turnId: string): Promise<Turn | undefined> {
    const turn = this.#turn(turnId);
    if (turn === undefined || this.isBusy) return turn;
    this.#leavesOutTurns.add(this.#conversation.id);
    return this.#goOn(turn);
  }

  /** Asks the question again after a summary of the earlier turns, which replaces them from now on. */
  async summarize(turnId: string): Promise<Turn | undefined> {
    const turn = this.#turn(turnId);
    if (turn === undefined || this.isBusy) return turn;
    return this.#goOn(turn, { summarizes: true });
  }

  /** Changes the text of a summary, or removes the summary (null): then its turns are sent again. */
  changeSummary(turnId: string, text: string | null): void {
    const turn = this.#turn(turnId);
    if (turn?.summary === undefined || this.isBusy) return;
    const summary = text === null ? undefined : { ...turn.summary, text, isEdited: true as const };
    const changed = { ...turn, summary };
    this.#conversation = replaceTurn(this.#conversation, changed);
    this.#changed.fire({ type: 'turn-changed', turn: changed });
  }

  /** Asks for the rest of an interrupted answer. */
  async continue(turnId: string): Promise<Turn | undefined> {
    const turn = this.#turn(turnId);
    return turn === undefined || this.isBusy ? turn : this.#continue(turn);
  }

  #continue(turn: Turn, how: Run = {}): Promise<Turn> {
    // Its answer changes, so that its summary no longer replaces it.
    const asked = { ...turn, summary: undefined, answer: { ...turn.answer, finishReason: undefined } };
    return this.#run(asked, { ...how, continues: true });
  }

  /** Asks for the answer, or for the rest of it: what has arrived stays. */
  #goOn(turn: Turn, how?: Run): Promise<Turn | undefined> {
    return hasAnswer(turn) ? this.#continue(turn, how) : this.#again(turn, how);
  }

  /** Cancels the running request; what has arrived stays. */
  stop(): void {
    this.#running?.stop();
  }

  retryNow(turnId: string): void {
    if (this.#running?.turnId === turnId) this.#running.retryNow();
  }

  /** The user's decision on a turn that waits for it; `asked` is the number of the question. */
  decide(turnId: string, asked: number, choice: ConfirmationChoice): void {
    if (this.#running?.turnId === turnId) this.#running.decide(asked, choice);
  }

  /** The user's decision on a tool call that waits for it; `asked` is the number of the question. */
  decideTool(turnId: string, stepId: string, asked: number, decision: ToolDecision): void {
    if (this.#running?.turnId === turnId) this.#running.decideTool(stepId, asked, decision);
  }

  /** Returns what would be sent if `question` were asked now. Throws the errors that asking would have; sends nothing. */
  async preview(question: Question): Promise<Preview> {
    const { turns } = this.#conversation;
    const turn = await withOutdated(newTurn(question, null, this.#modeOf(question)), turns, this.#outdated);
    return this.#dispatch.preview(await this.#outgoing(turn));
  }

  /** Measures what preview() would show for a question that is still being written. Throws like preview(). */
  async measure(question: Question): Promise<Measured> {
    return this.#dispatch.measure(await this.#outgoing(newTurn(question, null, this.#modeOf(question))));
  }

  newConversation(): void {
    this.open(withMode(emptyConversation(), this.#lastMode));
  }

  /** Shows another conversation; stops a running request. */
  open(conversation: Conversation): void {
    this.stop();
    const previous = this.#conversation;
    this.#conversation = conversation;
    if (previous.turns.length > 0) this.#changed.fire({ type: 'conversation-left', conversation: stoppedIn(previous) });
    this.#changed.fire({ type: 'conversation-changed' });
  }

  /** Renames or pins the shown conversation. */
  describe(change: Pick<Conversation, 'title' | 'isPinned'>): void {
    const { title: _, isPinned: __, ...kept } = this.#conversation;
    this.#conversation = { ...kept, ...change };
  }

  /** The model that the user selected for this conversation; undefined means the model of the settings. */
  get askedModel(): AskedModel | undefined {
    return askedModelOf(this.#conversation);
  }

  /** Selects a model for the next requests of this conversation; null selects the model of the settings. */
  selectModel(id: string | null): void {
    const changed = withModel(this.#conversation, id);
    if (changed === this.#conversation) return;
    this.#conversation = changed;
    this.#changed.fire({ type: 'model-changed' });
  }

  /** The mode of the next question: the selected one, or `ask` if that is not allowed now. */
  get mode(): Mode {
    const mode = this.#conversation.mode?.id ?? 'ask';
    return this.#allowsMode(mode) ? mode : 'ask';
  }

  /**
   * Selects the mode of the next questions of this conversation, also of those that are edited or asked again. A running
   * answer, and the rest of an answer, keep theirs.
   */
  selectMode(mode: Mode): void {
    this.#lastMode = mode;
    const changed = withMode(this.#conversation, mode);
    if (changed === this.#conversation) return;
    this.#conversation = changed;
    this.#changed.fire({ type: 'mode-changed' });
  }

  /** Commands such as `/fix` have prompts of their own, so they are asked like in the mode `ask`. */
  #modeOf(question: Question): Mode {
    return actionOf(question) === 'chat' ? this.mode : 'ask';
  }

  dispose(): void {
    this.stop();
    this.#changed.dispose();
  }

  get #place(): TurnInPlace['conversation'] {
    const { id } = this.#conversation;
    const { askedModel } = this;
    const mayLeaveOutTurns = this.#leavesOutTurns.has(id);
    return { id, mayLeaveOutTurns, ...(askedModel === undefined ? {} : { askedModel }) };
  }

  /** Returns the request for a question that is not asked yet. */
  async #outgoing(turn: Turn): Promise<Outgoing> {
    const { turns: before } = this.#conversation;
    const place = { turn, before, conversation: this.#place };
    const toolbox = await this.#tools(this.#conversation.id, turn.question.mode ?? 'ask');
    return outgoingFor(place, false, { toolbox, instructions: await this.#instructionsNow()() });
  }

  #append(question: Question): Turn {
    const { turns } = this.#conversation;
    const turn = newTurn(question, turns.at(-1)?.id ?? null, this.#modeOf(question));
    this.#conversation = { ...this.#conversation, turns: [...turns, turn] };
    return turn;
  }

  #turn(id: string): Turn | undefined {
    return this.#conversation.turns.find((turn) => turn.id === id);
  }

  async #run(turn: Turn, { continues = false, summarizes = false, isAgain = false }: Run = {}): Promise<Turn> {
    // One request at a time: before this point, the user has agreed to stop a running one.
    this.stop();
    const dispatch = this.#dispatch;
    const conversation = this.#place;
    const run = new TurnRun({
      turn,
      before: turnsBefore(this.#conversation, turn),
      conversation,
      continues,
      summarizes,
      summarize: (before, limit, onChange) => new SummaryRun({ before, conversation, dispatch, limit, onChange }),
      isAgain,
      dispatch,
      tools: this.#tools,
      instructions: this.#instructionsNow(),
      outdated: this.#outdated,
      granted: this.#grantedNow(),
      onChange: (change) => this.#onChange(change),
    });
    this.#running = run;
    this.#changed.fire({ type: 'busy-changed', busy: true });
    const end = await run.toEnd();
    if (this.#running === run) {
      this.#running = null;
      this.#changed.fire({ type: 'busy-changed', busy: false });
    }
    return end;
  }

  #onChange({ turn, added, thought = '' }: TurnChange): void {
    this.#conversation = replaceTurn(this.#conversation, turn);
    // A turn of a conversation that is no longer shown changes nothing visible.
    if (this.#turn(turn.id) === undefined) return;
    if (thought !== '') this.#changed.fire({ type: 'thinking', turnId: turn.id, text: thought });
    if (added === undefined) this.#changed.fire({ type: 'turn-changed', turn });
    else if (added !== '') this.#changed.fire({ type: 'delta', turnId: turn.id, text: added });
  }

  #instructionsNow(): () => Promise<readonly Attachment[]> {
    const { id } = this.#conversation;
    return () => this.#instructions(id);
  }

  #grantedNow(): Set<string> {
    const { id } = this.#conversation;
    const granted = this.#granted.get(id) ?? new Set();
    this.#granted.set(id, granted);
    return granted;
  }
}

/** The options of a run. */
type Run = Partial<Pick<TurnStart, 'continues' | 'summarizes' | 'isAgain'>>;
