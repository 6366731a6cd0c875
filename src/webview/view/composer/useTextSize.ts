import { useEffect, useMemo, useRef } from 'preact/hooks';
import { bytesOf } from '../../longText.ts';
import { usePanel } from '../../panel.ts';
import type { Draft } from './useDraft.ts';

/** The minimum time in milliseconds between two reports of the size to the host. */
const pauseMs = 250;

/** Tells the host the size of the message, for the meter. */
export function useTextSize({ text, pasted }: Draft): void {
  const { channel } = usePanel();
  const pastedBytes = useMemo(() => pasted.reduce((sum, long) => sum + bytesOf(long), 0), [pasted]);
  const latest = useRef({ text, pastedBytes });
  latest.current = { text, pastedBytes };
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      channel.tell('typeText', { bytes: bytesOf(latest.current.text) + latest.current.pastedBytes });
    }, pauseMs);
  }, [channel, text, pastedBytes]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
}
