/** Appends to a list. `push(...more)` would overflow the stack with hundreds of thousands of items. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
