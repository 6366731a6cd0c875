import { useEffect, useMemo, useState } from 'preact/hooks';
import { usePanel } from '../../panel.ts';
import { fill } from '../../text.ts';
import { Icon } from '../Icon.tsx';

/** The number of seconds after which the elapsed time is shown: most answers begin earlier. */
const minShownSeconds = 3;

interface WaitingProps {
  /** The time, in ms, for which the turn had already waited when the host sent it; undefined if it does not wait. */
  readonly waitedMs: number | undefined;
  readonly waitsFor: string | undefined;
}

/** Shows what a turn waits for, such as its first text, and for how long. */
export function Waiting({ waitedMs, waitsFor }: WaitingProps) {
  const { strings } = usePanel();
  const since = useMemo(() => (waitedMs === undefined ? undefined : Date.now() - waitedMs), [waitedMs]);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (since === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [since]);
  const seconds = since === undefined ? 0 : Math.floor((now - since) / 1_000);
  return (
    <div class="progress" data-testid="waiting">
      <Icon name="loading" isSpinning />
      <span>
        {waitsFor ?? strings.waiting}
        {/* A screen reader announces once that the turn waits, not every second. */}
        {seconds >= minShownSeconds && <span aria-hidden="true"> · {fill(strings.seconds, seconds)}</span>}
      </span>
    </div>
  );
}
