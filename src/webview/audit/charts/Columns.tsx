import { auditOutcomes } from '../../../protocol/audit/auditValues.ts';
import { useAudit } from '../state.ts';
import { plotFor, ticksFor } from './axis.ts';
import { textureId } from './Textures.tsx';
import { useWidth } from './useWidth.ts';

interface ColumnBar {
  readonly key: string;
  /** The label below the column, if there is room. */
  readonly tick: string;
  /** The full label, for the tooltip. */
  readonly title: string;
  /** A single value, or a value for each outcome, from bottom to top. */
  readonly values: readonly number[];
}

interface ColumnsProps {
  readonly title: string;
  readonly bars: readonly ColumnBar[];
}

const height = 176;
const top = 8;
const bottom = 24;
const widest = 40;
/** The width in px of a character in axis labels, rounded up. */
const characterWidth = 6.6;

/** Columns over an axis, drawn for the available width, so that the labels keep their size. */
export function Columns({ title, bars }: ColumnsProps) {
  const { formats } = useAudit();
  const { ref, width } = useWidth();
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + Math.max(0, value), 0));
  const ticks = ticksFor(Math.max(0, ...sums));
  const maxValue = ticks.at(-1) ?? 1;
  const tickLabels = ticks.map((tick) => formats.compact(tick));
  const labelWidth = maxLength(bars.map(({ tick }) => tick)) * characterWidth;
  const scaleWidth = Math.ceil(maxLength(tickLabels) * characterWidth) + 12;
  const { left, right, pitch, step } = plotFor(width, bars.length, scaleWidth, labelWidth);
  const thickness = Math.max(1, Math.min(widest, pitch >= 6 ? Math.floor(pitch * 0.72) : pitch - 1));
  const plotHeight = height - top - bottom;
  const y = (value: number): number => top + plotHeight * (1 - value / maxValue);
  return (
    <div class="plot" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={title}>
          {ticks.map((tick, index) => (
            <g key={tick}>
              <line
                class={tick === 0 ? 'base' : 'grid'}
                x1={left}
                x2={width - right}
                y1={crisp(y(tick))}
                y2={crisp(y(tick))}
              />
              <text x={left - 8} y={y(tick) + 4} text-anchor="end">
                {tickLabels[index]}
              </text>
            </g>
          ))}
          {bars.map((bar, index) => {
            const start = left + index * pitch;
            const middle = start + pitch / 2;
            return (
              <g key={bar.key} class="column">
                <Stack values={bar.values} x={middle - thickness / 2} width={thickness} y={y} />
                {(bars.length - 1 - index) % step === 0 && (
                  <text x={middle} y={height - 6} text-anchor="middle">
                    {bar.tick}
                  </text>
                )}
                <rect class="pointer" x={start} y={top} width={pitch} height={plotHeight}>
                  <title>{bar.title}</title>
                </rect>
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}

interface StackProps {
  readonly values: readonly number[];
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

/** The values of the outcomes, stacked. */
function Stack({ values, x, width, y }: StackProps) {
  let below = 0;
  return values.map((value, index) => {
    if (!(value > 0)) return null;
    const from = y(below);
    below += value;
    const name = (values.length > 1 ? auditOutcomes[index] : undefined) ?? 'complete';
    // A single request among thousands stays visible.
    const size = Math.max(1, from - y(below));
    const place = { x, y: from - size, width, height: size };
    return (
      <g key={name}>
        <rect class={`bar ${name}`} {...place} />
        <rect class="texture" fill={`url(#${textureId(name)})`} {...place} />
      </g>
    );
  });
}

function maxLength(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

/** A line of 1 px is sharp if it is centered on a pixel. */
function crisp(at: number): number {
  return Math.round(at) + 0.5;
}
