/** What the layers say of a switch, in each the word that counts first; undefined where it says nothing. */
export interface SwitchLayers {
  readonly user: readonly unknown[];
  /** Workspace and folder: they can switch it off and never on. */
  readonly inner: readonly (readonly unknown[])[];
}

/** Is it on? Only where the user switched it on; anything that is no boolean is no yes. */
export function isSwitchedOn({ user, inner }: SwitchLayers): boolean {
  return first(user) === true && inner.map(first).every((value) => value === undefined || value === true);
}

function first(values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined);
}
