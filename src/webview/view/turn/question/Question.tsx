import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TurnView } from '../../../../protocol/turnView.ts';
import { usePanel } from '../../../panel.ts';
import { Icon } from '../../Icon.tsx';
import { IconButton } from '../../IconButton.tsx';
import { Prompt } from '../../Prompt.tsx';
import { Branches } from './Branches.tsx';
import { QuestionEditor } from './QuestionEditor.tsx';

/** The question and its attachments; it can be edited in place. */
export function Question({ turn }: { readonly turn: TurnView }) {
  const { state, strings } = usePanel();
  const { id, prompt, context, repeated = [], changesOnly = [], siblings } = turn;
  const pencil = useRef<HTMLButtonElement>(null);
  const wasOpened = useRef(false);
  const wasLeft = useRef(false);
  const isEdited = state.editedTurn.value === id;

  // The focus returns to the element from which it came.
  useLayoutEffect(() => {
    if (!isEdited && wasLeft.current) pencil.current?.focus();
    wasOpened.current = false;
    wasLeft.current = false;
  }, [isEdited]);

  if (isEdited) {
    const leave = (): void => {
      wasLeft.current = true;
      state.editing.value = undefined;
    };
    return <QuestionEditor turn={turn} takesFocus={wasOpened.current} onLeave={leave} />;
  }
  const edit = (): void => {
    wasOpened.current = true;
    state.editing.value = { turnId: id, text: prompt, attachments: context.map((_, index) => index) };
  };
  const noteOf = (name: string): ContextNote | undefined => {
    if (repeated.includes(name)) return { text: strings.asAbove, detail: strings.asAboveDetail };
    if (changesOnly.includes(name)) return { text: strings.changesOnly, detail: strings.changesOnlyDetail };
    return undefined;
  };
  return (
    <div class="question">
      <div class="prompt-line">
        <IconButton icon="edit" label={strings.edit} kind="edit" testId="edit" button={pencil} onClick={edit} />
        <Prompt text={prompt} />
      </div>
      {context.length > 0 && (
        <ul class="context">
          {context.map((name) => (
            <ContextName key={name} name={name} note={noteOf(name)} />
          ))}
        </ul>
      )}
      {siblings !== undefined && <Branches turnId={id} siblings={siblings} />}
    </div>
  );
}

/** States that an attachment was not sent in full with its question. */
interface ContextNote {
  readonly text: string;
  readonly detail: string;
}

function ContextName({ name, note }: { readonly name: string; readonly note: ContextNote | undefined }) {
  return (
    <li title={note === undefined ? name : `${name}\n${note.detail}`}>
      <span class="context-file">
        <Icon name="file-code" />
        <span class="context-name">{name}</span>
      </span>
      {note !== undefined && <span class="context-note">{note.text}</span>}
    </li>
  );
}
