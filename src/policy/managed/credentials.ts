import { objectIn, unknownKey, wrong } from './fileValues.ts';

/** The source of the API key, so that no user has to enter one. */
export interface CredentialsPolicy {
  /** The name of an environment variable of VS Code that has the key. */
  readonly environment: string;
  /** The only origin that the key is sent to. */
  readonly origin: string;
}

export function credentialsIn(
  value: unknown,
  where: string,
  originIn: (value: unknown, where: string) => string,
): CredentialsPolicy {
  const { environment, origin, ...others } = objectIn(value, where);
  for (const name of Object.keys(others)) throw unknownKey(`${where}.${name}`, ['environment', 'origin']);
  // Other names cannot be set in every shell.
  if (typeof environment !== 'string' || !/^[A-Za-z_]\w{0,99}$/.test(environment))
    throw wrong(`${where}.environment`, environment, { kind: 'variableName' });
  return { environment, origin: originIn(origin, `${where}.origin`) };
}
