/** About four round integers from 0 to at least `most`. */
export function ticksFor(most: number, wanted = 4): readonly number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const count = Math.ceil(most / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/**
 * Which of `count` labels to write below columns that are `pitch` px apart, so that labels of `width` px do not
 * overlap: every one, every second, fifth, and so on.
 */
export function labelStep(count: number, pitch: number, width: number): number {
  const gap = 4;
  const fitting = (step: number): boolean => step * pitch >= width + gap || step >= count;
  for (let power = 1; ; power *= 10) {
    const step = [1, 2, 5].map((factor) => factor * power).find(fitting);
    if (step !== undefined) return step;
  }
}
