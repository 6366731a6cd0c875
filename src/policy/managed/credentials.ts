import type { Allowed } from '../allowed.ts';
import { objectIn, unknownKey, wrong } from './fileValues.ts';
import { type HelperCommand, helperFields, maxTimeoutSeconds, wrongHelperField } from './helperCommand.ts';
import { isOrigin } from './isOrigin.ts';

/** The source of the API key, so that no user has to enter one. */
export type CredentialsPolicy = KeyVariable | HelperCommand;

interface KeyVariable {
  /** The name of an environment variable of VS Code that has the key. */
  readonly environment: string;
  /** The only origin that the key is sent to. */
  readonly origin: string;
}

export function credentialsIn(value: unknown, where: string): CredentialsPolicy {
  const given = objectIn(value, where);
  return Object.hasOwn(given, 'command') ? helperIn(given, where) : variableIn(given, where);
}

function variableIn(
  { environment, origin, ...others }: Readonly<Record<string, unknown>>,
  where: string,
): CredentialsPolicy {
  for (const name of Object.keys(others)) {
    throw unknownKey(`${where}.${name}`, ['environment', ...helperFields]);
  }
  // Other names cannot be set in every shell.
  if (typeof environment !== 'string' || !/^[A-Za-z_]\w{0,99}$/.test(environment))
    throw wrong(`${where}.environment`, environment, { kind: 'variableName' });
  if (!isOrigin(origin)) throw wrong(`${where}.origin`, origin, { kind: 'origin' });
  return { environment, origin };
}

const allowed: Readonly<Record<string, Allowed>> = {
  command: { kind: 'helperCommand' },
  timeoutSeconds: { kind: 'number', isWhole: true, minimum: 1, maximum: maxTimeoutSeconds },
  origin: { kind: 'origin' },
};

function helperIn(given: Readonly<Record<string, unknown>>, where: string): CredentialsPolicy {
  const field = wrongHelperField(given);
  if (field === null) return given as unknown as HelperCommand;
  const kind = Object.hasOwn(allowed, field) ? allowed[field] : undefined;
  throw kind === undefined
    ? unknownKey(`${where}.${field}`, helperFields)
    : wrong(`${where}.${field}`, given[field], kind);
}
