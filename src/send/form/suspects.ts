/** A group of tools that a service seems to refuse. */
interface Group {
  readonly names: readonly string[];
  /** A request with them was refused that was accepted without them. */
  readonly isRefused: boolean;
}

/**
 * The tools that are left out of requests, in groups. A group is made smaller by later requests: each offers one more part
 * of it, until what is left was refused alone. What a passing fault left out comes back in the same way.
 */
export class Suspects {
  readonly #groups: readonly Group[];

  constructor(groups: readonly Group[] = []) {
    this.#groups = groups.filter(({ names }) => names.length > 0);
  }

  /** With a group of which it is known that a part is refused. A single tool is tried once more. */
  with(names: readonly string[]): Suspects {
    const known = new Set(this.names);
    const group = names.filter((name) => !known.has(name));
    return new Suspects([...this.#groups, { names: group, isRefused: group.length > 1 }]);
  }

  /** With tools that the service has named. */
  withNamed(names: readonly string[]): Suspects {
    const named = new Set(names);
    const others = this.#groups.map((group) => ({ ...group, names: group.names.filter((name) => !named.has(name)) }));
    return new Suspects([...others, ...[...named].map((name) => ({ names: [name], isRefused: true }))]);
  }

  get names(): readonly string[] {
    return this.#groups.flatMap(({ names }) => names);
  }

  /** The part that the next request offers, to see whether it is taken; empty if all is known. */
  get trial(): readonly string[] {
    const group = this.#groups.find(isOpen);
    return group === undefined ? [] : partOf(group).tried;
  }

  /** After the answer to a request with the trial. */
  tried(isAccepted: boolean): Suspects {
    const at = this.#groups.findIndex(isOpen);
    const group = this.#groups[at];
    if (group === undefined) return this;
    const { tried, rest } = partOf(group);
    // If one half is taken, the other has what was refused.
    const other = { names: rest, isRefused: isAccepted && rest.length > 1 };
    const parts = isAccepted ? [other] : [{ names: tried, isRefused: true }, other];
    return new Suspects(this.#groups.toSpliced(at, 1, ...parts));
  }
}

/** Something of it may be taken. */
function isOpen({ names, isRefused }: Group): boolean {
  return !isRefused || names.length > 1;
}

/** All of a group that was not tried, else a half. */
function partOf({ names, isRefused }: Group): { readonly tried: readonly string[]; readonly rest: readonly string[] } {
  const size = isRefused ? Math.ceil(names.length / 2) : names.length;
  return { tried: names.slice(0, size), rest: names.slice(size) };
}
