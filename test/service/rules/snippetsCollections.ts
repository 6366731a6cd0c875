import type { Snippet } from './generate.ts';

export const collections: readonly Snippet[] = [
  {
    asked: /\b(sum|total)(s| of|Of|_of)?\b/i,
    ts: `
/** The sum of a list of numbers; 0 for an empty one. */
export function sum(values«: readonly number[]»)«: number» {
  return values.reduce((total, value) => total + value, 0);
}`,
    py: `
def sum_of(values):
    """The sum of a list of numbers; 0 for an empty one."""
    return sum(values)`,
  },
  {
    asked: /\bchunk(s|_?array)?\b|\bsplit\b.*\b(array|list)\b/i,
    ts: `
/** The items in groups of \`size\`; the last group may be smaller. */
export function chunk«<T>»(items«: readonly T[]», size«: number»)«: T[][]» {
  if (!Number.isInteger(size) || size < 1) throw new RangeError('size must be a whole number of 1 or more.');
  const groups«: T[][]» = [];
  for (let start = 0; start < items.length; start += size) groups.push(items.slice(start, start + size));
  return groups;
}`,
    py: `
def chunk(items, size):
    """The items in groups of size; the last group may be smaller."""
    if size < 1:
        raise ValueError("size must be 1 or more.")
    return [items[start : start + size] for start in range(0, len(items), size)]`,
  },
  {
    asked: /\bbinary_?\s?search\b/i,
    ts: `
/** Returns the index of a value in an ascending list, or -1. */
export function binarySearch(sorted«: readonly number[]», value«: number»)«: number» {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle]« ?? Number.NaN»;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}`,
    py: `
from bisect import bisect_left


def binary_search(ordered, value):
    """Returns the index of a value in an ascending list, or -1."""
    index = bisect_left(ordered, value)
    return index if index < len(ordered) and ordered[index] == value else -1`,
  },
  {
    asked: /\b(unique|deduplicate|dedupe|remove duplicates)\b/i,
    ts: `
/** The items without repetitions, in the order in which they first come. */
export function unique«<T>»(items«: readonly T[]»)«: T[]» {
  return [...new Set(items)];
}`,
    py: `
def unique(items):
    """The items without repetitions, in the order in which they first come."""
    return list(dict.fromkeys(items))`,
  },
  {
    asked: /\bgroup_?\s?by\b/i,
    ts: `
/** The items by the key that \`keyOf\` gives each. */
export function groupBy«<T, K>»(items«: readonly T[]», keyOf«: (item: T) => K»)«: Map<K, T[]>» {
  return Map.groupBy(items, keyOf);
}`,
    py: `
def group_by(items, key_of):
    """The items by the key that key_of gives each."""
    groups = {}
    for item in items:
        groups.setdefault(key_of(item), []).append(item)
    return groups`,
  },
  {
    asked: /\bdebounce\b/i,
    ts: `
/** Calls \`run\` once, \`ms\` milliseconds after the last of a row of calls. */
export function debounce«<A extends unknown[]>»(run«: (...args: A) => void», ms«: number»)«: (...args: A) => void» {
  let timer«: ReturnType<typeof setTimeout> | undefined»;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), ms);
  };
}`,
    py: `
from threading import Timer


def debounce(run, seconds):
    """Calls run once, some seconds after the last of a row of calls."""
    timer = None

    def debounced(*args):
        nonlocal timer
        if timer is not None:
            timer.cancel()
        timer = Timer(seconds, run, args)
        timer.start()

    return debounced`,
  },
];
