import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CompletionItem } from '../../../protocol/attachments.ts';
import { type Completion, canBeChosen } from '../../composer/completion.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';

export const listId = 'completions';

export function optionId(index: number): string {
  return `${listId}-${index}`;
}

interface CompletionsProps {
  readonly completion: Completion;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly choose: (item: CompletionItem) => void;
}

/** The list above the composer. The focus stays in the text: the selected item is its active descendant. */
export function Completions({ completion, anchor, choose }: CompletionsProps) {
  const { strings } = usePanel();
  const list = useRef<HTMLDivElement>(null);
  const { items, selected } = completion;

  useLayoutEffect(() => {
    // The position is fixed, because the composer's container clips its overflow.
    const top = anchor.current?.getBoundingClientRect().top ?? 0;
    if (list.current === null) return;
    list.current.style.bottom = `${window.innerHeight - top + 4}px`;
    list.current.style.maxHeight = `${Math.max(48, Math.min(264, top - 12))}px`;
    list.current.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  if (items === null) return null;
  if (items.length === 0) {
    return (
      <div ref={list} class="completions" data-testid="no-completions">
        <div class="completions-empty">{strings.noSuggestions}</div>
      </div>
    );
  }
  return (
    <div
      ref={list}
      id={listId}
      class="completions"
      role="listbox"
      aria-label={strings.suggestions}
      data-testid="completions"
      // Tab skips the list: the text area handles its keys.
      tabIndex={-1}
      // The text area keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {items.map((item, index) => (
        <Option key={item.id} id={optionId(index)} item={item} isSelected={index === selected} choose={choose} />
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: CompletionItem;
  readonly isSelected: boolean;
  readonly choose: (item: CompletionItem) => void;
}

function Option({ id, item, isSelected, choose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text handles its keys, see useCompletion.
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text.
    <div
      id={id}
      class="completion"
      role="option"
      aria-selected={isSelected}
      aria-disabled={!canBeChosen(item)}
      data-testid="completion"
      title={item.detail === '' ? item.label : `${item.label}: ${item.detail}`}
      onClick={() => choose(item)}
    >
      <Icon name={item.icon} />
      <span class="completion-label">{item.label}</span>
      <span class="completion-detail">{item.detail}</span>
    </div>
  );
}
