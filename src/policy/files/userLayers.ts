/** What VS Code's inspect() says of the user's values. Its typings leave out the two that come last. */
export interface InspectedUser {
  /** The local user's value, overruled by the remote machine's. */
  readonly globalValue?: unknown;
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

/** The same of what is set for a language. */
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
 * Takes apart what `globalValue` joins. Where VS Code does not tell the two apart, a remote window has no value of the
 * local user: what it says may be the repository's.
 */
export function userLayersOf(found: InspectedUser, isRemoteWindow: boolean): UserLayers {
  const { globalValue, globalLocalValue: local, globalRemoteValue: remote } = found;
  if (!('globalLocalValue' in found)) {
    return isRemoteWindow ? { local: undefined, remote: globalValue } : { local: globalValue, remote: undefined };
  }
  // What the user keeps for all profiles is in globalValue alone.
  return { local: local === undefined && remote === undefined ? globalValue : local, remote };
}

export function languageLayersOf(found: InspectedLanguage, isRemoteWindow: boolean): UserLayers {
  const { globalLanguageValue: globalValue, globalRemoteLanguageValue: globalRemoteValue } = found;
  const local = 'globalLocalLanguageValue' in found ? { globalLocalValue: found.globalLocalLanguageValue } : {};
  return userLayersOf({ globalValue, globalRemoteValue, ...local }, isRemoteWindow);
}
