import type { AuditOutcome } from '../../../protocol/audit/auditValues.ts';
import { useAudit } from '../state.ts';
import { textureId } from './Textures.tsx';

export interface WordBar {
  readonly label: string;
  readonly count: number;
  /** Sets the bar's color and pattern. */
  readonly outcome?: AuditOutcome;
}

interface BarsProps {
  readonly title: string;
  readonly bars: readonly WordBar[];
  /** The total that the bars are parts of. */
  readonly whole: number;
}

/** Horizontal bars, each below its label, which may be long, and its number. */
export function Bars({ title, bars, whole }: BarsProps) {
  const { formats } = useAudit();
  const maxCount = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <div class="word-bars" role="img" aria-label={title}>
      {bars.map(({ label, count, outcome = 'complete' }) => {
        const size = { width: `${(100 * count) / maxCount}%`, height: '100%' };
        return (
          <div class="word-bar" key={label}>
            <bdi class="word">{label}</bdi>
            <span class="count">
              {formats.number(count)} <span class="quiet">· {formats.percent(count, whole)}</span>
            </span>
            <svg class="line" height="8" aria-hidden="true">
              <rect class={`bar ${outcome}`} {...size} />
              <rect class="texture" fill={`url(#${textureId(outcome)})`} {...size} />
            </svg>
          </div>
        );
      })}
    </div>
  );
}
