import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GrowingText } from '../../growingText.ts';
import type { AnswerBody } from '../../markdown/answerBody.ts';
import { usePanel } from '../../panel.ts';

interface AnswerProps {
  readonly turnId: string;
  readonly text: string;
  readonly growing: GrowingText | undefined;
  readonly isDone: boolean;
  /** It has ended, so that its code can be used. */
  readonly isWhole: boolean;
}

/** Loaded once, separately from the shell: an empty panel needs no parser. */
const loading = (): Promise<typeof import('../../markdown/answerBody.ts')> => import('../../markdown/answerBody.ts');

/** The container of an answer. AnswerBody owns its content; Preact never touches it. */
export function Answer({ turnId, text, growing, isDone, isWhole }: AnswerProps) {
  const { state, channel, strings } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const [body, setBody] = useState<AnswerBody>();

  useEffect(() => {
    let isGone = false;
    let made: AnswerBody | undefined;
    loading().then(
      ({ AnswerBody }) => {
        if (isGone || root.current === null) return;
        made = new AnswerBody(root.current, {
          copy: (code) => channel.ask('copy', { text: code }),
          onDrawn: () => {
            state.contentVersion += 1;
          },
          openLink: (href) => channel.tell('openLink', { href }),
          use: (way, info, code) => channel.tell('useCode', { turnId, way, info, text: code }),
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
  }, [state, channel, strings, turnId]);

  useLayoutEffect(() => {
    body?.update(text, growing, isDone);
    if (isDone) body?.settle(isWhole);
  }, [body, text, growing, isDone, isWhole]);

  // Streamed text bypasses all components: rendering with them would double its cost.
  useLayoutEffect(() => {
    if (isDone) return;
    return state.grown.subscribe((turn) => {
      if (turn?.id === turnId) body?.update(turn.answer, turn.growing, false);
    });
  }, [state, turnId, body, isDone]);

  return <div ref={root} class="answer" data-testid="answer" />;
}
