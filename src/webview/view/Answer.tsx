import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GrowingText } from '../growingText.ts';
import type { AnswerBody } from '../markdown/answerBody.ts';
import { usePanel } from '../panel.ts';

interface AnswerProps {
  readonly text: string;
  readonly growing: GrowingText | undefined;
  readonly isDone: boolean;
}

/** Loaded once, apart from the shell: an empty panel needs no parser. */
const loading = (): Promise<typeof import('../markdown/answerBody.ts')> => import('../markdown/answerBody.ts');

/** The place of an answer. What is inside belongs to AnswerBody; Preact never looks there. */
export function Answer({ text, growing, isDone }: AnswerProps) {
  const { bridge, strings } = usePanel();
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
  }, [bridge, strings]);

  useLayoutEffect(() => body?.update(text, growing, isDone), [body, text, growing, isDone]);

  return <div ref={root} class="answer" data-testid="answer" />;
}
