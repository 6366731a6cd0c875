import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GrowingText } from '../../growingText.ts';
import type { AnswerBody } from '../../markdown/answerBody.ts';
import { usePanel } from '../../panel.ts';

interface AnswerProps {
  readonly turnId: string;
  readonly text: string;
  readonly growing: GrowingText | undefined;
  readonly isDone: boolean;
  /** It has come to its end, so that its code can be used. */
  readonly isWhole: boolean;
}

/** Loaded once, apart from the shell: an empty panel needs no parser. */
const loading = (): Promise<typeof import('../../markdown/answerBody.ts')> => import('../../markdown/answerBody.ts');

/** The place of an answer. What is inside belongs to AnswerBody; Preact never looks there. */
export function Answer({ turnId, text, growing, isDone, isWhole }: AnswerProps) {
  const { state, bridge, strings } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const [body, setBody] = useState<AnswerBody>();

  useEffect(() => {
    let isGone = false;
    let made: AnswerBody | undefined;
    loading().then(
      ({ AnswerBody }) => {
        if (isGone || root.current === null) return;
        made = new AnswerBody(root.current, {
          copy: (code) => bridge.call('copy', { text: code }),
          openLink: (href) => bridge.tell('openLink', { href }),
          use: (way, info, code) => bridge.tell('useCode', { turnId, way, info, text: code }),
          codeStrings: strings,
          copyLabel: strings.copyCode,
          copiedLabel: strings.copied,
        });
        setBody(made);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      made?.dispose();
    };
  }, [bridge, strings, turnId]);

  useLayoutEffect(() => {
    body?.update(text, growing, isDone);
    if (isDone) body?.settle(isWhole);
  }, [body, text, growing, isDone, isWhole]);

  // Streamed words come here past all components: drawn by these, each would cost as much again.
  useLayoutEffect(() => {
    if (isDone) return;
    return state.grown.subscribe((turn) => {
      if (turn?.id === turnId) body?.update(turn.answer, turn.growing, false);
    });
  }, [state, turnId, body, isDone]);

  return <div ref={root} class="answer" data-testid="answer" />;
}
