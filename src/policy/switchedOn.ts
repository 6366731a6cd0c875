/** The layers' values of a switch, highest precedence first in each; undefined if a layer has none. */
interface SwitchLayers {
  readonly user: readonly unknown[];
  /** The values of workspace and folder, which can switch it off but never on. */
  readonly inner: readonly (readonly unknown[])[];
}

/** Whether the user switched it on; a value that is not a boolean is ignored. */
export function isSwitchedOn(layers: SwitchLayers): boolean {
  return switchedOffBy(layers) === null;
}

/** The layer that switches it off: the index of an inner layer, or the user, who did not switch it on. null if it is on. */
export function switchedOffBy({ user, inner }: SwitchLayers): number | 'user' | null {
  const at = inner.map(first).findIndex((value) => value !== undefined && value !== true);
  if (at >= 0) return at;
  return first(user) === true ? null : 'user';
}

function first(values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined);
}
