/**
 * Folds case for comparison: texts that differ only in case become equal, also the Kelvin sign and `k`, or the long s and `s`.
 */
export function foldCase(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase();
}
