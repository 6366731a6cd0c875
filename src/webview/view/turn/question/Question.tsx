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
  const { id, prompt, context, repeated = [], siblings } = turn;
  const pencil = useRef<HTMLButtonElement>(null);
  const wasOpened = useRef(false);
  const wasLeft = useRef(false);
  const isEdited = state.editedTurn.value === id;

  // Returns the focus to where it came from.
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
  return (
    <div class="question">
      <div class="prompt-line">
        <IconButton icon="edit" label={strings.edit} kind="edit" testId="edit" button={pencil} onClick={edit} />
        <Prompt text={prompt} />
      </div>
      {context.length > 0 && (
        <ul class="context">
          {context.map((name) => (
            <ContextName key={name} name={name} isRepeated={repeated.includes(name)} />
          ))}
        </ul>
      )}
      {siblings !== undefined && <Branches turnId={id} siblings={siblings} />}
    </div>
  );
}

/** The name of an attachment, and whether it was sent with this question or with an earlier one. */
function ContextName({ name, isRepeated }: { readonly name: string; readonly isRepeated: boolean }) {
  const { strings } = usePanel();
  return (
    <li title={isRepeated ? `${name}\n${strings.asAboveDetail}` : name}>
      <Icon name="file-code" />
      <span class="context-name">{name}</span>
      {isRepeated && <span class="context-note">{strings.asAbove}</span>}
    </li>
  );
}
