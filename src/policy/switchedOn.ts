/** The layers' values of a switch, highest precedence first in each; undefined if a layer has none. */
interface SwitchLayers {
  readonly user: readonly unknown[];
  /** Workspace and folder: they can switch it off but never on. */
  readonly inner: readonly (readonly unknown[])[];
}

/** True only if the user switched it on; a value that is not a boolean does not count. */
export function isSwitchedOn(layers: SwitchLayers): boolean {
  return switchedOffBy(layers) === null;
}

/** What switches it off: the place of an inner layer, or else the user, who did not switch it on. null if it is on. */
export function switchedOffBy({ user, inner }: SwitchLayers): number | 'user' | null {
  const at = inner.map(first).findIndex((value) => value !== undefined && value !== true);
  if (at >= 0) return at;
  return first(user) === true ? null : 'user';
}

function first(values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined);
}
