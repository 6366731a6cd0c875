/** Lower case of all that is equal in any case: `K` is also written with the Kelvin sign, and `s` as a long s. */
export function foldCase(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase();
}
