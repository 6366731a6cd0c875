/**
 * Folds case for comparison: texts that differ only in case become equal, also the Kelvin sign and `k`, the long s and `s`, or
 * any sharp s and `ss`.
 */
export function foldCase(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.toLowerCase().toUpperCase().toLowerCase();
}
