/** A group of tools that a service seems to refuse. */
interface Group {
  readonly names: readonly string[];
  /** Whether the service refused a request with these tools and accepted it without them. */
  readonly isRefused: boolean;
}

/**
 * The tools that are left out of requests, in groups. Later requests bisect each group: each offers another part of it,
 * until every remaining tool was refused on its own. Tools that were left out because of a transient error are restored
 * in the same way.
 */
export class Suspects {
  readonly #groups: readonly Group[];

  constructor(groups: readonly Group[] = []) {
    this.#groups = groups.filter(({ names }) => names.length > 0);
  }

  /** Returns a copy with another group, at least one of whose tools was refused. A single tool is tried again. */
  with(names: readonly string[]): Suspects {
    const known = new Set(this.names);
    const group = names.filter((name) => !known.has(name));
    return new Suspects([...this.#groups, { names: group, isRefused: group.length > 1 }]);
  }

  /** Returns a copy with tools that the service has named. */
  withNamed(names: readonly string[]): Suspects {
    const named = new Set(names);
    const others = this.#groups.map((group) => ({ ...group, names: group.names.filter((name) => !named.has(name)) }));
    return new Suspects([...others, ...[...named].map((name) => ({ names: [name], isRefused: true }))]);
  }

  get names(): readonly string[] {
    return this.#groups.flatMap(({ names }) => names);
  }

  /** The tools that the next request offers, to see whether they are accepted; empty if all is known. */
  get trial(): readonly string[] {
    const group = this.#groups.find(isOpen);
    return group === undefined ? [] : partOf(group).tried;
  }

  /** Returns the groups after the answer to a request with the trial. */
  tried(isAccepted: boolean): Suspects {
    const at = this.#groups.findIndex(isOpen);
    const group = this.#groups[at];
    if (group === undefined) return this;
    const { tried, rest } = partOf(group);
    // If one half is accepted, the other contains a refused tool.
    const other = { names: rest, isRefused: isAccepted && rest.length > 1 };
    const parts = isAccepted ? [other] : [{ names: tried, isRefused: true }, other];
    return new Suspects(this.#groups.toSpliced(at, 1, ...parts));
  }
}

/** Whether the service may accept a tool of the group. */
function isOpen({ names, isRefused }: Group): boolean {
  return !isRefused || names.length > 1;
}

/** The part of a group to try: all of a group that was not tried, else a half. */
function partOf({ names, isRefused }: Group): { readonly tried: readonly string[]; readonly rest: readonly string[] } {
  const size = isRefused ? Math.ceil(names.length / 2) : names.length;
  return { tried: names.slice(0, size), rest: names.slice(size) };
}
