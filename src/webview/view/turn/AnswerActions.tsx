import type { EndedTurn } from '../../../protocol/turnView.ts';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../IconButton.tsx';
import { CopyAnswer } from './CopyAnswer.tsx';
import { useFocusBack } from './useFocusBack.ts';

/**
 * The actions on an answer that has ended. A complete answer is never replaced: asking again starts a branch. A failed or
 * interrupted answer has a card with its own buttons.
 */
export function AnswerActions({ turn }: { readonly turn: EndedTurn }) {
  const { state, channel, strings } = usePanel();
  const { id, status, answer, steps = [], prompt, context } = turn;
  const { cut, hasFiles } = turn.status === 'complete' ? turn : {};
  const part = useFocusBack<HTMLDivElement>();
  const isBusy = state.isBusy.value;
  const askAgain = (): void => {
    if (status === 'stopped') channel.tell('act', { action: 'retry', turnId: id });
    else channel.tell('edit', { turnId: id, text: prompt, attachments: context.map((_, index) => index) });
  };
  const button = (icon: string, label: string, onClick: () => void) => (
    <IconButton
      icon={icon}
      label={label}
      title={isBusy ? strings.editLater : label}
      testId={icon}
      isInactive={isBusy}
      onClick={() => {
        if (!isBusy) onClick();
      }}
    />
  );
  return (
    <div ref={part} class="answer-actions">
      {(status === 'stopped' || cut === 'length' || cut === 'other') &&
        (answer !== '' || steps.length > 0) &&
        button('debug-continue', strings.continueAnswer, () => channel.tell('act', { action: 'continue', turnId: id }))}
      {(status === 'stopped' || status === 'complete') && button('refresh', strings.askAgain, askAgain)}
      {hasFiles === true && (
        <IconButton
          icon="git-pull-request-go-to-changes"
          label={state.tools.value.proposesAll ? strings.proposeAll : strings.applyAll}
          testId="apply-all"
          onClick={() => channel.tell('applyAll', { turnId: id })}
        />
      )}
      {answer !== '' && <CopyAnswer text={answer} />}
    </div>
  );
}
