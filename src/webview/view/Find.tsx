import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isForInputMethod } from '../inputMethod.ts';
import { usePanel } from '../panel.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { countOf, useFind } from './useFind.ts';

// VS Code's own search in a page (`enableFindWidget`) exists only for WebviewPanelOptions: a WebviewView has no such
// option, and VS Code does not pass the key to the browser, either. It would also find only what is drawn and unfolded.

/** The search box of the conversation. */
export function Find() {
  const { state, strings } = usePanel();
  const bar = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState(selectedLine);
  const { found, step } = useFind(query);
  const giveBack = useFocus(bar, input);

  const close = (): void => {
    state.endSearch();
    if (!giveBack()) state.focusRequests.value += 1;
  };
  const clear = (): void => {
    setQuery('');
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event)) return;
    if (event.key === 'Escape') {
      // Ends only the search, not the running answer.
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' && event.target === input.current) {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
  };
  return (
    <search ref={bar} class="find" data-testid="find" onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="text"
        value={query}
        placeholder={strings.find}
        aria-label={strings.find}
        data-testid="find-text"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <span class="find-count" data-testid="find-count" aria-hidden="true">
        {query.trim() === '' ? '' : countOf(found, strings.matchOf, '')}
      </span>
      <IconButton
        icon="arrow-up"
        label={strings.previousMatch}
        testId="find-previous"
        isInactive={found.count === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={strings.nextMatch}
        testId="find-next"
        isInactive={found.count === 0}
        onClick={() => step(1)}
      />
      <IconButton icon="close" label={strings.close} testId="find-close" onClick={close} />
      {query.trim() !== '' && found.count === 0 && found.isWhole && (
        <div class="find-none" data-testid="find-none">
          <Icon name="search" />
          <span>{strings.noMatches}</span>
          <button type="button" class="button secondary" data-testid="find-clear" onClick={clear}>
            {strings.clearSearch}
          </button>
        </div>
      )}
    </search>
  );
}

/** Returns the selected text if it can be searched for, otherwise an empty string. */
function selectedLine(): string {
  const text = String(getSelection() ?? '').trim();
  return text.length <= 200 && !text.includes('\n') ? text : '';
}

/** Focuses the text each time the user starts a search; returns a function that restores the focus. */
function useFocus(
  bar: { readonly current: HTMLElement | null },
  input: { readonly current: HTMLInputElement | null },
): () => boolean {
  const { state } = usePanel();
  const before = useRef<Element | null>(null);
  const request = state.finding.value;
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (bar.current?.contains(activeElement) !== true) before.current = activeElement;
    input.current?.focus();
    input.current?.select();
  }, [request]);
  return () => {
    const element = before.current;
    if (!(element instanceof HTMLElement) || !element.isConnected || element === document.body) return false;
    element.focus({ preventScroll: true });
    return document.activeElement === element;
  };
}
