import { objectIn, unknownKey, wrong } from './fileValues.ts';

/** Where the API key comes from, so that no user has to enter one. */
export interface CredentialsPolicy {
  /** The name of an environment variable of VS Code that has the key. */
  readonly environment: string;
  /** The only origin that the key is sent to. */
  readonly origin: string;
}

const keys = ['environment', 'origin'] as const;
/** Others cannot be set in every shell. */
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

export function credentialsIn(
  value: unknown,
  where: string,
  originIn: (value: unknown, where: string) => string,
): CredentialsPolicy {
  const given = objectIn(value, where);
  for (const name of Object.keys(given))
    if (!keys.some((known) => known === name)) throw unknownKey(`${where}.${name}`, keys);
  const { environment } = given;
  if (typeof environment !== 'string' || !variableName.test(environment))
    throw wrong(`${where}.environment`, environment, { kind: 'variableName' });
  return { environment, origin: originIn(given.origin, `${where}.origin`) };
}
