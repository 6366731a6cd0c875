import { type StateUpdater, useEffect, useRef, useState } from 'preact/hooks';
import { commandIn, type DraftEnd, draftIn, endIn, wasSent } from '../../composer/draft.ts';
import { messageOf, pastedIn } from '../../composer/pasted.ts';
import { usePanel } from '../../panel.ts';

/** The unsent message. */
export interface Draft {
  readonly text: string;
  /** Long pasted texts, which are kept outside the text area. */
  readonly pasted: readonly string[];
  readonly isEmpty: boolean;
  readonly setText: (change: StateUpdater<string>) => void;
  readonly setPasted: (change: StateUpdater<readonly string[]>) => void;
  /** Returns the whole message, including texts that are about to be pasted. */
  readonly message: (more?: readonly string[]) => string;
}

interface Saved {
  readonly text: string;
  readonly pasted: readonly string[];
  readonly end: DraftEnd | undefined;
}

/** Keeps the draft as far as the policy allows, and tells the host which command it begins with. */
export function useDraft(): Draft {
  const { state, channel, page, drafts } = usePanel();
  const [text, setText] = useState(() => draftIn(page.getState()));
  const [pasted, setPasted] = useState(() => pastedIn(page.getState()));
  const mayKeep = state.mayKeepDraft.value;

  // The draft as an earlier page saved it; null after it has changed.
  const saved = useRef<Saved | null | undefined>(undefined);
  if (saved.current === undefined) saved.current = { text, pasted, end: endIn(page.getState()) };
  else if (saved.current?.text !== text || saved.current.pasted !== pasted) saved.current = null;

  useEffect(() => {
    // The saved state of an earlier page is kept until the policy is known.
    if (mayKeep === undefined) return;
    const conversationId = state.conversationId.value ?? '';
    const now = { conversationId, turnId: state.turns.value?.at(-1)?.id ?? '' };
    drafts.keep(mayKeep, { draft: text, pasted }, saved.current === null ? now : saved.current?.end);
  }, [drafts, mayKeep, text, pasted]);

  const turns = state.turns.value;
  useEffect(() => {
    if (!saved.current || turns === undefined) return;
    if (!wasSent(messageOf(text, pasted), saved.current.end, state.conversationId.value, turns)) return;
    setText('');
    setPasted([]);
  }, [turns]);

  // The command may determine whose settings apply.
  const command = commandIn(text);
  useEffect(() => channel.tell('typeCommand', { name: command }), [channel, command]);

  const purges = state.purges.value;
  useEffect(() => {
    if (purges === 0) return;
    setText('');
    setPasted([]);
    state.editing.value = undefined;
    state.editedSummary.value = undefined;
  }, [purges]);

  const restored = state.restored.value;
  useEffect(() => {
    if (restored === undefined) return;
    state.restored.value = undefined;
    drafts.restored();
    // Text that was already typed in this page follows the restored draft.
    setText((now) => (restored.draft ?? '') + now);
    setPasted((now) => [...(restored.pasted ?? []), ...now]);
  }, [restored]);

  const returned = state.returned.value;
  useEffect(() => {
    if (returned.length === 0) return;
    state.returned.value = [];
    const typed = returned.map((each) => each.typed);
    setText((now) => [...typed, now].filter((each) => each.trim() !== '').join('\n\n'));
    setPasted((now) => [...returned.map((each) => each.pasted).filter((each) => each !== ''), ...now]);
  }, [returned]);

  const message = (more: readonly string[] = []): string => messageOf(text, [...pasted, ...more]);
  return { text, pasted, isEmpty: text.trim() === '' && pasted.length === 0, setText, setPasted, message };
}
