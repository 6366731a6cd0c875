/** Appends to a list. Unlike `push(...more)`, which overflows the stack, also hundreds of thousands. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
