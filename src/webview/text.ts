/** Puts a value in the place of `{0}` in a text of the host. */
export function fill(template: string, value: string | number): string {
  return template.replace('{0}', () => String(value));
}
