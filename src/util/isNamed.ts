/** Whether a file is what an error names: one, or a list of several. */
export function isNamed(label: string, names = ''): boolean {
  return names === label || names.split(', ').includes(label);
}
