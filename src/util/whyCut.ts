/** Why an answer ended before it was complete. */
export type Cut = 'length' | 'filter';

/**
 * null if the answer was not cut off. `finishReason` is the service's value: services differ in their words, and a
 * gateway passes on those of the service behind it.
 */
export function whyCut(finishReason: string | undefined): Cut | null {
  if (/^(length|max_(output_)?tokens)$/i.test(finishReason ?? '')) return 'length';
  return /filter|safety/i.test(finishReason ?? '') ? 'filter' : null;
}
