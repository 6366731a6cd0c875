/** The service chose this text, so it could contain anything: text that is not an identifier is not recorded. */
export function identifier(text: string): string {
  return /^[\w.:/-]{1,100}$/.test(text) ? text : '(not an identifier)';
}
