import { computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Card } from '../protocol/card.ts';
import type { PanelCalls } from '../protocol/panelCalls.ts';
import type { ViewEvent, ViewState } from '../protocol/panelEvents.ts';
import type { EditedSummary, Editing, UnsentText } from '../protocol/unsentText.ts';
import type { ViewStrings } from '../protocol/viewStrings.ts';
import { announcement } from './announcer.ts';
import type { Channel } from './channel.ts';
import type { PageState } from './composer/draft.ts';
import type { DraftKeeper } from './composer/draftKeeper.ts';
import type { Match } from './find/search.ts';
import { reduce, type ShownTurn } from './state.ts';

type Returned = Extract<ViewEvent, { type: 'message-returned' }>;

/** The state as signals, so that a change redraws only its part. */
export class PanelState {
  /** The latest state. */
  #known: ViewState | undefined;
  /** The state for the view: streamed text, which goes directly to its answer, is included with the next change. */
  readonly #state = signal<ViewState | undefined>(undefined);
  /** The turn whose answer or thinking grew with the last event. */
  readonly grown = signal<ShownTurn | undefined>(undefined);
  readonly turns = computed(() => this.#state.value?.turns);
  readonly conversationId = computed(() => this.#state.value?.conversationId);
  readonly model = computed(() => this.#state.value?.model ?? '');
  readonly posture = computed(() => this.#state.value?.posture);
  readonly tools = computed(() => this.#state.value?.tools ?? { count: 0, label: '', reason: '' });
  readonly mode = computed(() => this.#state.value?.mode ?? { label: '', detail: '', whyNoChange: '' });
  readonly mayKeepDraft = computed(() => this.#state.value?.mayKeepDraft);
  readonly messageLimit = computed(() => this.#state.value?.messageLimit);
  readonly notice = computed(() => this.#state.value?.notice);
  readonly messages = computed(() => this.#state.value?.messages ?? []);
  /**
   * The notice, unless a card just above it has the same text, because the last turn failed for this reason, or offers the same
   * next step.
   */
  readonly shownNotice = computed(() => {
    const { notice, turns, messages } = this;
    const last = turns.value?.at(-1);
    const failed = last !== undefined && 'card' in last ? last.card : undefined;
    const above = [failed, ...messages.value.map(({ card }) => card)];
    const isRepeated = above.some((card) => isSame(notice.value, card) || hasStepOf(notice.value, card));
    return isRepeated ? undefined : notice.value;
  });
  readonly attachments = computed(() => this.#state.value?.attachments ?? []);
  readonly attachmentProblem = computed(() => this.#state.value?.attachmentProblem ?? '');
  readonly starters = computed(() => this.#state.value?.starters);
  readonly waiting = computed(() => this.#state.value?.waiting);
  readonly changes = computed(() => this.#state.value?.changes);
  readonly meter = computed(() => this.#state.value?.meter);
  readonly isBusy = computed(() => this.#state.value?.busy ?? false);
  /** Incremented each time the host asks to focus the composer. */
  readonly focusRequests = signal(0);
  /** Incremented each time the user asks, outside the panel, to see what would be sent. */
  readonly previewRequests = signal(0);
  /** Incremented each time the user asks to search; 0 while there is no search. */
  readonly finding = signal(0);
  /** The turn to which the search goes: it is drawn before other turns. */
  readonly wantedTurn = signal<string | undefined>(undefined);
  /** Scrolls so that the match that was shown last stays in place; undefined after the user or a new question scrolls. */
  keepMatch: (() => void) | undefined;
  /** Incremented each time unsent text must be deleted. */
  readonly purges = signal(0);
  /** Messages that go back to the composer, which removes them from here. */
  readonly returned = signal<readonly Returned[]>([]);
  /**
   * The unsent text that an earlier page left with the host, because it must not be on the disk. The composer takes its part of
   * it.
   */
  readonly restored = signal<UnsentText | undefined>(undefined);
  /** The turn of the summary whose turns are shown; the turns of any other summary are hidden. */
  readonly openedSummary = signal<string | undefined>(undefined);
  /**
   * Incremented when turns or answers are drawn: layout may scroll then. An observer of all changes in the page costs a
   * long answer 3 to 6 % of its time.
   */
  contentVersion = 0;
  /** Whether the user has typed something since the last question was sent. */
  isTyping = false;
  /** Whether the part with the summary changes its place because the user has shown or hidden its turns. */
  isSummaryMoving = false;
  /** The current state of the question that is being edited. */
  readonly editing = signal<Editing | undefined>(undefined);
  /** Separate, so that each keystroke redraws only that question. */
  readonly editedTurn = computed(() => this.editing.value?.turnId);
  /** The current text of the summary that is being edited. */
  readonly editedSummary = signal<EditedSummary | undefined>(undefined);
  /** Separate, so that each keystroke redraws only its editor. */
  readonly editedSummaryTurn = computed(() => this.editedSummary.value?.turnId);
  /** The next announcement of the screen reader. */
  readonly announced = signal('');
  readonly #strings: ViewStrings;

  constructor(strings: ViewStrings) {
    this.#strings = strings;
  }

  take(events: readonly ViewEvent[]): void {
    // Only the first snapshot restores unsent text: later, this page itself has the newest text.
    const isFirst = this.#known === undefined;
    for (const event of events) {
      const before = this.#known;
      const after = reduce(before, event);
      this.#known = after;
      const isText = event.type === 'delta' || event.type === 'thinking';
      this.grown.value = isText ? after?.turns.findLast(({ id }) => id === event.turnId) : undefined;
      if (isText) continue;
      this.#state.value = after;
      if (isGone(this.editedTurn.value, before, after)) this.editing.value = undefined;
      if (isGone(this.editedSummaryTurn.value, before, after)) this.editedSummary.value = undefined;
      if (event.type === 'focus-composer') this.focusRequests.value += 1;
      if (event.type === 'preview-wanted') this.previewRequests.value += 1;
      if (event.type === 'find-wanted') this.finding.value += 1;
      if (before?.conversationId !== after?.conversationId) this.endSearch();
      if (event.type === 'draft-purged') {
        this.purges.value += 1;
        // Also removes messages that the composer has not taken yet.
        this.returned.value = [];
        this.restored.value = undefined;
      }
      if (event.type === 'message-returned') this.returned.value = [...this.returned.value, event];
      if (event.type === 'text-restored' && isFirst) this.#restore(event.text);
      const announced = announcement(before ?? null, after ?? null, this.#strings);
      if (announced !== '') this.announced.value = announced;
    }
  }

  #restore(text: UnsentText): void {
    this.restored.value = text;
    const isShown = (turnId: string): boolean => this.turns.value?.some(({ id }) => id === turnId) ?? false;
    const { editing, summary } = text;
    if (editing !== undefined && isShown(editing.turnId)) this.editing.value ??= editing;
    if (summary !== undefined && isShown(summary.turnId)) this.editedSummary.value ??= summary;
  }

  /** Draws the turn of a match next, and shows it if a summary replaces it. The summary itself is never hidden. */
  wantTurn({ turnId: id, field }: Match): void {
    this.wantedTurn.value = id;
    if (field === 'summary') return;
    const turns = this.turns.value ?? [];
    const summarized = turns.findLastIndex(({ summary }) => summary !== undefined);
    if (turns.findIndex((turn) => turn.id === id) <= summarized) this.openedSummary.value = turns[summarized]?.id;
  }

  endSearch(): void {
    this.finding.value = 0;
    this.wantedTurn.value = undefined;
  }
}

function isSame(notice: Card | undefined, card: Card | undefined): boolean {
  return notice !== undefined && notice.title === card?.title && notice.detail === card.detail;
}

/** Whether a card offers the step of a set-up notice, which the first button of the notice begins. */
function hasStepOf(notice: Card | undefined, card: Card | undefined): boolean {
  const step = notice?.actions[0]?.id;
  if (step !== 'setApiKey' && step !== 'setBaseUrl') return false;
  return card?.actions.some(({ id }) => id === step) === true;
}

/**
 * Whether an edit is discarded because the conversation or branch of the edited turn is no longer shown, or was deleted. An empty
 * page may only be waiting for its conversation to be read from the disk.
 */
function isGone(edited: string | undefined, before: ViewState | undefined, after: ViewState | undefined): boolean {
  const isIn = (state: ViewState | undefined): boolean => state?.turns.some(({ id }) => id === edited) ?? false;
  if (edited === undefined || after === undefined || isIn(after)) return false;
  return after.turns.length > 0 || isIn(before);
}

/** The context of every part of the view. */
export interface Panel {
  readonly state: PanelState;
  readonly channel: Channel<PanelCalls>;
  readonly strings: ViewStrings;
  readonly page: PageState;
  readonly drafts: DraftKeeper;
}

export const PanelContext = createContext<Panel | undefined>(undefined);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === undefined) throw new Error('A part of the panel was drawn outside of it.');
  return panel;
}
