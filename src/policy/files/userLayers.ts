/** The user's values from VS Code's inspect(), whose typings omit the last two fields. */
export interface InspectedUser {
  /** The local user's value, or the remote machine's value, which overrides it. */
  readonly globalValue?: unknown;
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

/** Like InspectedUser, for values that are set for a language. */
export interface InspectedLanguage {
  readonly globalLanguageValue?: unknown;
  readonly globalLocalLanguageValue?: unknown;
  readonly globalRemoteLanguageValue?: unknown;
}

export interface UserLayers {
  /** The user's own settings. */
  readonly local: unknown;
  /** The settings of the remote machine, which a repository's devcontainer.json can write. */
  readonly remote: unknown;
}

/**
 * Splits `globalValue` into its two sources. If VS Code does not distinguish them, a remote window has no local value:
 * the value may come from the repository.
 */
export function userLayersOf(found: InspectedUser, isRemoteWindow: boolean): UserLayers {
  const { globalValue, globalLocalValue: local, globalRemoteValue: remote } = found;
  if (!('globalLocalValue' in found)) {
    return isRemoteWindow ? { local: undefined, remote: globalValue } : { local: globalValue, remote: undefined };
  }
  // A value that the user keeps for all profiles is only in globalValue.
  return { local: local === undefined && remote === undefined ? globalValue : local, remote };
}

export function languageLayersOf(found: InspectedLanguage, isRemoteWindow: boolean): UserLayers {
  const { globalLanguageValue: globalValue, globalRemoteLanguageValue: globalRemoteValue } = found;
  const local = 'globalLocalLanguageValue' in found ? { globalLocalValue: found.globalLocalLanguageValue } : {};
  return userLayersOf({ globalValue, globalRemoteValue, ...local }, isRemoteWindow);
}
