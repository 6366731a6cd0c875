/** The service chose these words, so they could hold anything: what is no identifier is not written down. */
export function identifier(text: string): string {
  return /^[\w.:/-]{1,100}$/.test(text) ? text : '(not an identifier)';
}
