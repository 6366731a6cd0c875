import { useEffect } from 'preact/hooks';
import { isFindKey } from '../find/findKey.ts';
import { isForInputMethod } from '../inputMethod.ts';
import { usePanel } from '../panel.ts';
import { fill } from '../text.ts';
import { answerStep, goToAnswer, isHelpKey } from './answerKeys.ts';
import { Composer } from './composer/Composer.tsx';
import { Empty } from './Empty.tsx';
import { FindPlace } from './FindPlace.tsx';
import { guardPresses } from './guardPresses.ts';
import { Messages } from './Messages.tsx';
import { Transcript } from './Transcript.tsx';
import { CardView } from './turn/Card.tsx';

/** The whole panel. Blank until the first snapshot, which arrives within a frame or two. */
export function App() {
  const { state, channel, strings } = usePanel();
  useEffect(guardPresses, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isFindKey(event, /Mac/.test(navigator.platform))) {
        // VS Code would pass the key on to the editor: it has no context key for the focus in a webview view.
        event.stopPropagation();
        event.preventDefault();
        state.finding.value += 1;
        return;
      }
      const step = answerStep(event);
      if (step !== null || isHelpKey(event)) {
        event.stopPropagation();
        event.preventDefault();
        if (step === null) channel.tell('showHelp');
        else sayAnswer(goToAnswer(step));
        return;
      }
      // An open popup or editor handles the key first.
      if (event.key !== 'Escape' || isForInputMethod(event) || event.defaultPrevented) return;
      if (state.isBusy.value) channel.tell('stop');
    };
    const sayAnswer = (turnId: string | undefined): void => {
      const turns = state.turns.value ?? [];
      const number = turns.findIndex(({ id }) => id === turnId) + 1;
      if (number > 0) state.announced.value = fill(strings.answerOf, number).replace('{1}', String(turns.length));
    };
    const onInput = (): void => {
      state.isTyping = true;
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('input', onInput);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('input', onInput);
    };
  }, [state, channel]);

  const turns = state.turns.value;
  const notice = state.shownNotice.value;
  return (
    <main class="panel">
      <h1 class="visually-hidden">{strings.transcript}</h1>
      <FindPlace />
      {turns === undefined ? <div class="space" /> : turns.length === 0 ? <Empty /> : <Transcript turns={turns} />}
      <div class="bottom">
        <Messages />
        {notice !== undefined && (
          <div class="notice" data-testid="notice">
            <CardView card={notice} />
          </div>
        )}
        <Composer />
      </div>
      <Announcer />
      <EditingKeeper />
    </main>
  );
}

/** Keeps the text of an edit. It is outside the editors, because the edited turn may be removed while it is not shown. */
function EditingKeeper() {
  const { state, drafts } = usePanel();
  const mayKeep = state.mayKeepDraft.value;
  const editing = state.editing.value;
  const summary = state.editedSummary.value;
  useEffect(() => {
    if (mayKeep !== undefined) drafts.keep(mayKeep, { editing, summary });
  }, [drafts, mayKeep, editing, summary]);
  return null;
}

function Announcer() {
  const { state } = usePanel();
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {state.announced.value}
    </div>
  );
}
