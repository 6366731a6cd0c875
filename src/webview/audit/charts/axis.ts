/** Returns about four round integers from 0 to at least `maxValue`. */
export function ticksFor(maxValue: number, wanted = 4): readonly number[] {
  if (!(maxValue > 0) || !Number.isFinite(maxValue)) return [0, 1];
  const rough = maxValue / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const count = Math.ceil(maxValue / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** The layout of a column chart in pixels. */
interface Plot {
  /** The distances from the edges to the first and the last column. */
  readonly left: number;
  readonly right: number;
  /** The distance between the middles of two columns. */
  readonly pitch: number;
  /** The number of columns from one label to the next, counted back from the last column. */
  readonly step: number;
}

/**
 * Divides `width` into `count` columns beside a scale of `scaleWidth`. The last column, which is today's if the period has not
 * ended, always has a label of `labelWidth`. No label is cut or overlaps another label.
 */
export function plotFor(width: number, count: number, scaleWidth: number, labelWidth: number): Plot {
  const edge = 4;
  const columns = Math.max(1, count);
  const pitchOf = (left: number, right: number): number => Math.max(0, width - left - right) / columns;
  // A label may be wider than its column. Room at the edges for it makes the columns narrower again.
  const overhang = ((labelWidth - pitchOf(scaleWidth, edge)) / 2) * (columns / Math.max(1, columns - 1));
  const right = Math.max(edge, Math.ceil(overhang));
  const left = Math.max(scaleWidth, Math.ceil(overhang));
  const pitch = pitchOf(left, right);
  return { left, right, pitch, step: labelStep(count, pitch, labelWidth) };
}

/**
 * Returns the number of columns per label for `count` columns that are `pitch` px apart, so that labels of `width` px do not
 * overlap: 1 labels every column, 2 every second one, then 5, and so on.
 */
export function labelStep(count: number, pitch: number, width: number): number {
  const gap = 4;
  const fitting = (step: number): boolean => step * pitch >= width + gap || step >= count;
  for (let power = 1; ; power *= 10) {
    const step = [1, 2, 5].map((factor) => factor * power).find(fitting);
    if (step !== undefined) return step;
  }
}
