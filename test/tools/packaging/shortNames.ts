import { posix } from 'node:path';

const hashed = /-([A-Z0-9]{8})\.js$/;
/** The minimum length of a hash. */
const minLength = 3;

/**
 * Shorter names for the chunks of a bundle, by their names: the hash in each is as short as it can be. Every file that imports
 * chunks has their names, and hashes cannot be compressed.
 */
export function shortNames(files: readonly string[]): ReadonlyMap<string, string> {
  const names = files.map((file) => posix.basename(file)).filter((name) => hashed.test(name));
  for (let length = minLength; ; length += 1) {
    const short = names.map((name) => name.replace(hashed, (_, hash: string) => `-${hash.slice(0, length)}.js`));
    if (new Set(short).size === new Set(names).size) return new Map(names.map((name, at) => [name, short[at] ?? name]));
  }
}

/** Replaces the names of chunks in a path or in the text of a bundle. */
export function withShortNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/\w+-[A-Z0-9]{8}\.js/g, (name) => names.get(name) ?? name);
}
