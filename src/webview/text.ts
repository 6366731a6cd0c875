/** Replaces `{0}` in a text of the host with a value. */
export function fill(template: string, value: string | number): string {
  return template.replace('{0}', () => String(value));
}
