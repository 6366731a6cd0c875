import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../IconButton.tsx';

/** The time for which the button shows that the answer was copied, in ms. */
const confirmationMs = 2000;

export function CopyAnswer({ text }: { readonly text: string }) {
  const { channel, strings } = usePanel();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const label = isCopied ? strings.copied : strings.copyAnswer;
  const copy = (): void => {
    channel.ask('copy', { text }).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return <IconButton icon={isCopied ? 'check' : 'copy'} label={label} testId="copy-answer" onClick={copy} />;
}
