import { at, listOf, Malformed, type ManagedProblem, malformed, objectIn, unknownKey, wrong } from './fileValues.ts';
import type { ManagedPolicy } from './managedPolicy.ts';
import { jsonIn, originIn, policyIn } from './parseManagedPolicy.ts';

/** A policy that is delivered to many machines. Its signature has been verified. */
export interface DeliveredPolicy {
  /** Grows with each policy: an earlier one does not replace a later one. */
  readonly serial: number;
  /** Milliseconds since the epoch. */
  readonly issued: number;
  readonly expires: number;
  /** The origins from which it may be delivered. */
  readonly origins: readonly string[];
  /** The policy, or the reason why this version cannot apply it, so that nothing is sent. */
  readonly policy: ManagedPolicy | ManagedProblem;
}

const keys = ['version', 'serial', 'issued', 'expires', 'origins', 'policy'];

/** Keys that would run a program, name a file, or move data on every machine. Only the machine's own file may have them. */
const forbidden: readonly (readonly string[])[] = [
  ['credentials'],
  ['source'],
  ['instructionsFile'],
  ['evidence', 'otlp'],
  ['evidence', 'required'],
];

/**
 * Parses the text of a delivered policy. Throws a Malformed if it is none. If it is one, but has an unknown or invalid key in its
 * policy, the problem is in the result.
 */
export function parseDelivered(text: string, extensionVersion: string): DeliveredPolicy {
  const given = objectIn(jsonIn(text), '');
  if (given.version !== 1) throw wrong('version', given.version, { kind: 'oneOf', values: ['1'] });
  for (const key of Object.keys(given)) if (!keys.includes(key)) throw unknownKey(key, keys);
  const { serial } = given;
  if (!Number.isSafeInteger(serial) || Number(serial) < 0)
    throw wrong('serial', serial, { kind: 'number', isWhole: true, minimum: 0 });
  const [issued, expires] = [timeIn(given.issued, 'issued'), timeIn(given.expires, 'expires')];
  if (expires <= issued) throw wrong('expires', given.expires, { kind: 'later' });
  return {
    ...{ serial: Number(serial), issued, expires },
    origins: listOf(originIn)(given.origins, 'origins'),
    policy: deliveredIn(given.policy, extensionVersion),
  };
}

function deliveredIn(value: unknown, extensionVersion: string): ManagedPolicy | ManagedProblem {
  try {
    const given = objectIn(value, 'policy');
    for (const path of forbidden) {
      const isThere = (from: unknown): boolean => path.reduce(inside, from) !== undefined;
      if (isThere(given) || isThere(given.optional))
        throw malformed(at(path.join('.')), { kind: 'notDelivered' }, { kind: 'ownFile' });
    }
    return policyIn({ version: 1, ...given }, extensionVersion);
  } catch (error) {
    if (error instanceof Malformed) return error.problem;
    throw error;
  }
}

function inside(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** An RFC 3339 time in UTC, to the second. */
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function timeIn(value: unknown, where: string): number {
  const time = typeof value === 'string' && timePattern.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString() !== String(value).replace('Z', '.000Z'))
    throw wrong(where, value, { kind: 'time' });
  return time;
}
