/** Whether an error names a file: `names` is one label, or a list of several. */
export function isNamed(label: string, names = ''): boolean {
  return names === label || names.split(', ').includes(label);
}
