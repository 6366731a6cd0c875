/** The layers' values of a switch, highest precedence first in each; undefined if a layer has none. */
export interface SwitchLayers {
  readonly user: readonly unknown[];
  /** Workspace and folder: they can switch it off but never on. */
  readonly inner: readonly (readonly unknown[])[];
}

/** True only if the user switched it on; a value that is not a boolean does not count. */
export function isSwitchedOn({ user, inner }: SwitchLayers): boolean {
  return first(user) === true && inner.map(first).every((value) => value === undefined || value === true);
}

function first(values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined);
}
