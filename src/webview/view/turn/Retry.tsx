import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../../panel.ts';
import { fill } from '../../text.ts';
import { Icon } from '../Icon.tsx';
import { useFocusBack } from './useFocusBack.ts';

interface RetryProps {
  readonly turnId: string;
  /** The time at which the next attempt starts (epoch, ms). */
  readonly untilMs: number;
  readonly reason: string;
}

/** A countdown to the next attempt, with buttons to retry now or to stop. */
export function Retry({ turnId, untilMs, reason }: RetryProps) {
  const { channel, strings } = usePanel();
  const part = useFocusBack<HTMLDivElement>();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [untilMs]);

  const seconds = Math.max(0, Math.ceil((untilMs - now) / 1000));
  return (
    <div ref={part} class="retry" data-testid="retry">
      <Icon name="loading" isSpinning />
      <div class="card-text">
        <div class="card-title">{fill(strings.retryingIn, seconds)}</div>
        {reason !== '' && <div class="card-detail">{reason}</div>}
        <div class="actions">
          <button
            type="button"
            class="button"
            data-testid="retry-now"
            onClick={() => channel.tell('retryNow', { turnId })}
          >
            {strings.retryNow}
          </button>
          <button
            type="button"
            class="button secondary"
            data-testid="retry-cancel"
            onClick={() => channel.tell('stop')}
          >
            {strings.cancel}
          </button>
        </div>
      </div>
    </div>
  );
}
