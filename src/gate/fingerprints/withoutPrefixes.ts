import type { IgnoredPrefixes } from './characters.ts';
import { type Normal, prefixSize } from './normal.ts';

/** The index of each end within the numbers of a prefix in `Normal`. */
const places = { path: 1, first: 2, all: 3 };

/** A normalized text without the possible prefixes of its lines. */
export interface Unprefixed {
  readonly units: Uint16Array;
  /** The index of each unit in the text with prefixes. */
  readonly origins: Uint32Array;
}

/** Makes buffers for texts of `length` units. */
export function unprefixedRoom(length: number): Unprefixed {
  return { units: new Uint16Array(length), origins: new Uint32Array(length) };
}

/** Removes these parts of possible prefixes from each line. */
export function withoutPrefixes(normal: Normal, parts: IgnoredPrefixes, room: Unprefixed): Unprefixed {
  const { units, at, prefixes } = normal;
  const { units: copied, origins } = room;
  const place = places[parts];
  let [count, from] = [0, 0];
  for (let prefix = 0; prefix <= prefixes.length; prefix += prefixSize) {
    const isLast = prefix === prefixes.length;
    const to = isLast ? units.length : (prefixes[prefix] ?? 0);
    for (; from < to; from += 1, count += 1) {
      copied[count] = units[from] ?? 0;
      origins[count] = from;
    }
    if (!isLast) from = prefixEnd(at, from, prefixes[prefix + place] ?? 0);
  }
  return { units: copied.subarray(0, count), origins: origins.subarray(0, count) };
}

interface Around {
  /** The number of units that are kept before and after each prefix. */
  readonly length: number;
  /** The minimum length of a long line; a prefix between two long lines is skipped. */
  readonly longLine: number;
  /** The places of grams of files, in order: a prefix beside a line with a hit is not skipped. */
  readonly hits: readonly number[];
}

/**
 * Removes these parts of possible prefixes, and keeps only units before and after each prefix: only there, the text without
 * prefixes has other grams. The places follow each other directly.
 */
export function aroundPrefixes(
  normal: Normal,
  parts: IgnoredPrefixes,
  { length, longLine, hits }: Around,
  room: Unprefixed,
): Uint16Array {
  const { units, at, prefixes } = normal;
  const { units: copied } = room;
  const place = places[parts];
  // No place before the first prefix follows a prefix.
  let [count, from, isStart, hit] = [0, Math.max(0, (prefixes[0] ?? 0) - length), false, 0];
  for (let prefix = 0; prefix <= prefixes.length; prefix += prefixSize) {
    const isLast = prefix === prefixes.length;
    const to = isLast ? units.length : (prefixes[prefix] ?? 0);
    const start = isLast ? to : prefixEnd(at, to, prefixes[prefix + place] ?? 0);
    const after = prefix + prefixSize < prefixes.length ? (prefixes[prefix + prefixSize] ?? 0) : units.length;
    while (hit < hits.length && (hits[hit] ?? 0) + length < from) hit += 1;
    const isFound = hit < hits.length && (hits[hit] ?? 0) < after;
    const isEnd = !isLast && (to - from < longLine || after - start < longLine || isFound);
    const isGap = !(isStart && isEnd) || to - from > 2 * length;
    const end = isGap ? Math.min(to, from + (isStart ? length : 0)) : to;
    for (let unit = from; unit < end; unit += 1, count += 1) copied[count] = units[unit] ?? 0;
    if (isGap && isEnd) {
      for (let unit = Math.max(from, to - length); unit < to; unit += 1, count += 1) copied[count] = units[unit] ?? 0;
    }
    [from, isStart] = [start, isEnd];
  }
  return copied.subarray(0, count);
}

/** The index of the first unit after a prefix, which begins at `from` and ends at an offset in the text. */
function prefixEnd(at: Uint32Array, from: number, end: number): number {
  let index = from;
  while (index < at.length && (at[index] ?? 0) < end) index += 1;
  return index;
}

/** Whether units from one index to another contain any of a prefix. With `after`, only the units after these parts count. */
export function hasOfPrefix(
  { at, prefixes }: Normal,
  { from, to }: { readonly from: number; readonly to: number },
  after?: IgnoredPrefixes,
): boolean {
  // Finds the last prefix that begins before the end.
  let [low, high] = [0, prefixes.length / prefixSize];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((prefixes[prefixSize * middle] ?? 0) < to) low = middle + 1;
    else high = middle;
  }
  for (let prefix = prefixSize * (low - 1); prefix >= 0; prefix -= prefixSize) {
    const first = prefixes[prefix] ?? 0;
    const end = prefixEnd(at, first, prefixes[prefix + places.all] ?? 0);
    if (end <= from) return false;
    const start = after === undefined ? first : prefixEnd(at, first, prefixes[prefix + places[after]] ?? 0);
    if (start < Math.min(end, to)) return true;
  }
  return false;
}

/** The different ways to read the lines without prefixes; empty if no line has a prefix. */
export function readingsWithoutPrefixes({ prefixes }: Normal): readonly IgnoredPrefixes[] {
  if (prefixes.length === 0) return [];
  const readings = new Set<IgnoredPrefixes>(['all']);
  for (let prefix = 0; prefix < prefixes.length; prefix += prefixSize) {
    const first = prefixes[prefix + places.first];
    if (first !== prefixes[prefix + places.path]) readings.add('path');
    if (first !== prefixes[prefix + places.all]) readings.add('first');
  }
  return [...readings];
}
