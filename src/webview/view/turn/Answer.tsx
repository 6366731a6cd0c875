import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GrowingText } from '../../growingText.ts';
import { usePanel } from '../../panel.ts';
import { type Body, PlainBody } from './plainBody.ts';

interface AnswerProps {
  readonly turnId: string;
  /** The offset in the whole answer at which the text begins. */
  readonly from: number;
  readonly text: string;
  readonly growing: GrowingText | undefined;
  readonly isDone: boolean;
  /** Whether this is the part after the last tool call. */
  readonly isLast: boolean;
  /** Whether the code of the answer may be used. */
  readonly isWhole: boolean;
}

/** Returns the answer from an offset on. A long answer without tool calls is not copied. */
function textFrom(answer: string, from: number): string {
  return from === 0 ? answer : answer.slice(from);
}

/** Loaded once, separately from the shell: an empty panel needs no parser. */
const loading = (): Promise<typeof import('../../markdown/answerBody.ts')> => import('../../markdown/answerBody.ts');

/** The container of an answer, or of its part before a tool call. The body owns its content; Preact never touches it. */
export function Answer({ turnId, from, text, growing, isDone, isLast, isWhole }: AnswerProps) {
  const { state, channel, strings } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const [body, setBody] = useState<Body>();

  const onDrawn = (): void => {
    state.contentVersion += 1;
  };
  const showPlain = (): void => {
    if (root.current !== null) setBody(new PlainBody(root.current, strings.plainAnswer, onDrawn));
  };

  useEffect(() => {
    let isGone = false;
    let made: Body | undefined;
    const make = ({ AnswerBody }: Awaited<ReturnType<typeof loading>>): void => {
      if (isGone || root.current === null) return;
      made = new AnswerBody(root.current, {
        copy: (code) => channel.ask('copy', { text: code }),
        onDrawn,
        openLink: (href) => channel.tell('openLink', { href }),
        use: (way, info, code) => channel.tell('useCode', { turnId, way, info, text: code }),
        codeStrings: strings,
        formulaStrings: strings,
        taskStrings: strings,
        copyLabel: strings.copyCode,
        copiedLabel: strings.copied,
      });
      setBody(made);
    };
    loading()
      .then(make)
      .catch(() => isGone || showPlain());
    return () => {
      isGone = true;
      made?.dispose();
    };
  }, [state, channel, strings, turnId]);

  /** An answer that cannot be drawn is shown as plain text. */
  const draw = (work: (body: Body) => void): void => {
    if (body === undefined) return;
    try {
      work(body);
    } catch {
      body.dispose();
      showPlain();
    }
  };

  useLayoutEffect(() => {
    draw((shown) => {
      shown.update(text, growing, isDone);
      if (isDone) shown.settle(isWhole);
    });
  }, [body, text, growing, isDone, isWhole]);

  // Streamed text bypasses all components: rendering with them would double its cost.
  useLayoutEffect(() => {
    if (isDone) return;
    return state.grown.subscribe((turn) => {
      if (turn?.id === turnId) draw((shown) => shown.update(textFrom(turn.answer, from), turn.growing, false));
    });
  }, [state, turnId, from, body, isDone]);

  const testId = isLast ? 'answer' : 'answer-part';
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; the keys that go to an answer focus this group
  return <div ref={root} class="answer" data-testid={testId} role="group" aria-label={strings.answer} />;
}
